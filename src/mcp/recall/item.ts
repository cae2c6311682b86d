/**
 * One memory in the structured content, which programs and many models read. Unless more detail is requested, it has
 * only the fields that are needed to use the memory, and each field only once.
 */
import { z } from 'zod';
import { memoryFields } from '../../api/answers/memory-fields.js';
import { type RecallResult, recallResult } from '../../api/answers/result.js';
import type { Excerpt } from './excerpt.js';

/** A result, and the excerpt of its memory that is shown. */
export interface Shown {
  result: RecallResult;
  excerpt: Excerpt;
}

/**
 * The fields of a result that programs get. `lean`: the necessary fields. `labelled`: also the fields of the format
 * `detailed`. `full`: all fields.
 */
export type Detail = 'lean' | 'labelled' | 'full';

const { state_replaces, superseded_by, not_current, outside_tag_scope } = recallResult.shape;
/** Described briefly, because the schema is part of every conversation. */
const maybe_outdated_by = z
  .record(z.string(), z.string())
  .optional()
  .describe('Newer memory that may replace this: memory_id, content, timestamp');

export const itemOutput = z
  .object({
    memory_id: memoryFields.id,
    content: memoryFields.content.optional(),
    summary: memoryFields.summary,
    content_truncated: z.literal(true).optional().describe('content is only the beginning'),
    content_chars: z.int().optional().describe('Length of the whole content, in characters'),
    type: memoryFields.type,
    tags: memoryFields.tags,
    importance: memoryFields.importance,
    timestamp: memoryFields.timestamp,
    score: z.number(),
    match_type: z.enum([...recallResult.shape.match_type.options, 'direct']),
    state_replaces,
    superseded_by,
    not_current,
    maybe_outdated_by,
    outside_tag_scope,
    expanded_from: z
      .string()
      .optional()
      .describe('The entity, or the relation and the result id, that led to this result'),
    deduped: z.int().optional().describe('Number of left-out memories with the same text and tags'),
    related: z.int().optional().describe('Number of relations'),
  })
  .loose();

type Item = z.infer<typeof itemOutput>;

const SCORE_DECIMALS = 1e3;

export function toItem({ result, excerpt }: Shown, detail: Detail): Item {
  const { memory, relations, deduped_from: duplicates } = result;
  const led = expandedFrom(result);
  return {
    memory_id: memory.memory_id,
    ...excerpt,
    type: memory.type,
    tags: memory.tags,
    importance: memory.importance,
    timestamp: memory.timestamp,
    score: Math.round(result.final_score * SCORE_DECIMALS) / SCORE_DECIMALS,
    match_type: result.match_type,
    ...given({ state_replaces: result.state_replaces, superseded_by: result.superseded_by }),
    ...given({ not_current: result.not_current, maybe_outdated_by: result.maybe_outdated_by }),
    ...given({ outside_tag_scope: result.outside_tag_scope }),
    ...(led !== undefined && { expanded_from: led }),
    ...(duplicates && { deduped: duplicates.length }),
    ...(relations.length > 0 && { related: relations.length }),
    ...further(result, detail),
  };
}

/** The entity, or the relation and its source memory, that led to a result. */
export function expandedFrom({ expanded_from_entity: entity, from }: RecallResult): string | undefined {
  return entity ?? (from && `${from.type} of ${from.id}`);
}

function further({ memory, ...result }: RecallResult, detail: Detail): Record<string, unknown> {
  const { memory_id: _id, id: _same, created_at: _timestamp, content: _content, ...fields } = memory;
  const { updated_at, last_accessed, confidence } = fields;
  if (detail === 'lean') return {};
  if (detail === 'labelled') return { updated_at, last_accessed, confidence };
  const { id: _again, final_score: _score, score: _rounded, ...rest } = result;
  return { ...fields, ...rest };
}

function given<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields & object;
}
