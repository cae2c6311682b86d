/** Answers about single memories and batches. */
import { z } from 'zod';
import { queryTimeMs, success, wholeNumber } from './common.js';
import { memoryFields, recordFields } from './memory-fields.js';
import { relationEntryAnswer } from './relation.js';

export const storeAnswer = z.strictObject({
  status: success,
  memory_id: memoryFields.id,
  type: memoryFields.type,
  confidence: memoryFields.confidence,
  enrichment: z.literal('queued').describe('Enrichment follows in the background'),
  embedding: z.enum(['queued', 'stored']).describe('Whether its vector is stored or still queued'),
  embedding_status: z
    .enum(['queued', 'stored', 'provided'])
    .describe('State of its vector: provided when the caller sent it'),
  qdrant: z.enum(['queued', 'stored', 'unavailable']).describe('State of its vector in the vector store'),
  stored_at: z.string().describe('When it was stored, ISO 8601 in UTC'),
  timestamp: memoryFields.timestamp,
  updated_at: memoryFields.updated_at,
  last_accessed: memoryFields.last_accessed,
  tags: memoryFields.tags,
  metadata: memoryFields.metadata,
  summarized: z.literal(true).optional().describe('The content was too long and has been shortened'),
  original_length: wholeNumber.optional().describe('Length before it was shortened, in characters'),
  summarized_length: wholeNumber.optional().describe('Length after it was shortened, in characters'),
  superseded_memory_id: z.string().optional().describe('Id of the memory that it replaces'),
  similar: z
    .array(
      z.strictObject({
        memory_id: memoryFields.id,
        content: z.string().describe('Its content, or the beginning of it'),
        content_truncated: z.literal(true).optional().describe('The content is longer'),
        similarity: z.number().describe('Share of the words that both memories have, weighted by rarity, 0-1'),
      }),
    )
    .optional()
    .describe('Memories that say nearly the same, closest first'),
  query_time_ms: queryTimeMs,
});
export type StoreAnswer = z.infer<typeof storeAnswer>;

export const storeManyAnswer = z.strictObject({
  status: success,
  stored: wholeNumber.describe('Number of memories'),
  memory_ids: z.array(z.string()).describe('Their ids, in the order of the request'),
  qdrant: z
    .enum(['ok', 'queued', 'unavailable'])
    .describe('ok: every vector is stored; queued: some vectors are still queued'),
  enrichment: z.literal('queued').describe('Enrichment follows in the background'),
  query_time_ms: queryTimeMs,
});
export type StoreManyAnswer = z.infer<typeof storeManyAnswer>;

/** The fields of a memory, with its relations. */
export const memoryAnswer = z.strictObject({
  status: success,
  ...recordFields,
  relations: z.array(relationEntryAnswer).describe('Its edges: first those created by callers, strongest first'),
});
export type MemoryAnswer = z.infer<typeof memoryAnswer>;

export const changeAnswer = z.strictObject({
  status: success,
  memory_id: z.string().describe('Id of the memory that was changed or deleted'),
});
export type ChangeAnswer = z.infer<typeof changeAnswer>;
