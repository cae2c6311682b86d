/** Compares the filter of a store with `passesFilter`. Both implement the same rules and must always agree. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type MemoryFilter, passesFilter } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';
import { tagKeys } from '../../src/domain/tags.js';
import { MS_PER_DAY, toIso } from '../../src/domain/time.js';
import { memory, NOON } from '../support/records.js';

/** Only few different values occur, so that tags, prefixes and instants of memories and filters often match. */
const anyTag = fc.constantFrom('a', 'A:b', 'a/b:c', 'ab', 'b', 'B/', ':', 'c:a', 'ü:Ü', "o'clock");
const anyDay = fc.integer({ min: -2, max: 2 }).map(days => NOON + days * MS_PER_DAY);
/** Instants of a filter, which may lie between two milliseconds. */
const anyInstant = fc.tuple(anyDay, fc.constantFrom(0, 0.5, -0.5)).map(([dayMs, shiftMs]) => dayMs + shiftMs);
/**
 * Makes a value absent in half of the cases, so that conditions often occur alone. A store may handle a single
 * condition differently from several conditions.
 */
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });

const anyMemory = fc.record({
  tags: fc.array(anyTag, { maxLength: 3 }),
  timestampMs: anyDay,
  archived: fc.boolean(),
  validFromMs: maybe(anyDay),
  validToMs: maybe(anyDay),
});

const anyFilter: fc.Arbitrary<MemoryFilter> = fc
  .record({
    tags: maybe(
      fc.record({
        keys: fc.array(anyTag, { maxLength: 3 }).map(tagKeys),
        mode: fc.constantFrom('any' as const, 'all' as const),
        match: fc.constantFrom('prefix' as const, 'exact' as const),
      }),
    ),
    excludedTagKeys: maybe(fc.array(anyTag, { maxLength: 2 }).map(tagKeys)),
    fromMs: maybe(anyInstant),
    toMs: maybe(anyInstant),
    validAtMs: maybe(anyInstant),
  })
  .map(filter => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)));

const MEMORY_COUNT = 300;

/** Random memories. They are the same in every run because the seed is fixed. */
export const FILTERED_MEMORIES: readonly Memory[] = fc
  .sample(anyMemory, { numRuns: MEMORY_COUNT, seed: 1 })
  .map(({ tags, timestampMs, archived, validFromMs, validToMs }, index) => ({
    ...memory(index + 1, { tags, timestamp: toIso(timestampMs) }),
    archived,
    ...(validFromMs !== undefined && { t_valid: toIso(validFromMs) }),
    ...(validToMs !== undefined && { t_invalid: toIso(validToMs) }),
  }));

export interface FilterReader {
  /** Returns the ids of the `FILTERED_MEMORIES` that pass, in any order. The store must contain all of them. */
  read(filter: MemoryFilter): Promise<string[]>;
  /** Number of filters to try. */
  runs: number;
}

export async function expectAgreement({ read, runs }: FilterReader): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyFilter, async filter => {
      const expected = FILTERED_MEMORIES.filter(each => passesFilter(each, filter)).map(({ id }) => id);
      expect((await read(filter)).sort()).toEqual(expected);
    }),
    { numRuns: runs },
  );
}
