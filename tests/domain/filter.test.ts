/** `passesFilter` and the stores are two readings of one filter: they must never differ. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isValidAt, type MemoryFilter, passesFilter } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';
import { tagKeys } from '../../src/domain/tags.js';
import { MS_PER_DAY, toIso } from '../../src/domain/time.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { memory, NOON } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Few enough that tags, prefixes and instants of memories and filters often meet. */
const anyTag = fc.constantFrom('a', 'A:b', 'a/b:c', 'ab', 'b', 'B/', ':', 'c:a', 'ü:Ü', "o'clock");
const anyDay = fc.integer({ min: -2, max: 2 }).map(days => NOON + days * MS_PER_DAY);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

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
        keys: fc.array(anyTag, { minLength: 1, maxLength: 3 }).map(tagKeys),
        mode: fc.constantFrom('any' as const, 'all' as const),
        match: fc.constantFrom('prefix' as const, 'exact' as const),
      }),
    ),
    excludedTagKeys: maybe(fc.array(anyTag, { minLength: 1, maxLength: 2 }).map(tagKeys)),
    fromMs: maybe(anyDay),
    toMs: maybe(anyDay),
    validAtMs: maybe(anyDay),
  })
  .map(filter => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)));

function toMemory(number: number, shape: typeof anyMemory extends fc.Arbitrary<infer Shape> ? Shape : never): Memory {
  const made = memory(number, { tags: shape.tags, timestamp: toIso(shape.timestampMs) });
  return {
    ...made,
    archived: shape.archived,
    ...(shape.validFromMs !== undefined && { t_valid: toIso(shape.validFromMs) }),
    ...(shape.validToMs !== undefined && { t_invalid: toIso(shape.validToMs) }),
  };
}

describe('the embedded graph and passesFilter', () => {
  const folder = temporaryFolder();
  let store: GraphStore;
  let memories: Memory[];

  beforeAll(async () => {
    store = openSqliteStore(folder.path);
    memories = fc.sample(anyMemory, { numRuns: 300, seed: 1 }).map((shape, index) => toMemory(index + 1, shape));
    await store.saveMemories(memories.map(each => ({ memory: each, work: [] })));
  });
  afterAll(async () => {
    await store.close();
    folder.remove();
  });

  test('leave the same memories in a list and in a text search', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter, async filter => {
        const expected = memories.filter(each => passesFilter(each, filter)).map(({ id }) => id);
        const listed = await store.list({ filter, order: 'importance', limit: 1000 });
        expect(listed.sort()).toEqual(expected);
        const { hits } = await store.searchText({ terms: ['memori'], filter, limit: 1000 });
        expect(hits.map(({ id }) => id).sort()).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a memory holds at an instant', () => {
  const at = (instant: string, bounds: Partial<Memory>) =>
    isValidAt({ archived: false, ...bounds }, Date.parse(instant));
  test.each<[string, boolean, Partial<Memory>]>([
    ['always without bounds', true, {}],
    ['from the first instant of its validity', true, { t_valid: '2026-03-01T12:00:00.000Z' }],
    ['not before that', false, { t_valid: '2026-03-01T12:00:00.001Z' }],
    ['no more at the end of its validity', false, { t_invalid: '2026-03-01T12:00:00.000Z' }],
    ['up to that', true, { t_invalid: '2026-03-01T12:00:00.001Z' }],
    ['never once archived', false, { archived: true }],
  ])('%s', (_, expected, bounds) => {
    expect(at('2026-03-01T12:00:00.000Z', bounds)).toBe(expected);
  });
});
