/** Consolidation: running its tasks, undoing runs, restoring memories from the bin, and answering proposals. */

import { z } from 'zod';
import { CONSOLIDATION_MODES, type ConsolidationRequest, PROPOSAL_ACTIONS } from '../domain/consolidation.js';
import { MemoryError, messageOf } from '../domain/errors.js';
import {
  binAnswer,
  consolidateAnswer,
  consolidationStatusAnswer,
  proposalsAnswer,
  renderBin,
  renderConsolidation,
  renderConsolidationStatus,
  renderProposals,
  renderRestore,
  renderRunDetails,
  renderSettledProposal,
  renderUndo,
  restoreAnswer,
  runDetailsAnswer,
  settledProposalAnswer,
  undoAnswer,
} from './consolidation-answers.js';
import { choice, content, count, flag, ids, memoryId } from './fields.js';
import { optional, readField, readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';

const ENTRIES = 50;
const ENTRIES_MAX = 500;

const consolidateRequest = z.object({
  mode: optional(choice(CONSOLIDATION_MODES)).describe('The task to run; full (default) runs all four tasks'),
  dry_run: optional(flag).describe('true (default): only report the changes'),
});
export type ConsolidateParameters = z.output<typeof consolidateRequest>;

function toConsolidationRequest({ mode = 'full', dry_run = true }: ConsolidateParameters): ConsolidationRequest {
  return { mode, isDryRun: dry_run };
}

const runPage = z.object({
  page: optional(count({ min: 0, max: 1_000_000 })).describe('Page of the changes of the run, from 0 on'),
});

/** Id of a run or a proposal. The form is not checked, because other programs may use any run id. */
const entryId = content(100);

const undoRequest = z.object({ run_id: memoryId.describe('Id of the run') });

const restoreRequest = z.object({ ids: optional(ids).describe('Memories to bring back from the bin') });

const entryPage = z.object({
  limit: optional(count({ max: ENTRIES_MAX })).describe(`Maximum number of entries, ${ENTRIES} by default`),
});

function toLimit({ limit = ENTRIES }: z.output<typeof entryPage>): number {
  return limit;
}

const proposalAnswerRequest = z.object({
  action: choice(PROPOSAL_ACTIONS).describe(
    'accept: the newer memory replaces the older one; dismiss: the pair is not proposed again; reopen: undoes accept or dismiss',
  ),
});

export const consolidationOperations: readonly Operation[] = [
  {
    ...routeOf('consolidate'),
    access: 'token',
    tag: 'consolidation',
    summary: 'Run decay, linking, grouping or forgetting now, or only report the changes that a run would make',
    body: consolidateRequest,
    isBodyOptional: true,
    answers: { 200: consolidateAnswer },
    needsNoPlace: true,
    failures: ['invalid', 'conflict'],
    run: async (engine, { body }) => {
      const request = toConsolidationRequest(readObject(consolidateRequest, body ?? {}, 'The body'));
      const reports = await saying('Consolidation failed', () => engine.consolidation.run(request));
      return renderConsolidation(request.mode, reports);
    },
  },
  {
    ...routeOf('consolidationStatus'),
    access: 'public',
    tag: 'consolidation',
    summary: 'Get the next run of each task and the results of the last runs',
    answers: { 200: consolidationStatusAnswer },
    needsNoPlace: true,
    failures: [],
    run: async engine =>
      renderConsolidationStatus(await saying('Failed to get status', () => engine.consolidation.status())),
  },
  {
    ...routeOf('consolidationRun'),
    access: 'token',
    tag: 'consolidation',
    summary: 'List the changes of a run with their reasons and numbers',
    query: runPage,
    answers: { 200: runDetailsAnswer },
    failures: ['invalid', 'not_found'],
    run: async (engine, { params, query }) => {
      const { page = 0 } = readObject(runPage, query, 'The query');
      return renderRunDetails(await engine.consolidation.details(idOf(params.id), page));
    },
  },
  {
    ...routeOf('undoConsolidation'),
    access: 'admin',
    tag: 'consolidation',
    summary: 'Undo the changes of a run, except in data that was changed since',
    body: undoRequest,
    answers: { 200: undoAnswer },
    needsNoPlace: true,
    failures: ['invalid', 'not_found', 'conflict'],
    run: async (engine, { body }) => {
      const { run_id } = readObject(undoRequest, body, 'The body');
      return renderUndo(await engine.consolidation.undo(run_id));
    },
  },
  {
    ...routeOf('bin'),
    access: 'admin',
    tag: 'consolidation',
    summary: 'List the deleted memories that can be restored',
    query: entryPage,
    answers: { 200: binAnswer },
    failures: ['invalid'],
    run: async (engine, { query }) =>
      renderBin(await engine.consolidation.binned(toLimit(readObject(entryPage, query, 'The query')))),
  },
  {
    ...routeOf('restore'),
    access: 'admin',
    tag: 'consolidation',
    summary: 'Restore deleted memories from the bin, with their edges',
    body: restoreRequest,
    answers: { 200: restoreAnswer },
    failures: ['invalid', 'conflict'],
    run: async (engine, { body }) => {
      const given = readObject(restoreRequest, body, 'The body');
      return renderRestore(await engine.consolidation.restore(readField(ids, given.ids ?? [], 'ids')));
    },
  },
  {
    ...routeOf('proposals'),
    access: 'token',
    tag: 'consolidation',
    summary: 'List pairs in which one memory may be a duplicate or out of date',
    query: entryPage,
    answers: { 200: proposalsAnswer },
    failures: ['invalid'],
    run: async (engine, { query }) => {
      const limit = toLimit(readObject(entryPage, query, 'The query'));
      return renderProposals(await engine.consolidation.proposals(limit));
    },
  },
  {
    ...routeOf('settleProposal'),
    access: 'token',
    tag: 'consolidation',
    summary: 'Accept, dismiss or reopen a proposal',
    body: proposalAnswerRequest,
    answers: { 200: settledProposalAnswer },
    failures: ['invalid', 'not_found', 'conflict'],
    run: async (engine, { params, body }) => {
      const { action } = readObject(proposalAnswerRequest, body, 'The body');
      return renderSettledProposal(await engine.consolidation.settleProposal(idOf(params.id), action));
    },
  },
];

function idOf(value: unknown): string {
  return readField(entryId, value, 'id');
}

/**
 * Runs `body` and replaces the message of an internal error with `sentence`, as the specification requires. A
 * `MemoryError` is thrown unchanged, because its message is written for the caller.
 */
async function saying<Result>(sentence: string, body: () => Promise<Result>): Promise<Result> {
  try {
    return await body();
  } catch (cause) {
    if (cause instanceof MemoryError) throw cause;
    throw new MemoryError('internal', sentence, { hint: messageOf(cause), cause });
  }
}
