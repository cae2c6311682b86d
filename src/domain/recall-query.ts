/** A recall as asked: reading its parameters, from a query string or a tool call alike (decisions D6, D22-D26). */
import { countProblem, joinedLengthProblem, lengthProblem } from './bounds.js';
import { invalidField } from './errors.js';
import type { MemoryFilter } from './filter.js';
import { embedding, type InputLimits, parseFields } from './memory-input.js';
import type { MemoryType } from './memory-type.js';
import {
  givenName,
  type RawParameters,
  readAmount,
  readChoice,
  readCount,
  readFlag,
  readIds,
  readInstant,
  readList,
  readText,
  readTypes,
  readUnitNumber,
} from './raw-parameters.js';
import { tagKeys } from './tags.js';
import { beginningOf } from './text.js';

export type { RawParameters } from './raw-parameters.js';

export const SORT_ORDERS = ['score', 'time_desc', 'time_asc', 'updated_desc', 'updated_asc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export const TAG_MODES = ['any', 'all'] as const;
export const TAG_MATCHES = ['prefix', 'exact'] as const;
export const STATE_MODES = ['current', 'history'] as const;
export const RECENCY_BIASES = ['auto', 'on', 'off'] as const;
export type RecencyBias = (typeof RECENCY_BIASES)[number];

export const RELATION_LIMIT_MAX = 200;
export const EXPANSION_LIMIT_MAX = 500;
export const MAX_TOKENS_MAX = 1_000_000;
/** Queries that one request may ask. */
export const QUERIES_MAX = 20;
const DEFAULT_LIMIT = 5;
/** Longer questions are pasted texts: what follows is not read. In characters, as are the others. */
export const QUESTION_MAX_LENGTH = 2_000;
export const TIME_QUERY_MAX_LENGTH = 200;
const LANGUAGE_MAX_LENGTH = 100;
/** The longest path that operating systems know. */
const PATH_MAX_LENGTH = 4_096;

/** What absent fields mean is configuration's or recall's to say. */
export interface RecallQuery {
  /** Absent when nothing, blank or `*` was asked for. */
  query?: string;
  /** Further queries, asked at once and merged. */
  queries?: string[];
  /** Takes the place of the vector of `query`. */
  embedding?: number[];
  limit: number;
  /** Most results that each of several queries contributes. */
  per_query_limit?: number;
  /** Absent when the caller left the order to us. */
  sort?: SortOrder;
  tags: string[];
  exclude_tags: string[];
  tag_mode: (typeof TAG_MODES)[number];
  tag_match: (typeof TAG_MATCHES)[number];
  /** A time expression in words; explicit bounds win, each on its side. */
  time_query?: string;
  start?: string;
  end?: string;
  hints?: ContextHints;
  auto_decompose?: boolean;
  expansion?: ExpansionRequest;
  /** Most relations attached to one result, and most followed from one seed. */
  relation_limit?: number;
  state_mode?: (typeof STATE_MODES)[number];
  state_debug?: boolean;
  min_score?: number;
  adaptive_floor?: boolean;
  recency_bias?: RecencyBias;
  scope_fallback?: boolean;
  explain?: boolean;
  /** About how long the text of the answer may be. */
  max_tokens?: number;
}

/** What the caller is busy with. It changes scores and never filters (decisions D25). */
export interface ContextHints {
  context?: string;
  language?: string;
  active_path?: string;
  context_tags: string[];
  context_types: MemoryType[];
  priority_ids: string[];
}

/** How results lead to further memories (decisions D24). */
export interface ExpansionRequest {
  relations: boolean;
  entities: boolean;
  limit?: number;
  minImportance: number;
  minStrength: number;
  /** Whether the tag filter holds for what relations lead to. */
  respectTags: boolean;
}

/**
 * Reads a recall. A limit out of range is clamped; anything unreadable is refused.
 *
 * @throws MemoryError `invalid` naming the first bad parameter
 */
export function parseRecallQuery(raw: RawParameters, limits: InputLimits): RecallQuery {
  const query: RecallQuery = {
    ...readQuestion(raw, limits),
    limit: readCount(raw, 'limit', { max: limits.recallMaxLimit }) ?? DEFAULT_LIMIT,
    tags: readList(raw, 'tags'),
    exclude_tags: readList(raw, 'exclude_tags'),
    tag_mode: readChoice(raw, 'tag_mode', TAG_MODES) ?? 'any',
    tag_match: readChoice(raw, 'tag_match', TAG_MATCHES) ?? 'prefix',
    ...readWindow(raw),
  };
  return withoutAbsent({
    ...query,
    per_query_limit: readCount(raw, 'per_query_limit', { max: limits.recallMaxLimit }),
    sort: readChoice(raw, givenName(raw, 'sort', 'order_by'), SORT_ORDERS),
    hints: readHints(raw, limits),
    auto_decompose: readFlag(raw, 'auto_decompose'),
    expansion: readExpansion(raw),
    relation_limit: readCount(raw, 'relation_limit', { max: RELATION_LIMIT_MAX }),
    state_mode: readStateMode(raw),
    state_debug: readFlag(raw, 'state_debug'),
    min_score: readAmount(raw, 'min_score'),
    adaptive_floor: readFlag(raw, 'adaptive_floor'),
    recency_bias: readChoice(raw, 'recency_bias', RECENCY_BIASES),
    scope_fallback: readFlag(raw, 'scope_fallback'),
    explain: readFlag(raw, 'explain'),
    max_tokens: readCount(raw, 'max_tokens', { max: MAX_TOKENS_MAX }),
  });
}

/** A page of `GET /memory/by-tag`. */
export interface TagPage {
  tags: string[];
  limit: number;
  offset: number;
}

export const TAG_PAGE_MAX = 200;
const TAG_PAGE_DEFAULT = 20;

/** @throws MemoryError `invalid` naming the first bad parameter; `tags` is required */
export function parseTagPage(raw: RawParameters): TagPage {
  return {
    tags: parseRequiredTags(raw),
    limit: readCount(raw, 'limit', { max: TAG_PAGE_MAX }) ?? TAG_PAGE_DEFAULT,
    offset: readCount(raw, 'offset', { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 0,
  };
}

/** @throws MemoryError `invalid` when no tag is given */
export function parseRequiredTags(raw: RawParameters): string[] {
  const tags = readList(raw, 'tags');
  if (tags.length === 0) throw invalidField('tags', 'is required: name at least one tag');
  return tags;
}

/** The part of a recall that decides what may be returned, as the stores evaluate it. */
export function filterOf(query: RecallQuery): MemoryFilter {
  const { tags, exclude_tags: excluded, start, end } = query;
  return {
    ...(tags.length > 0 && { tags: { keys: tagKeys(tags), mode: query.tag_mode, match: query.tag_match } }),
    ...(excluded.length > 0 && { excludedTagKeys: tagKeys(excluded) }),
    ...(start !== undefined && { fromMs: Date.parse(start) }),
    ...(end !== undefined && { toMs: Date.parse(end) }),
  };
}

function readQuestion(raw: RawParameters, limits: InputLimits): Pick<RecallQuery, 'query' | 'queries' | 'embedding'> {
  const text = readQuestionText(raw, 'query', limits);
  const queries = readQueries(raw, limits.recallTextMaxLength);
  return withoutAbsent({
    query: text === '*' ? undefined : text,
    queries: queries.length > 0 ? queries : undefined,
    embedding:
      raw.embedding === undefined || raw.embedding === null
        ? undefined
        : parseFields({ embedding: embedding(limits.vectorSize) }, raw).embedding,
  });
}

/** The one place where questions are cut, so that whatever is made of one is made of the same text. */
function questionOf(text: string): string {
  return beginningOf(text.trim(), QUESTION_MAX_LENGTH).trimEnd();
}

function readQuestionText(raw: RawParameters, name: string, limits: InputLimits): string | undefined {
  const text = readText(raw, name, limits.recallTextMaxLength);
  return text === undefined ? undefined : questionOf(text);
}

/** A comma separates queries only where there is one value: between several it is part of the sentence. */
function readQueries(raw: RawParameters, maxLength: number): string[] {
  const value = raw.queries;
  if (value === undefined || value === null) return [];
  const excess =
    typeof value === 'string'
      ? joinedLengthProblem(value, { maxCount: QUERIES_MAX, maxLength })
      : Array.isArray(value) && countProblem(value, QUERIES_MAX);
  if (excess) throw invalidField('queries', excess);
  const items: unknown = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(items) || !items.every(item => typeof item === 'string')) {
    throw invalidField('queries', 'must be an array of strings');
  }
  const queries = [...new Set(items.map(questionOf).filter(item => item !== '' && item !== '*'))];
  const [problem] = [
    countProblem(queries, QUERIES_MAX),
    ...items.map(query => lengthProblem(query.trim(), maxLength)),
  ].filter(found => found !== undefined);
  if (problem !== undefined) throw invalidField('queries', problem);
  return queries;
}

function readWindow(raw: RawParameters): Pick<RecallQuery, 'time_query' | 'start' | 'end'> {
  const start = readInstant(raw, 'start');
  const end = readInstant(raw, 'end');
  if (start && end && end < start) throw invalidField('end', 'must not lie before start');
  const time_query = readText(raw, givenName(raw, 'time_query', 'time'), TIME_QUERY_MAX_LENGTH);
  return withoutAbsent({ time_query, start, end });
}

function readHints(raw: RawParameters, limits: InputLimits): ContextHints | undefined {
  const hints: ContextHints = {
    ...withoutAbsent({
      context: readQuestionText(raw, 'context', limits),
      language: readText(raw, givenName(raw, 'language', 'lang'), LANGUAGE_MAX_LENGTH),
      active_path: readText(raw, givenName(raw, 'active_path', 'file_path', 'focus_path'), PATH_MAX_LENGTH),
    }),
    context_tags: readList(raw, 'context_tags'),
    context_types: readTypes(raw, 'context_types'),
    priority_ids: readIds(raw, 'priority_ids'),
  };
  return Object.values(hints).some(hint => hint.length > 0) ? hints : undefined;
}

function readExpansion(raw: RawParameters): ExpansionRequest | undefined {
  const relations = readFlag(raw, givenName(raw, 'expand_relations', 'expand_associations', 'expand')) ?? false;
  const entities = readFlag(raw, givenName(raw, 'expand_entities', 'entity_expansion')) ?? false;
  const limitName = givenName(raw, 'expansion_limit', 'relation_expansion_limit');
  const request = withoutAbsent({
    relations,
    entities,
    limit: readCount(raw, limitName, { max: EXPANSION_LIMIT_MAX }),
    minImportance: readUnitNumber(raw, 'expand_min_importance') ?? 0,
    minStrength: readUnitNumber(raw, 'expand_min_strength') ?? 0,
    respectTags: readFlag(raw, 'expand_respect_tags') ?? false,
  });
  return relations || entities ? request : undefined;
}

/** `current_only` is AutoMem's older name for the choice, and wins. */
function readStateMode(raw: RawParameters): RecallQuery['state_mode'] {
  const mode = readChoice(raw, 'state_mode', STATE_MODES);
  const currentOnly = readFlag(raw, 'current_only');
  if (currentOnly === undefined) return mode;
  return currentOnly ? 'current' : 'history';
}

type Absent<Fields> = { [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Fields[Key] } & {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
};

/** Leaves out the fields that have no value. */
function withoutAbsent<Fields extends object>(fields: Fields): Absent<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Absent<Fields>;
}
