/** Answers of consolidation: what runs did or would do, when the next are due, what waits for an answer. */
import { z } from 'zod';
import { CONSOLIDATION_TASKS } from '../../domain/consolidation.js';
import { success, wholeNumber } from './common.js';

const task = z.enum(CONSOLIDATION_TASKS);
const duration = z.number().describe('How long it took');
const instant = z.string().describe('ISO 8601 in UTC');

const changeAnswer = z
  .strictObject({
    kind: z.enum(['relevance', 'link', 'summary', 'archive', 'delete', 'proposal']).describe('What happens'),
    memory_ids: z.array(z.string()).describe('The memories that it is about; of a group, its members'),
    reason: z.string().describe('Why, in words'),
    numbers: z.record(z.string(), z.number()).describe('What decided it, by name'),
    text: z.string().optional().describe('Text of a group'),
    before: z.number().nullable().optional().describe('Relevance before; null where decay had not reached it'),
    after: z.number().optional().describe('Relevance after'),
  })
  .describe('One change, and why it is made');
export type ChangeAnswer = z.infer<typeof changeAnswer>;

const counters = {
  updates: wholeNumber.optional().describe('decay: relevances that changed'),
  associations: wholeNumber.optional().describe('creative: edges that were discovered'),
  clusters: wholeNumber.optional().describe('cluster: groups that there are'),
  forgotten: wholeNumber.optional().describe('forget: memories archived or deleted'),
};

const taskAnswer = z.strictObject({
  ...counters,
  duration_seconds: duration,
  run_id: z.string().optional().describe('Names the run; not of a dry run'),
  stopped: z.string().optional().describe('Why nothing was changed; only when the run was stopped'),
  change_count: wholeNumber.describe('Changes, or those that there would be'),
  changes: z.array(changeAnswer).describe('The first of them'),
});
export type TaskAnswer = z.infer<typeof taskAnswer>;

export const consolidateAnswer = z.strictObject({
  status: success,
  consolidation: z.union([taskAnswer, z.record(task, taskAnswer)]).describe('Of full: one for each task'),
});
export type ConsolidateAnswer = z.infer<typeof consolidateAnswer>;

const runAnswer = z.strictObject({
  run_id: z.string().describe('Names the run'),
  task: task.describe('What was run'),
  timestamp: instant.describe('When it began, ISO 8601 in UTC'),
  duration_seconds: duration,
  ...counters,
  state: z.enum(['running', 'done', 'failed', 'stopped']).describe('running without an end: it was cut off'),
  change_count: wholeNumber.describe('Changes that it made, or had begun when it was cut off'),
  problem: z
    .string()
    .optional()
    .describe('Why it was stopped, or why it failed; the latter is told of a single run only'),
  undone_at: instant.optional().describe('When it was taken back, ISO 8601 in UTC'),
});
export type RunAnswer = z.infer<typeof runAnswer>;

export const consolidationStatusAnswer = z.strictObject({
  status: success,
  next_runs: z.record(task, instant.nullable()).describe('By task; null: never by itself'),
  history: z.array(runAnswer).describe('Newest first'),
  thread_alive: z.boolean().describe('Whether runs begin by themselves'),
  tick_seconds: wholeNumber.describe('How often it is looked which task is due'),
  proposals: wholeNumber.describe('Proposals that wait for an answer'),
  binned: wholeNumber.describe('Deleted memories that can be restored'),
});
export type ConsolidationStatusAnswer = z.infer<typeof consolidationStatusAnswer>;

export const runDetailsAnswer = z.strictObject({
  status: success,
  run: runAnswer.describe('The run'),
  changes: z.array(changeAnswer).describe('A page of its changes'),
  next_page: wholeNumber.nullable().describe('Page where they go on; null at the end'),
});
export type RunDetailsAnswer = z.infer<typeof runDetailsAnswer>;

export const undoAnswer = z.strictObject({
  status: success,
  run_id: z.string().describe('The run that was taken back'),
  undone: wholeNumber.describe('Changes that were taken back'),
  skipped: wholeNumber.describe('Changes that were left as they are: taken back before, or changed by somebody since'),
});
export type UndoAnswer = z.infer<typeof undoAnswer>;

export const restoreAnswer = z.strictObject({
  status: success,
  restored: z.array(z.string()).describe('Ids of the memories that are back'),
  unknown: z.array(z.string()).describe('Ids that are not in the bin'),
});
export type RestoreAnswer = z.infer<typeof restoreAnswer>;

const binned = z.strictObject({
  id: z.string().describe('Id of the memory'),
  content: z.string().describe('What it said'),
  deleted_at: instant.describe('When it was deleted, ISO 8601 in UTC'),
  reason: z.string().describe('Why'),
});

export const binAnswer = z.strictObject({
  status: success,
  memories: z.array(binned).describe('Deleted last first'),
});
export type BinAnswer = z.infer<typeof binAnswer>;

const proposal = z.strictObject({
  id: z.string().describe('Names the proposal'),
  kind: z.enum(['duplicate', 'replaced']).describe('Whether both say the same, or the newer corrects the older'),
  older_id: z.string().describe('Id of the older memory'),
  newer_id: z.string().describe('Id of the newer memory, which would take its place'),
  reason: z.string().describe('Why it is proposed'),
  numbers: z.record(z.string(), z.number()).describe('What decided it, by name'),
  state: z.enum(['open', 'accepted', 'dismissed']).describe('Whether somebody has answered'),
});
export type ProposalAnswer = z.infer<typeof proposal>;

const said = z.string().nullable().describe('What it says, by its beginning; null when it is gone');
const openProposal = proposal.extend({ older_content: said, newer_content: said });

export const proposalsAnswer = z.strictObject({
  status: success,
  proposals: z.array(openProposal).describe('Those that wait for an answer'),
});
export type ProposalsAnswer = z.infer<typeof proposalsAnswer>;
export const settledProposalAnswer = z.strictObject({ status: success, proposal: proposal.describe('As it is now') });
export type SettledProposalAnswer = z.infer<typeof settledProposalAnswer>;
