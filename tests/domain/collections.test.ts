/** The bounded cache keeps recently used values and never exceeds its bound. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecent } from '../../src/domain/collections.js';

const MAX = 20;
const sizeOf = (value: string) => value.length;

test('recent: values in use are kept, and unused values are dropped', () => {
  const recent = createRecent(MAX, sizeOf);
  recent.set('wanted', 'aa');
  recent.set('forgotten', 'bb');
  for (let index = 0; index < 100; index++) {
    recent.set(`other ${index}`, 'cc');
    expect(recent.get('wanted')).toBe('aa');
  }
  expect(recent.get('forgotten')).toBeUndefined();
});

test('recent: a replaced or deleted value is never returned again', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const step = fc.oneof(
    fc.record({ do: fc.constant('set' as const), key, value: fc.string({ minLength: 1, maxLength: MAX / 2 }) }),
    fc.record({ do: fc.constantFrom('get' as const, 'delete' as const), key }),
    fc.record({ do: fc.constant('clear' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const recent = createRecent(MAX, sizeOf);
      const truth = new Map<string, string>();
      for (const each of steps) {
        if (each.do === 'set') {
          recent.set(each.key, each.value);
          truth.set(each.key, each.value);
          expect(recent.get(each.key)).toBe(each.value);
        } else if (each.do === 'get') {
          expect([undefined, truth.get(each.key)]).toContain(recent.get(each.key));
        } else if (each.do === 'delete') {
          recent.delete(each.key);
          truth.delete(each.key);
          expect(recent.get(each.key)).toBeUndefined();
        } else {
          recent.clear();
          truth.clear();
        }
      }
    }),
  );
});

test('recent: no value is dropped while all values fill at most four fifths of the bound', () => {
  const recent = createRecent(MAX, sizeOf);
  const keys = Array.from({ length: 8 }, (_, index) => `key ${index}`);
  for (let round = 0; round < 100; round++) {
    for (const key of keys) if (recent.get(key) === undefined) recent.set(key, round === 0 ? 'aa' : 'anew');
  }
  expect(keys.map(key => recent.get(key))).toEqual(keys.map(() => 'aa'));
});

test('recent: a value that is larger than the bound is not kept, and drops no other', () => {
  const recent = createRecent(MAX, sizeOf);
  recent.set('small', 'a');
  recent.set('large', 'b'.repeat(MAX + 1));
  expect([recent.get('small'), recent.get('large')]).toEqual(['a', undefined]);
});

test('recent: the cache still works after the size of a value has changed', () => {
  const recent = createRecent<{ size: number }>(MAX, ({ size }) => size);
  const values = Array.from({ length: 200 }, (_, index) => ({ size: 1 + (index % 5) }));
  for (const [index, value] of values.entries()) {
    recent.set(`key ${index}`, value);
    value.size = 1;
    expect(recent.get(`key ${index}`)).toBe(value);
  }
});

test('recent: the cache stays within its bound', () => {
  const recent = createRecent(MAX, sizeOf);
  const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
  for (const key of keys) recent.set(key, 'abc');
  const held = keys.filter(key => recent.get(key) !== undefined);
  expect(held.length).toBeGreaterThan(2);
  expect(held.length * 3).toBeLessThanOrEqual(MAX);
});
