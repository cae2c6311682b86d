/** Answers about embedding memories again and comparing the stores (docs/decisions.md, "Comparing the stores"). */
import { z } from 'zod';
import { wholeNumber } from './common.js';

const failedFields = {
  failed: wholeNumber.describe('Number of memories that could not be embedded; these memories stay queued'),
  failed_ids: z.array(z.string()).optional().describe('Ids of the first ten failed memories; absent when none failed'),
  failed_ids_truncated: z.literal(true).optional().describe('failed_ids does not list all failed memories'),
};

export const reembedAnswer = z.strictObject({
  status: z.literal('complete').describe('The run has ended'),
  processed: wholeNumber.describe('Number of memories that got a vector'),
  total: wholeNumber.describe('Number of memories when the run began'),
  batch_size: wholeNumber.describe('Number of texts per call of the model'),
  metadata_preserved: z.literal(true).describe('The run changes vectors only'),
  ...failedFields,
});
export type ReembedAnswer = z.infer<typeof reembedAnswer>;

const storeCounts = {
  falkordb_count: wholeNumber.describe('Number of memories in the graph store, even if that store is not FalkorDB'),
  qdrant_count: wholeNumber.describe(
    'Number of vectors in the vector store before any repair, even if that store is not Qdrant',
  ),
  orphaned_count: wholeNumber.describe('Number of vectors without a memory'),
};

const adoptionFields = {
  adopted_count: wholeNumber
    .optional()
    .describe('Number of memories of other programs that were adopted (dry run: would be); absent when there are none'),
  repaired_count: wholeNumber
    .optional()
    .describe(
      'Number of memories that another program changed or removed, so the index needed repair; absent when there are none',
    ),
  malformed_count: wholeNumber
    .optional()
    .describe('Number of nodes that cannot be read and were left unchanged; absent when there are none'),
  malformed_sample: z
    .array(
      z.strictObject({
        label: z.string().describe('Label of the node'),
        id: z.string().optional().describe('Id of the node, if the node has an id'),
        problem: z.string().describe('Why the node cannot be read'),
      }),
    )
    .optional()
    .describe('At most ten of the nodes that cannot be read; absent when there are none'),
};
export type AdoptionFields = Partial<z.infer<z.ZodObject<typeof adoptionFields>>>;

export const syncReportAnswer = z.strictObject({
  status: z.literal('dry_run').describe('A dry run, which changed nothing'),
  ...storeCounts,
  missing_count: wholeNumber.describe('Number of memories without a vector'),
  missing_sample: z.array(z.string()).describe('Ids of at most ten memories without a vector'),
  orphaned_sample: z.array(z.string()).describe('Ids of at most ten vectors without a memory'),
  ...adoptionFields,
});
export type SyncReportAnswer = z.infer<typeof syncReportAnswer>;

export const syncRepairAnswer = z.strictObject({
  status: z.enum(['complete', 'already_synced']).describe('already_synced: every memory had its vector'),
  ...storeCounts,
  synced: wholeNumber.describe('Number of memories that got a vector'),
  ...failedFields,
  orphaned_removed: wholeNumber.describe('Number of vectors that were removed'),
  ...adoptionFields,
});
export type SyncRepairAnswer = z.infer<typeof syncRepairAnswer>;

export const syncAnswer = z.discriminatedUnion('status', [syncReportAnswer, syncRepairAnswer]);
export type SyncAnswer = z.infer<typeof syncAnswer>;
