/** The parameters of `recall_memory`, and which of its three branches a call takes. */
import { z } from 'zod';
import { MemoryError } from '../domain/errors.js';
import { MEMORY_TYPES } from '../domain/memory-type.js';
import {
  EXPANSION_LIMIT_MAX,
  MAX_TOKENS_MAX,
  QUERIES_MAX,
  RECENCY_BIASES,
  RELATION_LIMIT_MAX,
  SORT_ORDERS,
  STATE_MODES,
  TAG_MATCHES,
  TAG_MODES,
  TAG_PAGE_MAX,
} from '../domain/recall-query.js';
import { amount, embedding, memoryId, optionally, tagList, unitNumber, wholeNumber } from './input-fields.js';

/** Parameters that only ranked recall understands: a listing by tag refuses every one of them. */
const rankedFields = {
  query: optionally(z.string()).describe('What you want to know, in plain words; "*" or nothing: the most important'),
  embedding: optionally(embedding),
  exclude_tags: optionally(tagList).describe('Leave out memories with any of these tags, or with tags below them'),
  start: optionally(z.string()).describe('Earliest creation time, ISO 8601'),
  end: optionally(z.string()).describe('Latest creation time, ISO 8601'),
  sort: optionally(z.enum(SORT_ORDERS)).describe('score by default; with start or end and no query time_desc'),
  order_by: optionally(z.enum(SORT_ORDERS)).describe('The same as sort'),
  queries: optionally(z.array(z.string()).max(QUERIES_MAX)).describe('Further questions, asked at once and merged'),
  per_query_limit: optionally(wholeNumber(1, TAG_PAGE_MAX)).describe('Most results of each of several queries'),
  auto_decompose: optionally(z.boolean()).describe('Also search for the names and subjects in the query'),
  time_query: optionally(z.string()).describe(
    'When it was created, in words: "last 7 days", "yesterday", "in May 2024"',
  ),
  context: optionally(z.string()).describe('What you are working on; raises what fits, filters nothing'),
  language: optionally(z.string()).describe('Programming language in use; raises what fits'),
  active_path: optionally(z.string()).describe('File being edited; raises style memories for its language'),
  context_tags: optionally(tagList).describe('Tags to raise'),
  context_types: optionally(z.array(z.enum(MEMORY_TYPES))).describe('Memory types to raise'),
  priority_ids: optionally(z.array(z.string())).describe(
    'Ids of memories to raise to the top, if they pass the filters',
  ),
  expand_relations: optionally(z.boolean()).describe('Add memories that relations of the results lead to'),
  expand_entities: optionally(z.boolean()).describe('Add memories about the same people and things, two hops'),
  relation_limit: optionally(wholeNumber(1, RELATION_LIMIT_MAX)).describe('Most relations attached and followed'),
  expansion_limit: optionally(wholeNumber(1, EXPANSION_LIMIT_MAX)).describe('Most memories that expansion adds'),
  expand_min_importance: optionally(unitNumber).describe('Least importance of what expansion adds, 0-1'),
  expand_min_strength: optionally(unitNumber).describe('Least strength of relations that are followed, 0-1'),
  expand_respect_tags: optionally(z.boolean()).describe('Expansion stays within the tags'),
  state_mode: optionally(z.enum(STATE_MODES)).describe(
    'current (by default) hides what no longer holds; history shows it',
  ),
  current_only: optionally(z.boolean()).describe('true is state_mode current, false is history'),
  state_debug: optionally(z.boolean()).describe('List what was hidden or replaced'),
  min_score: optionally(amount).describe('Leave out results below this score'),
  adaptive_floor: optionally(z.boolean()).describe('Leave out what comes after a wide gap in the scores'),
  recency_bias: optionally(z.enum(RECENCY_BIASES)).describe('Raise newer memories: on, off, or auto by the words'),
  scope_fallback: optionally(z.boolean()).describe('Fill up with memories outside the tags when too few are inside'),
  explain: optionally(z.boolean()).describe('Say for each result how its score came about'),
  max_tokens: optionally(wholeNumber(1, MAX_TOKENS_MAX)).describe(
    'About how long the answer may be; best results first',
  ),
};

const RANKED_ONLY = Object.keys(rankedFields) as (keyof typeof rankedFields)[];

export const recallInput = z.strictObject({
  ...rankedFields,
  tags: optionally(tagList).describe('Only memories with these tags; a tag includes the tags below it'),
  tag_mode: optionally(z.enum(TAG_MODES)).describe('any (by default) or all of the tags'),
  tag_match: optionally(z.enum(TAG_MATCHES)).describe('prefix (by default) includes tags below; exact does not'),
  limit: optionally(wholeNumber(1, TAG_PAGE_MAX)).describe('Most memories to return: 5 by default, 20 with exhaustive'),
  memory_id: optionally(memoryId).describe('Fetch this one memory in full; everything else is ignored'),
  exhaustive: optionally(z.boolean()).describe(
    'true: list every memory that has any of the tags exactly, most important first, without ranking; needs tags',
  ),
  offset: optionally(wholeNumber(0, Number.MAX_SAFE_INTEGER)).describe('With exhaustive: memories to skip'),
});

export type RecallInput = z.output<typeof recallInput>;

/**
 * Refuses a listing by tag that also asks for ranking: it would have to ignore what was asked.
 *
 * @throws MemoryError `invalid` naming every such parameter
 */
export function refuseRankedParameters(args: RecallInput): void {
  const given: string[] = RANKED_ONLY.filter(name => isStated(args[name]));
  if (args.tag_match === 'prefix') given.push("tag_match 'prefix'");
  if (args.tag_mode === 'all') given.push("tag_mode 'all'");
  if (given.length === 0) return;
  throw new MemoryError('invalid', `exhaustive cannot be combined with ${given.join(', ')}`, {
    field: given[0]?.split(' ')[0] ?? 'exhaustive',
    hint: 'It lists every memory with exactly these tags. Leave those out, or leave out exhaustive to rank.',
  });
}

/**
 * Refuses paging in a ranked recall, which would return the first page again and again.
 *
 * @throws MemoryError `invalid`
 */
export function refuseOffset({ offset = 0 }: RecallInput): void {
  if (offset === 0) return;
  throw new MemoryError('invalid', "'offset' needs exhaustive: true", {
    field: 'offset',
    hint: 'Ranked recall has one page: raise limit, or list by tags with exhaustive: true.',
  });
}

/** Blank text and empty lists ask for nothing. */
function isStated(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}
