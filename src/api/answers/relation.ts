/** The edges of a memory, as every answer shows them. */
import { z } from 'zod';
import { RELATION_TYPES } from '../../domain/relation.js';
import { memoryFields } from './memory-fields.js';

export const relationType = z.enum(RELATION_TYPES).describe('Type of the edge');
export const strength = z.number().describe('Strength of the edge, 0-1');

/** What edges that callers make may carry, each for some of the types. */
export const authoredPropertyFields = {
  context: z.string().optional().describe('In which context, of PREFERS_OVER and PART_OF'),
  reason: z.string().optional().describe('Why, of PREFERS_OVER, CONTRADICTS, INVALIDATED_BY and EVOLVED_INTO'),
  pattern_type: z.string().optional().describe('Of EXEMPLIFIES'),
  confidence: z
    .number()
    .optional()
    .describe('How sure, 0-1, of EXEMPLIFIES, EVOLVED_INTO, DERIVED_FROM and DISCOVERED'),
  resolution: z.string().optional().describe('How it was resolved, of CONTRADICTS'),
  observations: z
    .union([z.number(), z.string(), z.array(z.string())])
    .optional()
    .describe('What was seen, or how often, of REINFORCES'),
  timestamp: z.string().optional().describe('Since when, ISO 8601 in UTC, of INVALIDATED_BY'),
  transformation: z.string().optional().describe('What was done to it, of DERIVED_FROM'),
  role: z.string().optional().describe('Of PART_OF'),
};

/** What edges of the system carry beside these. */
const systemPropertyFields = {
  score: z.number().optional().describe('Cosine similarity, of SIMILAR_TO'),
  count: z.number().optional().describe('Entities that both name, of PRECEDED_BY'),
  kind: z.string().optional().describe('Of DISCOVERED'),
  similarity: z.number().optional().describe('0-1, of DISCOVERED'),
  origin: z.string().optional().describe('Where it comes from, of DISCOVERED'),
  run_id: z.string().optional().describe('Id of the run of consolidation that made it, of DISCOVERED'),
};

export const relationEntryAnswer = z.strictObject({
  ...authoredPropertyFields,
  ...systemPropertyFields,
  type: relationType,
  strength,
  direction: z.enum(['outgoing', 'incoming']).describe('Whether the edge leaves this memory or leads to it'),
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
  updated_at: z.string().describe('When the edge was made or last changed, ISO 8601 in UTC'),
});
