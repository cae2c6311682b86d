/** A recall as asked: reading its parameters, from a query string or a tool call alike (decisions D6, D26). */
import { invalidField } from './errors.js';
import type { MemoryFilter } from './filter.js';
import { embedding, type InputLimits, instant, parseFields, readNumber, tagList } from './memory-input.js';
import { tagKeys } from './tags.js';

export const SORT_ORDERS = ['score', 'time_desc', 'time_asc', 'updated_desc', 'updated_asc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export const TAG_MODES = ['any', 'all'] as const;
export const TAG_MATCHES = ['prefix', 'exact'] as const;

export const RELATION_LIMIT_MAX = 200;
const DEFAULT_LIMIT = 5;

export interface RecallQuery {
  /** Absent when nothing, blank or `*` was asked for. */
  query?: string;
  /** Takes the place of the query's own vector. */
  embedding?: number[];
  limit: number;
  /** Absent when the caller left the order to us. */
  sort?: SortOrder;
  tags: string[];
  exclude_tags: string[];
  tag_mode: (typeof TAG_MODES)[number];
  tag_match: (typeof TAG_MATCHES)[number];
  start?: string;
  end?: string;
  /** Most relations attached to one result; absent: the configured number. */
  relation_limit?: number;
}

/** Untrusted parameters by name: text from a query string (arrays where a key repeats) or JSON from a tool call. */
export type RawParameters = Readonly<Record<string, unknown>>;

/**
 * Reads a recall. A `limit` out of range is clamped; anything unreadable is refused.
 *
 * @throws MemoryError `invalid` naming the first bad parameter
 */
export function parseRecallQuery(raw: RawParameters, limits: InputLimits): RecallQuery {
  const sortName = raw.sort === undefined ? 'order_by' : 'sort';
  const text = readText(raw, 'query');
  const { start, end } = readWindow(raw);
  const query: RecallQuery = {
    ...(text !== undefined && text !== '*' && { query: text }),
    limit: readCount(raw, 'limit', { fallback: DEFAULT_LIMIT, max: limits.recallMaxLimit }),
    tags: readList(raw, 'tags'),
    exclude_tags: readList(raw, 'exclude_tags'),
    tag_mode: readChoice(raw, 'tag_mode', TAG_MODES) ?? 'any',
    tag_match: readChoice(raw, 'tag_match', TAG_MATCHES) ?? 'prefix',
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  };
  const sort = readChoice(raw, sortName, SORT_ORDERS);
  if (sort !== undefined) query.sort = sort;
  if (raw.embedding !== undefined) {
    query.embedding = parseFields({ embedding: embedding(limits.vectorSize) }, raw).embedding;
  }
  if (raw.relation_limit !== undefined) {
    query.relation_limit = readCount(raw, 'relation_limit', { fallback: 1, max: RELATION_LIMIT_MAX });
  }
  return query;
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
    limit: readCount(raw, 'limit', { fallback: TAG_PAGE_DEFAULT, max: TAG_PAGE_MAX }),
    offset: readCount(raw, 'offset', { fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER }),
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

function readText(raw: RawParameters, name: string): string | undefined {
  const value = raw[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidField(name, 'must be a string, given once');
  return value.trim() || undefined;
}

function readWindow(raw: RawParameters): { start?: string; end?: string } {
  const given = { start: readText(raw, 'start'), end: readText(raw, 'end') };
  const window = parseFields({ start: instant.optional(), end: instant.optional() }, given);
  if (window.start && window.end && window.end < window.start) throw invalidField('end', 'must not lie before start');
  return { ...(window.start && { start: window.start }), ...(window.end && { end: window.end }) };
}

function readCount(raw: RawParameters, name: string, bounds: { fallback: number; min?: number; max: number }): number {
  const value = raw[name];
  if (value === undefined || value === null || value === '') return bounds.fallback;
  const number = readNumber(value);
  if (number === undefined || !Number.isInteger(number)) throw invalidField(name, 'must be a whole number');
  return Math.min(Math.max(number, bounds.min ?? 1), bounds.max);
}

function readChoice<Choice extends string>(
  raw: RawParameters,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = readText(raw, name)?.toLowerCase();
  if (text === undefined) return undefined;
  const choice = choices.find(candidate => candidate === text);
  if (choice === undefined) throw invalidField(name, `must be one of ${choices.join(', ')}`);
  return choice;
}

/** A comma separates items inside one value too. */
function readList(raw: RawParameters, name: string): string[] {
  const value = raw[name];
  if (value === undefined || value === null) return [];
  const items = Array.isArray(value) ? value : [value];
  const texts = items.flatMap(item => (typeof item === 'string' ? item.split(',') : [item]));
  return parseFields({ [name]: tagList }, { [name]: texts })[name] as string[];
}
