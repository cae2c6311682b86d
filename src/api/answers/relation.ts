/** The edges of a memory, as every answer shows them. */
import { z } from 'zod';
import { RELATION_TYPES } from '../../domain/relation.js';
import { memoryFields } from './memory-fields.js';

export const relationType = z.enum(RELATION_TYPES).describe('Type of the edge');
export const strength = z.number().describe('Strength of the edge, 0-1');

/** The properties that edges created by callers may have. Each property belongs to some types only. */
export const authoredPropertyFields = {
  context: z.string().optional().describe('The context, for PREFERS_OVER and PART_OF'),
  reason: z.string().optional().describe('The reason, for PREFERS_OVER, CONTRADICTS, INVALIDATED_BY and EVOLVED_INTO'),
  pattern_type: z.string().optional().describe('For EXEMPLIFIES'),
  confidence: z
    .number()
    .optional()
    .describe('Confidence, 0-1, for EXEMPLIFIES, EVOLVED_INTO, DERIVED_FROM and DISCOVERED'),
  resolution: z.string().optional().describe('How the contradiction was resolved, for CONTRADICTS'),
  observations: z
    .union([z.number(), z.string(), z.array(z.string())])
    .optional()
    .describe('Observations, or their number, for REINFORCES'),
  timestamp: z.string().optional().describe('When the old memory became invalid, ISO 8601 in UTC, for INVALIDATED_BY'),
  transformation: z.string().optional().describe('The transformation, for DERIVED_FROM'),
  role: z.string().optional().describe('For PART_OF'),
};

/** The additional properties of edges created by the system. */
const systemPropertyFields = {
  score: z.number().optional().describe('Cosine similarity, for SIMILAR_TO'),
  count: z.number().optional().describe('Number of tags that both memories have, for PRECEDED_BY'),
  kind: z.string().optional().describe('For DISCOVERED'),
  similarity: z.number().optional().describe('0-1, for DISCOVERED'),
  origin: z.string().optional().describe('Origin of the edge, for DISCOVERED'),
  run_id: z.string().optional().describe('Id of the consolidation run that created the edge, for DISCOVERED'),
};

export const relationEntryAnswer = z.strictObject({
  ...authoredPropertyFields,
  ...systemPropertyFields,
  type: relationType,
  strength,
  direction: z.enum(['outgoing', 'incoming']).describe('Whether the edge starts from this memory or leads to it'),
  memory: z
    .strictObject({
      id: memoryFields.id,
      content: memoryFields.content,
      summary: memoryFields.summary,
      type: memoryFields.type,
      importance: memoryFields.importance,
      tags: memoryFields.tags,
      timestamp: memoryFields.timestamp,
    })
    .describe('The memory at the other end'),
  updated_at: z.string().describe('When the edge was created or last changed, ISO 8601 in UTC'),
});
