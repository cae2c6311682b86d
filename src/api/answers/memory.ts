/** Answers about single memories and batches. */
import { z } from 'zod';
import { queryTimeMs, success, wholeNumber } from './common.js';
import { memoryFields, recordFields } from './memory-fields.js';
import { relationEntryAnswer } from './relation.js';

const replaceable = z.strictObject({
  memory_id: memoryFields.id,
  content: z.string().describe('Content of the older memory, or the beginning of a long content'),
  why: z.string().describe('What the two memories have in common'),
});

const mayReplace = z
  .array(replaceable)
  .optional()
  .describe('Up to three older memories that this memory may replace; absent if there are none');

export const storeAnswer = z.strictObject({
  status: success,
  memory_id: memoryFields.id,
  type: memoryFields.type,
  confidence: memoryFields.confidence,
  enrichment: z.literal('queued').describe('Enrichment follows in the background'),
  embedding: z.enum(['queued', 'stored']).describe('Whether the vector of the memory is stored or still queued'),
  embedding_status: z
    .enum(['queued', 'stored', 'provided'])
    .describe('State of the vector: provided when the caller sent the vector'),
  qdrant: z.enum(['queued', 'stored', 'unavailable']).describe('State of the vector in the vector store'),
  stored_at: z.string().describe('When the memory was stored, ISO 8601 in UTC'),
  timestamp: memoryFields.timestamp,
  updated_at: memoryFields.updated_at,
  last_accessed: memoryFields.last_accessed,
  tags: memoryFields.tags,
  metadata: memoryFields.metadata,
  summarized: z.literal(true).optional().describe('The content was too long and has been shortened'),
  original_length: wholeNumber.optional().describe('Length of the content before it was shortened, in characters'),
  summarized_length: wholeNumber.optional().describe('Length of the content after it was shortened, in characters'),
  superseded_memory_id: z.string().optional().describe('Id of the memory that the new memory replaces'),
  may_replace: mayReplace,
  query_time_ms: queryTimeMs,
});
export type StoreAnswer = z.infer<typeof storeAnswer>;

export const storeManyAnswer = z.strictObject({
  status: success,
  stored: wholeNumber.describe('Number of stored memories'),
  memory_ids: z.array(z.string()).describe('Ids of the stored memories, in the order of the request'),
  qdrant: z
    .enum(['ok', 'queued', 'unavailable'])
    .describe('ok: every vector is stored; queued: some vectors are still queued'),
  enrichment: z.literal('queued').describe('Enrichment follows in the background'),
  may_replace: z
    .array(replaceable.extend({ newer_id: z.string().describe('Id of the stored memory that may replace it') }))
    .optional()
    .describe('Up to three older memories that the stored memories may replace; a large batch is not compared'),
  query_time_ms: queryTimeMs,
});
export type StoreManyAnswer = z.infer<typeof storeManyAnswer>;

/** The fields of a memory, with its relations. */
export const memoryAnswer = z.strictObject({
  status: success,
  ...recordFields,
  relations: z
    .array(relationEntryAnswer)
    .describe(
      'Edges of the memory: first those created by callers, then those created by the system, strongest first in each group',
    ),
});
export type MemoryAnswer = z.infer<typeof memoryAnswer>;

export const changeAnswer = z.strictObject({
  status: success,
  memory_id: z.string().describe('Id of the memory that was changed or deleted'),
});
export type ChangeAnswer = z.infer<typeof changeAnswer>;

export const updateAnswer = changeAnswer.extend({ may_replace: mayReplace });
export type UpdateAnswer = z.infer<typeof updateAnswer>;
