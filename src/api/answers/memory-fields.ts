/** The fields of a memory, for all answers that show some of them. */
import { z } from 'zod';
import type { Json } from '../../domain/json.js';
import { MEMORY_TYPES } from '../../domain/memory.js';
import { wholeNumber } from './common.js';

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
