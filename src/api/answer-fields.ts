/**
 * Fields that many answers share, the rounding of their numbers, and the error body, which all failures share
 * (docs/decisions.md, "One error body").
 */
import { z } from 'zod';
import type { MemoryError } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import { MEMORY_TYPES } from '../domain/memory.js';
import { RELATION_TYPES } from '../domain/relation.js';

export const success = z.literal('success').describe('The request was carried out');

/** An integer of 0 or more. */
export const wholeNumber = z.int().min(0);

export const queryTimeMs = z.number().describe('Time the answer took, in milliseconds');

/** Any JSON. The schema accepts every value, because a recursive schema cannot be written into the OpenAPI document. */
const json = z.custom<Json>();

export const memoryFields = {
  id: z.string().describe('Id (UUID) of the memory'),
  content: z.string().describe('What is remembered'),
  type: z.enum(MEMORY_TYPES).describe('Kind of memory, given or derived from the content'),
  confidence: z.number().describe('Confidence of the type, 0-1'),
  tags: z.array(z.string()).describe('Labels, as written'),
  importance: z.number().describe('0-1'),
  metadata: z.record(z.string(), json).describe('Free-form JSON from the caller and from enrichment'),
  timestamp: z.string().describe('When the event happened, ISO 8601 in UTC'),
  updated_at: z.string().describe('When the memory was last changed, ISO 8601 in UTC'),
  last_accessed: z
    .string()
    .describe(
      'When a recall last matched the memory itself; initially the timestamp. ISO 8601 in UTC, updated at most daily',
    ),
  summary: z.string().optional().describe('A summary of the content, written by enrichment'),
};

/** All fields of a stored memory. */
export const recordFields = {
  ...memoryFields,
  tag_prefixes: z.array(z.string()).describe('All levels of all tags, in lower case'),
  t_valid: z.string().optional().describe('Valid from this time, ISO 8601 in UTC'),
  t_invalid: z.string().optional().describe('Valid until this time, ISO 8601 in UTC'),
  enriched: z.boolean().describe('Whether enrichment has processed the memory'),
  archived: z.boolean().describe('Whether the memory is archived and so hidden from recall'),
  archived_at: z.string().optional().describe('When the memory was archived, ISO 8601 in UTC'),
  archived_reason: z.string().optional().describe('Why a program archived the memory'),
  relevance_score: z.number().optional().describe('Relevance after decay, 0-1'),
  embedded_by: z.string().optional().describe('Model that made the vector; absent when the memory has no vector'),
};

/** Fields that are present when a list shows only a part of long metadata. */
export const cutMetadataFields = {
  metadata_truncated: z
    .literal(true)
    .optional()
    .describe('Some keys of the metadata were left out because the metadata are too long'),
  metadata_bytes: wholeNumber
    .optional()
    .describe('Length of the complete metadata as JSON, in UTF-8 bytes, when keys were left out'),
};

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

/** A score, or a component of a score, with six decimals. */
export function roundScore(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Milliseconds, averages, and the scores that a model reads, with three decimals. */
export function roundThousandths(value: number): number {
  return Math.round(value * 1e3) / 1e3;
}

/** Whole seconds. A negative duration becomes 0. */
export function toSeconds(durationMs: number): number {
  return Math.max(0, Math.round(durationMs / 1000));
}

export const errorAnswer = z.strictObject({
  status: z.literal('error').describe('The request was not carried out'),
  code: wholeNumber.describe('The HTTP status of the answer'),
  error: z.string().describe('The error in a sentence'),
  message: z.string().describe('Same as error, for AutoMem clients'),
  field: z.string().optional().describe('The invalid input field, as the caller spelled it'),
  index: wholeNumber.optional().describe('Position of the invalid element of a batch, from 0'),
  details: z.string().optional().describe('What the caller can do about the error'),
  request_id: z.string().optional().describe('Id of the log entry, only for an internal error'),
});
type ErrorAnswer = z.infer<typeof errorAnswer>;

/** An error body whose code is typed. */
export type ErrorBody<Code extends number = number> = ErrorAnswer & { code: Code };

/**
 * An error body with only a message.
 *
 * @param code the HTTP status of the answer
 */
export function renderFailure<Code extends number>(code: Code, message: string): ErrorBody<Code> {
  return { status: 'error', code, error: message, message };
}

/**
 * The body of an internal error. Besides a fixed message, it contains only the id of the request, which is also in the
 * log entry.
 */
export function renderFault(requestId: string | undefined): ErrorBody<500> {
  return { ...renderFailure(500, 'Internal server error'), ...(requestId !== undefined && { request_id: requestId }) };
}

export function renderError(error: MemoryError): ErrorBody<MemoryError['status']> {
  return {
    ...renderFailure(error.status, error.message),
    ...(error.field !== undefined && { field: error.field }),
    ...(error.index !== undefined && { index: error.index }),
    ...(error.hint !== undefined && { details: error.hint }),
  };
}
