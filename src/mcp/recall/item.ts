/**
 * One result in the structured content. Unless more detail is requested, it has the fields of the specification (table
 * "recall results"), and further fields only where a reader would otherwise take the memory for current or complete.
 */
import { z } from 'zod';
import { type RecallResult, recallResult } from '../../api/recall-result.js';
import type { Excerpt } from './excerpt.js';

/** A result, and the excerpt of its memory that is shown. */
export interface Shown {
  result: RecallResult;
  excerpt: Excerpt;
}

/**
 * The fields of a result that programs get. `brief`: without scores and relations, for answers that would otherwise
 * exceed `max_tokens`. `table`: the fields of the specification. `full`: all fields.
 */
export type Detail = 'brief' | 'table' | 'full';

export const itemOutput = z.looseObject({
  memory: z.looseObject({
    memory_id: z.string(),
    content: z.string().optional(),
    tags: z.array(z.string()),
    importance: z.number(),
    created_at: z.string(),
  }),
  final_score: z.number(),
  match_type: z.enum([...recallResult.shape.match_type.options, 'direct']),
  score_components: z.record(z.string(), z.number()).optional(),
  relations: z.array(z.looseObject({ type: z.string(), direction: z.string(), memory_id: z.string() })).optional(),
  expanded_from_entity: z.string().optional(),
  deduped_from: z.array(z.string()).optional(),
});

type Item = z.infer<typeof itemOutput>;

const SCORE_DECIMALS = 1e3;

export function toItem({ result, excerpt }: Shown, detail: Detail): Item {
  if (detail === 'full') return inFull({ result, excerpt });
  const { memory, match_type, final_score, score_components, relations } = result;
  const { memory_id, tags, importance, created_at } = memory;
  return {
    memory: { memory_id, ...excerpt, tags, importance, created_at },
    final_score: rounded(final_score),
    match_type,
    ...(detail === 'table' && {
      score_components: withoutZeros(score_components),
      relations: relations.map(({ type, direction, memory: other }) => ({ type, direction, memory_id: other.id })),
    }),
    ...given({ expanded_from_entity: result.expanded_from_entity, deduped_from: result.deduped_from }),
    ...given({ superseded_by: result.superseded_by, not_current: result.not_current }),
    ...given({ maybe_outdated_by: result.maybe_outdated_by, outside_tag_scope: result.outside_tag_scope }),
  };
}

function inFull({ result, excerpt }: Shown): Item {
  const { content: _whole, ...memory } = result.memory;
  return { ...result, memory: { ...memory, ...excerpt }, relations: withIds(result.relations) };
}

/** Adds the id of the other memory under the name that it has without full detail. */
export function withIds(relations: RecallResult['relations']) {
  return relations.map(relation => ({ ...relation, memory_id: relation.memory.id }));
}

function rounded(score: number): number {
  return Math.round(score * SCORE_DECIMALS) / SCORE_DECIMALS;
}

function withoutZeros(components: RecallResult['score_components']): Record<string, number> {
  const all = Object.entries(components).map(([name, value]) => [name, rounded(value)] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== 0));
}

/** The entity, or the relation and its source memory, that led to a result. */
export function expandedFrom({ expanded_from_entity: entity, from }: RecallResult): string | undefined {
  return entity ?? (from && `${from.type} of ${from.id}`);
}

function given<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields & object;
}
