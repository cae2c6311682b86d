/** Answers about all memories that have a tag. */
import { z } from 'zod';
import { cutMetadataFields, queryTimeMs, recordFields } from './memory-fields.js';
import { recallResult } from './result.js';

/** Results in the form of a recall, and the plain memories for AutoMem's clients (decisions D10). */
export const tagPageAnswer = z.strictObject({
  status: z.literal('success'),
  tags: z.array(z.string()).describe('Tags asked for; a memory has at least one of them'),
  count: z.int().describe('Number of memories on this page'),
  limit: z.int().describe('Most memories on a page'),
  offset: z.int().describe('Memories before this page'),
  has_more: z.boolean().describe('Whether another page follows'),
  results: z.array(recallResult).describe('Most important first'),
  memories: z.array(z.strictObject({ ...recordFields, ...cutMetadataFields })).describe('The same memories, plain'),
  query_time_ms: queryTimeMs,
});
export type TagPageAnswer = z.infer<typeof tagPageAnswer>;

export const tagRemovalAnswer = z.strictObject({
  status: z.literal('success'),
  tags: z.array(z.string()).describe('Tags asked for'),
  deleted_count: z.int().describe('Memories that were deleted'),
});
export type TagRemovalAnswer = z.infer<typeof tagRemovalAnswer>;
