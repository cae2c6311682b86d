/** What filters look at beside a vector, in numbers, and a filter in the same numbers. */
import type { MemoryFilter, TagFilter } from '../../domain/filter.js';
import { tagDigest, tagKeys, tagPrefixes } from '../../domain/tags.js';
import type { VectorPayload } from '../../domain/vector-payload.js';

/** Beyond every instant that a Date can hold. */
const UNBOUNDED_MS = 9e15;

export interface FilterFields {
  timestampMs: number;
  /** Valid from here, this instant included, to there, that instant excluded. */
  validFromMs: number;
  validToMs: number;
  /** The number of whole tags, their digests, then the digests of all prefixes. */
  tags: Float64Array;
}

export function filterFieldsOf(payload: VectorPayload): FilterFields {
  const { tags, timestampMs, isArchived, validFromMs, validToMs } = payload;
  const whole = tagKeys(tags).map(numberOf);
  const prefixes = tagPrefixes(tags).map(numberOf);
  return {
    timestampMs,
    validFromMs: validFromMs ?? -UNBOUNDED_MS,
    // What is archived is valid at no instant.
    validToMs: isArchived ? -UNBOUNDED_MS : (validToMs ?? UNBOUNDED_MS),
    tags: Float64Array.of(whole.length, ...whole, ...prefixes),
  };
}

/** A MemoryFilter that can be sent to a thread. */
export interface NumericFilter {
  tags?: { digests: Float64Array; mode: 'any' | 'all'; match: 'prefix' | 'exact'; marks: number };
  excluded: Float64Array;
  fromMs: number;
  toMs: number;
  validAtMs?: number;
}

export function numericFilter(filter: MemoryFilter): NumericFilter {
  const { tags, excludedTagKeys = [], fromMs = -UNBOUNDED_MS, toMs = UNBOUNDED_MS, validAtMs } = filter;
  return {
    ...(tags && { tags: numericTags(tags) }),
    excluded: Float64Array.from(excludedTagKeys, numberOf),
    fromMs,
    toMs,
    ...(validAtMs !== undefined && { validAtMs }),
  };
}

function numericTags({ keys, mode, match }: TagFilter): NonNullable<NumericFilter['tags']> {
  const digests = Float64Array.from(keys, numberOf);
  return { digests, mode, match, marks: marksOf(digests) };
}

/** One of 32 bits for each digest: what lacks a bit lacks the tag. */
export function marksOf(digests: Float64Array): number {
  let marks = 0;
  for (const digest of digests) marks |= 1 << (digest % 32);
  return marks;
}

/** Some of a longer array of numbers. */
export interface Range {
  values: Float64Array;
  start: number;
  end: number;
}

/** Whether a memory passes whose tags stand in the range, in the form of `FilterFields`. */
export function passesTags({ values, start, end }: Range, filter: NumericFilter): boolean {
  const firstPrefix = start + 1 + (values[start] ?? 0);
  const has = (digest: number, from: number, to: number) => {
    for (let index = from; index < to; index++) if (values[index] === digest) return true;
    return false;
  };
  for (const digest of filter.excluded) if (has(digest, firstPrefix, end)) return false;
  if (!filter.tags) return true;
  const { digests, mode, match } = filter.tags;
  const [from, to] = match === 'prefix' ? [firstPrefix, end] : [start + 1, firstPrefix];
  for (const digest of digests) {
    if (has(digest, from, to) !== (mode === 'all')) return mode === 'any';
  }
  return mode === 'all';
}

/** Hexadecimal digits that a number holds exactly. */
const EXACT_DIGITS = 13;

function numberOf(key: string): number {
  return Number.parseInt(tagDigest(key).slice(0, EXACT_DIGITS), 16);
}
