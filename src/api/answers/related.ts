/** Answers about memories that are connected by edges. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';
import { memoryFields } from './memory-fields.js';
import { relationEntryAnswer, relationType } from './relation.js';

const relatedMemory = z.strictObject({
  id: memoryFields.id,
  content: memoryFields.content,
  type: memoryFields.type,
  importance: memoryFields.importance,
  confidence: memoryFields.confidence,
  tags: memoryFields.tags,
  timestamp: memoryFields.timestamp,
  depth: wholeNumber.describe('Number of edges between this memory and the requested memory'),
  relation: relationEntryAnswer.describe('The edge over which the memory was first reached'),
  summary: memoryFields.summary,
});

export const relatedAnswer = z.strictObject({
  status: success,
  memory_id: z.string().describe('Id of the requested memory'),
  count: wholeNumber.describe('Number of memories in this answer'),
  related_memories: z.array(relatedMemory).describe('Memories reached over edges, most important first'),
  relationship_types: z.array(relationType).describe('The types of edges that were followed'),
  max_depth: wholeNumber.describe('Maximum number of edges between the requested memory and a result'),
  limit: wholeNumber.describe('Requested maximum number of memories'),
});
export type RelatedAnswer = z.infer<typeof relatedAnswer>;
