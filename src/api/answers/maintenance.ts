/** Answers to runs that make vectors again or compare the stores (docs/decisions.md, "Comparing the stores"). */
import { z } from 'zod';
import { wholeNumber } from './common.js';

const failedFields = {
  failed: wholeNumber.describe('Memories that could not be embedded; they go on waiting'),
  failed_ids: z.array(z.string()).optional().describe('Ids of the first ten that failed; only when some did'),
  failed_ids_truncated: z.literal(true).optional().describe('More than these have failed'),
};

export const reembedAnswer = z.strictObject({
  status: z.literal('complete').describe('The run has ended'),
  processed: wholeNumber.describe('Memories that got a vector'),
  total: wholeNumber.describe('Memories when the run began'),
  batch_size: wholeNumber.describe('Texts in one call of the model'),
  metadata_preserved: z.literal(true).describe('A run changes nothing but vectors'),
  ...failedFields,
});
export type ReembedAnswer = z.infer<typeof reembedAnswer>;

const storeCounts = {
  falkordb_count: wholeNumber.describe('Memories in the graph store, whichever it is'),
  qdrant_count: wholeNumber.describe('Vectors in the vector store, whichever it is, before anything was mended'),
  orphaned_count: wholeNumber.describe('Vectors without a memory'),
};

const adoptionFields = {
  adopted_count: wholeNumber
    .optional()
    .describe('Memories that another program wrote to the graph and that were taken over; only when there are some'),
  repaired_count: wholeNumber
    .optional()
    .describe(
      'Memories that another program changed or removed, and that were indexed again; only when there are some',
    ),
  malformed_count: wholeNumber
    .optional()
    .describe('Nodes that cannot be read and are left as they are; only when there are some'),
  malformed_sample: z
    .array(
      z.strictObject({
        label: z.string().describe('Label of the node'),
        id: z.string().optional().describe('Its id, where it has one'),
        problem: z.string().describe('Why it cannot be read'),
      }),
    )
    .optional()
    .describe('At most ten of them; only when there are some'),
};
export type AdoptionFields = Partial<z.infer<z.ZodObject<typeof adoptionFields>>>;

export const syncReportAnswer = z.strictObject({
  status: z.literal('dry_run').describe('Nothing was changed'),
  ...storeCounts,
  missing_count: wholeNumber.describe('Memories without a vector'),
  missing_sample: z.array(z.string()).describe('Ids of at most ten of them'),
  orphaned_sample: z.array(z.string()).describe('Ids of at most ten vectors without a memory'),
  ...adoptionFields,
});
export type SyncReportAnswer = z.infer<typeof syncReportAnswer>;

export const syncMendedAnswer = z.strictObject({
  status: z.enum(['complete', 'already_synced']).describe('already_synced: every memory had its vector'),
  ...storeCounts,
  synced: wholeNumber.describe('Memories that have got their vector'),
  ...failedFields,
  orphaned_removed: wholeNumber.describe('Vectors that were removed'),
  ...adoptionFields,
});
export type SyncMendedAnswer = z.infer<typeof syncMendedAnswer>;

export const syncAnswer = z.discriminatedUnion('status', [syncReportAnswer, syncMendedAnswer]);
export type SyncAnswer = z.infer<typeof syncAnswer>;
