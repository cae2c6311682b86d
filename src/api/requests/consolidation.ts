/** Requests about consolidation: running tasks, undoing runs, restoring memories, and answering proposals. */
import { z } from 'zod';
import { CONSOLIDATION_MODES, type ConsolidationRequest, PROPOSAL_ACTIONS } from '../../domain/consolidation.js';
import { choice, content, count, flag, memoryId } from '../fields.js';
import { optional } from '../input.js';
import { ids } from './maintenance.js';

const ENTRIES = 50;
const ENTRIES_MAX = 500;

export const consolidateRequest = z.object({
  mode: optional(choice(CONSOLIDATION_MODES)).describe('The task to run; full (default) runs all four tasks'),
  dry_run: optional(flag).describe('true (default): only report the changes'),
});
export type ConsolidateParameters = z.output<typeof consolidateRequest>;

export function toConsolidationRequest({ mode = 'full', dry_run = true }: ConsolidateParameters): ConsolidationRequest {
  return { mode, isDryRun: dry_run };
}

export const runPage = z.object({
  page: optional(count({ min: 0, max: 1_000_000 })).describe('Page of the changes of the run, from 0 on'),
});

/** Id of a run or a proposal. The form is not checked, because other programs may use any run id. */
export const entryId = content(100);

export const undoRequest = z.object({ run_id: memoryId.describe('Id of the run') });

export const restoreRequest = z.object({ ids: optional(ids).describe('Memories to bring back from the bin') });

export const entryPage = z.object({
  limit: optional(count({ max: ENTRIES_MAX })).describe(`Maximum number of entries, ${ENTRIES} by default`),
});

export function toLimit({ limit = ENTRIES }: z.output<typeof entryPage>): number {
  return limit;
}

export const proposalAnswerRequest = z.object({
  action: choice(PROPOSAL_ACTIONS).describe(
    'accept: the newer memory replaces the older one; dismiss: the pair is not proposed again; reopen: undoes accept or dismiss',
  ),
});
