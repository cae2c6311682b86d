/** Consolidation: running its tasks, undoing runs, restoring memories from the bin, and answering proposals. */

import { MemoryError, messageOf } from '../domain/errors.js';
import {
  binAnswer,
  consolidateAnswer,
  consolidationStatusAnswer,
  proposalsAnswer,
  restoreAnswer,
  runDetailsAnswer,
  settledProposalAnswer,
  undoAnswer,
} from './answers/consolidation.js';
import { readField, readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';
import {
  renderBin,
  renderConsolidation,
  renderConsolidationStatus,
  renderProposals,
  renderRestore,
  renderRunDetails,
  renderSettledProposal,
  renderUndo,
} from './render/consolidation.js';
import {
  consolidateRequest,
  entryId,
  entryPage,
  proposalAnswerRequest,
  restoreRequest,
  runPage,
  toConsolidationRequest,
  toLimit,
  undoRequest,
} from './requests/consolidation.js';
import { ids } from './requests/maintenance.js';

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
