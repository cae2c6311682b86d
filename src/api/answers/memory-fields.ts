/** The fields of a memory, for every answer that shows some of them. */
import { z } from 'zod';
import type { Json } from '../../domain/json.js';
import { MEMORY_TYPES } from '../../domain/memory-type.js';
import { wholeNumber } from './common.js';

/** Any JSON: a schema that names itself could not stand in the OpenAPI document. */
const json = z.custom<Json>();

export const memoryFields = {
  id: z.string().describe('Id of the memory (UUID)'),
  content: z.string().describe('What is remembered'),
  type: z.enum(MEMORY_TYPES).describe('Kind of memory, as stated or as found from the content'),
  confidence: z.number().describe('How sure the type is, 0-1'),
  tags: z.array(z.string()).describe('Labels, as written'),
  importance: z.number().describe('0-1'),
  metadata: z.record(z.string(), json).describe('Free-form JSON of the caller and of enrichment'),
  timestamp: z.string().describe('When it happened, ISO 8601 in UTC'),
  updated_at: z.string().describe('When it was last changed, ISO 8601 in UTC'),
  last_accessed: z
    .string()
    .describe(
      'When a recall last found it for what it says itself, at first its timestamp; ISO 8601 in UTC. It moves at most once a day',
    ),
  summary: z.string().optional().describe('The content in short, made by enrichment'),
};

/** Every field of a record. */
export const recordFields = {
  ...memoryFields,
  tag_prefixes: z.array(z.string()).describe('Every level of every tag, in lower case'),
  t_valid: z.string().optional().describe('From when on it is true, ISO 8601 in UTC'),
  t_invalid: z.string().optional().describe('From when on it is no longer true, ISO 8601 in UTC'),
  enriched: z.boolean().describe('Whether enrichment has been through it'),
  archived: z.boolean().describe('Whether it is kept out of what holds now'),
  archived_at: z.string().optional().describe('When it was archived, ISO 8601 in UTC'),
  archived_reason: z.string().optional().describe('Why it was archived, where a program did it'),
  relevance_score: z.number().optional().describe('What decay has left of it, 0-1'),
  embedded_by: z.string().optional().describe('Model that made its vector; absent while it has none'),
};

/** Said of metadata that are too long to be shown in a list. */
export const cutMetadataFields = {
  metadata_truncated: z.literal(true).optional().describe('Keys of the metadata have been left out for their length'),
  metadata_bytes: wholeNumber
    .optional()
    .describe('Length of all the metadata as JSON in UTF-8, when keys were left out'),
};
