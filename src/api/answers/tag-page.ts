/** Answers about all memories with a tag. */
import { z } from 'zod';
import { queryTimeMs, success, wholeNumber } from './common.js';
import { cutMetadataFields, recordFields } from './memory-fields.js';
import { listedResult } from './result.js';

/**
 * The page lists the memories twice: `results` has the form of recall results, and `memories` has plain records for
 * AutoMem clients (docs/decisions.md, "Listing by tag").
 */
export const tagPageAnswer = z.strictObject({
  status: success,
  tags: z.array(z.string()).describe('Requested tags; each memory has at least one of them'),
  count: wholeNumber.describe('Number of memories on this page'),
  limit: wholeNumber.describe('Maximum number of memories per page'),
  offset: wholeNumber.describe('Number of memories before this page'),
  has_more: z.boolean().describe('Whether there is a next page'),
  total: wholeNumber.optional().describe('Number of memories on all pages; only with include_total'),
  results: z.array(listedResult).describe('Most important first'),
  memories: z
    .array(z.strictObject({ ...recordFields, ...cutMetadataFields }))
    .describe('The same memories as plain records'),
  query_time_ms: queryTimeMs,
});
export type TagPageAnswer = z.infer<typeof tagPageAnswer>;

export const tagRemovalAnswer = z.strictObject({
  status: success,
  tags: z.array(z.string()).describe('Requested tags'),
  deleted_count: wholeNumber.describe('Number of deleted memories'),
});
export type TagRemovalAnswer = z.infer<typeof tagRemovalAnswer>;
