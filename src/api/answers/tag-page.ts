/** Answers about all memories that have a tag. */
import { z } from 'zod';
import { queryTimeMs, success, wholeNumber } from './common.js';
import { cutMetadataFields, recordFields } from './memory-fields.js';
import { listedResult } from './result.js';

/** Results in the form of a recall, and the plain memories for AutoMem's clients (docs/decisions.md, "Listing by tag"). */
export const tagPageAnswer = z.strictObject({
  status: success,
  tags: z.array(z.string()).describe('Tags asked for; a memory has at least one of them'),
  count: wholeNumber.describe('Number of memories on this page'),
  limit: wholeNumber.describe('Most memories on a page'),
  offset: wholeNumber.describe('Memories before this page'),
  has_more: z.boolean().describe('Whether another page follows'),
  total: wholeNumber.optional().describe('Number of memories on all pages; only with include_total'),
  results: z.array(listedResult).describe('Most important first'),
  memories: z.array(z.strictObject({ ...recordFields, ...cutMetadataFields })).describe('The same memories, plain'),
  query_time_ms: queryTimeMs,
});
export type TagPageAnswer = z.infer<typeof tagPageAnswer>;

export const tagRemovalAnswer = z.strictObject({
  status: success,
  tags: z.array(z.string()).describe('Tags asked for'),
  deleted_count: wholeNumber.describe('Memories that were deleted'),
});
export type TagRemovalAnswer = z.infer<typeof tagRemovalAnswer>;
