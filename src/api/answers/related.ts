/** Answers to walks along edges. */
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
  depth: wholeNumber.describe('Edges between it and the memory asked about'),
  relation: relationEntryAnswer.describe('The edge by which it was reached first'),
  summary: memoryFields.summary,
});

export const relatedAnswer = z.strictObject({
  status: success,
  memory_id: z.string().describe('Id of the memory asked about'),
  count: wholeNumber.describe('Number of memories in this answer'),
  related_memories: z.array(relatedMemory).describe('Memories that edges lead to, most important first'),
  relationship_types: z.array(relationType).describe('Types of edges that were followed'),
  max_depth: wholeNumber.describe('Most edges between a memory and the one asked about'),
  limit: wholeNumber.describe('Most memories that were asked for'),
});
export type RelatedAnswer = z.infer<typeof relatedAnswer>;
