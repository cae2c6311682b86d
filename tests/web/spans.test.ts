/** Tests the time spans in which memories were believed, computed from the results of a recall. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecallResult } from '../../src/api/recall-result.js';
import {
  changesOf,
  isBelievedAt,
  periodOf,
  placeIn,
  type TimeSpan,
  toChains,
  toSpan,
} from '../../src/web/timeline/spans.js';

interface Given {
  id?: string;
  at: string;
  t_valid?: string;
  t_invalid?: string;
  archived_at?: string;
  not_current?: RecallResult['not_current'];
  /** Timestamps of the memories that superseded this memory, by id. */
  successors?: Record<string, string>;
}

/** The fields of a result that the timeline reads. */
function result({ id = 'memory', at, successors = {}, not_current, ...bounds }: Given): RecallResult {
  const relations = Object.entries(successors).map(([successorId, timestamp]) => ({
    type: 'INVALIDATED_BY',
    direction: 'outgoing',
    memory: { id: successorId, timestamp },
  }));
  const memory = { id, content: id, type: 'Context', timestamp: at, ...bounds };
  return { id, memory, relations, not_current } as unknown as RecallResult;
}

const ms = (text: string) => Date.parse(text);
const believedOn = (given: Given, day: string) => isBelievedAt(toSpan(result(given)), ms(day));

describe('a memory is believed', () => {
  test('from its timestamp on, and without an end if nothing ends it', () => {
    const given = { at: '2026-03-01' };
    expect(['2026-02-28', '2026-03-01', '2030-01-01'].map(day => believedOn(given, day))).toEqual([false, true, true]);
  });

  test('from t_valid if t_valid is later than its timestamp, otherwise from its timestamp', () => {
    expect(believedOn({ at: '2026-03-01', t_valid: '2026-04-01' }, '2026-03-15')).toBe(false);
    expect(believedOn({ at: '2026-03-01', t_valid: '2026-01-01' }, '2026-02-01')).toBe(false);
  });

  test.each([
    ['it expires', { t_invalid: '2026-05-01' }, 'expired'],
    ['it is archived', { archived_at: '2026-05-01', not_current: 'archived' as const }, 'archived'],
    ['another one replaces it', { successors: { newer: '2026-05-01' } }, 'superseded'],
    [
      'the first of several ends',
      { t_invalid: '2026-06-01', successors: { a: '2026-07-01', b: '2026-05-01' } },
      'superseded',
    ],
  ])('until %s', (_, end, endedBy) => {
    const given = { at: '2026-03-01', ...end };
    expect([believedOn(given, '2026-04-30'), believedOn(given, '2026-05-01')]).toEqual([true, false]);
    expect(toSpan(result(given)).endedBy).toBe(endedBy);
  });

  test('never, if the time of its archiving is unknown or its successor has an earlier timestamp', () => {
    expect(believedOn({ at: '2026-03-01', not_current: 'archived' }, '2026-03-01')).toBe(false);
    expect(believedOn({ at: '2026-03-01', successors: { newer: '2026-02-01' } }, '2026-03-01')).toBe(false);
  });

  test('without an end if its only relation is incoming, or has a type that does not supersede the memory', () => {
    const given = result({ at: '2026-03-01', successors: { newer: '2026-04-01' } });
    const [relation] = given.relations;
    if (relation === undefined) throw new Error('there is one relation');
    for (const change of [{ direction: 'incoming' }, { type: 'CONTRADICTS' }]) {
      const span = toSpan({ ...given, relations: [{ ...relation, ...change }] } as RecallResult);
      expect(span.endMs).toBe(Infinity);
    }
  });
});

describe('chains', () => {
  const span = (id: string, at: string, ...successorIds: string[]): TimeSpan => ({
    id,
    content: id,
    type: 'Context',
    beginMs: ms(at),
    endMs: Infinity,
    successorIds,
  });
  const idsOf = (spans: TimeSpan[]) => toChains(spans).map(chain => chain.spans.map(({ id }) => id));

  test('join memories that replaced each other, oldest first, and are sorted with the latest chain first', () => {
    const spans = [
      span('c', '2026-03-01'),
      span('a', '2026-01-01', 'b'),
      span('x', '2026-02-15'),
      span('b', '2026-02-01', 'c'),
    ];
    expect(idsOf(spans)).toEqual([['a', 'b', 'c'], ['x']]);
  });

  test('join two memories with the same successor, allow cycles, and ignore successors that are not loaded', () => {
    expect(idsOf([span('a', '2026-01-01', 'c'), span('b', '2026-02-01', 'c'), span('c', '2026-03-01')])).toEqual([
      ['a', 'b', 'c'],
    ]);
    expect(idsOf([span('a', '2026-01-01', 'b'), span('b', '2026-02-01', 'a')])).toEqual([['a', 'b']]);
    expect(idsOf([span('a', '2026-01-01', 'elsewhere')])).toEqual([['a']]);
  });

  test('contain every memory exactly once, for random relations', () => {
    const links = fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 40 });
    fc.assert(
      fc.property(links, pairs => {
        const spans = Array.from({ length: 20 }, (_, index) => {
          const successors = pairs.filter(([from]) => from === index).map(([, to]) => String(to));
          return span(String(index), new Date(index * 1000).toISOString(), ...successors);
        });
        expect(idsOf(spans).flat().sort()).toEqual(spans.map(({ id }) => id).sort());
        const chainOf = new Map(toChains(spans).flatMap(chain => chain.spans.map(({ id }) => [id, chain.id])));
        for (const [from, to] of pairs) expect(chainOf.get(String(from))).toBe(chainOf.get(String(to)));
      }),
    );
  });
});

describe('the scale', () => {
  test('reaches from the first change to now, or to the last change if that is later', () => {
    const changes = [ms('2026-01-01'), ms('2026-05-01')];
    expect(periodOf(changes, ms('2026-07-01'))).toEqual({ startMs: changes[0], endMs: ms('2026-07-01') });
    expect(periodOf(changes, ms('2026-03-01')).endMs).toBe(changes[1]);
  });

  test('has a length even if there is only one change or none', () => {
    for (const changes of [[], [5_000]]) {
      const period = periodOf(changes, 5_000);
      expect(placeIn(period, 5_000)).toBe(0);
      expect(placeIn(period, Infinity)).toBe(1);
    }
  });

  test('contains the time of each change once, in order', () => {
    const spans = [
      toSpan(result({ at: '2026-03-01', successors: { newer: '2026-04-01' } })),
      toSpan(result({ at: '2026-04-01' })),
    ];
    expect(changesOf(spans)).toEqual([ms('2026-03-01'), ms('2026-04-01')]);
  });
});
