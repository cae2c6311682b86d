/** Fields of a memory in requests: lenient in form, strict in meaning (docs/decisions.md, "Fields of a memory"). */
import { describe, expect, test } from 'vitest';
import { memoryId } from '../../src/api/fields.js';
import { readField } from '../../src/api/input.js';
import { newMemory, readMemoryPatch, readNewMemory } from '../../src/api/memory-requests.js';
import { MemoryError } from '../../src/domain/errors.js';
import { readNumber } from '../../src/domain/input.js';
import { testLimits } from '../support/test-limits.js';

const LIMITS = testLimits({ contentMaxLength: 20 });
const ID = '0190a6e4-8c5b-7def-8abc-0123456789AB';

function read(fields: Record<string, unknown>) {
  return readNewMemory({ content: 'x', ...fields }, LIMITS);
}

function failureOf(action: () => unknown): MemoryError {
  try {
    action();
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < levels; level++) value = { value };
  return value;
}

function keysOf(count: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
}

describe('valid values are accepted', () => {
  test.each<[string, unknown, unknown]>([
    ['content', '  trimmed \n', 'trimmed'],
    ['content', '🧠'.repeat(20), '🧠'.repeat(20)],
    ['content', '\u200b', '\u200b'],
    ['type', 'Decision', 'Decision'],
    ['type', ' hABIT ', 'Habit'],
    ['type', null, undefined],
    ['confidence', 0, 0],
    ['confidence', '0.25', 0.25],
    ['confidence', ' 1e-3 ', 0.001],
    ['importance', 1, 1],
    ['importance', '+.5', 0.5],
    ['importance', null, undefined],
    ['importance', undefined, undefined],
    ['tags', 'a, b,,A', ['a', 'b']],
    ['tags', ['a,b', ' c ', ''], ['a,b', 'c']],
    ['tags', '["a", "b,c"]', ['a', 'b,c']],
    ['tags', ['["a","b"]'], ['a', 'b']],
    ['tags', ' ["[\\"a\\"]"] ', ['a']],
    ['tags', '[draft] x', ['[draft] x']],
    ['tags', '[draft], {x}, [', ['[draft]', '{x}', '[']],
    ['tags', ['[1]'], ['[1]']],
    ['tags', ['["a"]', ''], ['["a"]']],
    ['tags', ['two\nlines'], ['two\nlines']],
    ['tags', ['🧠'.repeat(256), Array(16).fill('l').join('/')], ['🧠'.repeat(256), Array(16).fill('l').join('/')]],
    ['metadata', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
    ['metadata', keysOf(1000), keysOf(1000)],
    ['metadata', { a: 'é'.repeat(32_764) }, { a: 'é'.repeat(32_764) }],
    ['metadata', undefined, {}],
    ['metadata', '{"a": {"b": 1}}', { a: { b: 1 } }],
    ['metadata', { n: [1.0, 1e2, -0, 0.1, 2 ** 53 - 1], s: '\0' }, { n: [1, 100, -0, 0.1, 2 ** 53 - 1], s: '\0' }],
    ['embedding', [1, 0, -2.5, 1e-30], [1, 0, -2.5, 1e-30]],
    ['embedding', '1,0, -2.5 ,1e-30', [1, 0, -2.5, 1e-30]],
    ['embedding', ['1', 0, 0, 0], [1, 0, 0, 0]],
    ['embedding', '[1, 0, -2.5, 1e-30]', [1, 0, -2.5, 1e-30]],
    ['embedding', ['[1,0,-2.5,1e-30]'], [1, 0, -2.5, 1e-30]],
    ['id', ` ${ID} `, ID.toLowerCase()],
    ['id', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
    ['id', null, undefined],
    ['timestamp', '2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
    ['timestamp', '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['updated_at', '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['last_accessed', null, undefined],
    ['t_valid', '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['t_invalid', '2026-01-31', '2026-01-31T00:00:00.000Z'],
  ])('in the field %s: %j', (field, value, expected) => {
    expect(read({ [field]: value })[field as 'content']).toEqual(expected);
  });

  test('in the field metadata: any keys, nested up to 16 levels', () => {
    const metadata = JSON.parse('{"__proto__": 1, "constructor": 2, "": 3}');
    expect(JSON.stringify(read({ metadata }).metadata)).toBe('{"__proto__":1,"constructor":2,"":3}');
    expect(read({ metadata: nested(16) }).metadata).toEqual(nested(16));
  });

  test('together with unknown fields, which are ignored', () => {
    expect(read({ nonsense: 1, tag_prefixes: ['x'], enriched: true })).not.toHaveProperty('nonsense');
  });
});

describe('values that say nothing count as not given', () => {
  const names = Object.keys(newMemory(LIMITS).shape).filter(name => name !== 'content');
  test.each([null, '', '  ', '\n', [], {}])('%j', empty => {
    expect(read(Object.fromEntries(names.map(name => [name, empty])))).toEqual(read({}));
  });

  test('an empty list as JSON text', () => expect(read({ tags: '[]', metadata: '{}' })).toEqual(read({})));
});

describe('invalid values are rejected with their field and the expected value', () => {
  test.each<[string, unknown, RegExp]>([
    ['content', undefined, /is required/],
    ['content', null, /is required/],
    ['content', '', /must not be blank/],
    ['content', ' \n\t ', /must not be blank/],
    ['content', 7, /must be a string/],
    ['content', ['a'], /must be a string/],
    ['content', 'x'.repeat(21), /at most 20 characters, but has 21/],
    ['content', '🧠'.repeat(21), /at most 20 characters, but has 21/],
    ['content', 'a\0b', /NUL/],
    ['content', 'é🧠 \ud800 x', /after 3 characters there is the lone surrogate U\+D800/],
    ['content', 'x\udc00', /U\+DC00/],
    ['content', '\0', /NUL/],
    ['type', 'Opinion', /one of Decision, Pattern, Preference, Style, Habit, Insight, Context/],
    ['type', 1, /one of/],
    ['type', '__proto__', /one of/],
    ['confidence', 1.01, /from 0 to 1/],
    ['confidence', true, /from 0 to 1/],
    ['confidence', 'high', /from 0 to 1/],
    ['importance', -0.1, /from 0 to 1/],
    ['importance', false, /from 0 to 1/],
    ['importance', Number.NaN, /from 0 to 1/],
    ['importance', 'NaN', /from 0 to 1/],
    ['importance', Number.POSITIVE_INFINITY, /from 0 to 1/],
    ['importance', '0x1', /from 0 to 1/],
    ['importance', [0.5], /from 0 to 1/],
    ['tags', 5, /array of strings/],
    ['tags', ['a', 1], /array of strings/],
    ['tags', { a: 1 }, /array of strings/],
    ['tags', ['a\0'], /NUL/],
    ['tags', ['a', 'b\udfff'], /U\+DFFF \(tag 2\)/],
    ['tags', '[1,2]', /array of strings/],
    ['tags', '{"a":1,"b":2}', /array of strings/],
    ['tags', "['a', 'b']", /array of strings/],
    ['tags', '["a", 1]', /array of strings/],
    ['tags', ['x', 'x'.repeat(257)], /at most 256 characters in each tag, but one has 257/],
    ['tags', ['🧠'.repeat(257)], /at most 256 characters in each tag, but one has 257/],
    ['tags', ['a:'.repeat(17)], /at most 16 levels in each tag, but one has 17/],
    ['tags', Array.from({ length: 101 }, (_, index) => `${index}`), /at most 100 items, but has 101/],
    ['tags', Array.from({ length: 101 }, (_, index) => `${index}`).join(), /at most 100 items, but has 101/],
    ['tags', 'x'.repeat(30_000), /at most 25700 characters, but has 30000/],
    ['metadata', 'text', /must be an object/],
    ['metadata', [1], /must be an object/],
    ['metadata', '[1]', /must be an object/],
    ['metadata', '{"a":', /must be an object/],
    ['metadata', '{"a":{"id":1234567890123456789}}', /1234567890123456789.*quote it as text \(a\.id\)/],
    ['metadata', { a: [2 ** 53] }, /9007199254740992.*\(a\.0\)/],
    ['metadata', { a: { b: 'x\ud800' } }, /U\+D800 \(a\.b\)/],
    ['metadata', { 'k\udc00': 1 }, /U\+DC00/],
    ['metadata', nested(17), /deeper than 16 levels, but has 17/],
    ['metadata', keysOf(1001), /at most 1000 keys, nested ones included, but has 1001/],
    ['metadata', { list: [keysOf(500), keysOf(500)] }, /at most 1000 keys, nested ones included, but has 1001/],
    ['metadata', { list: Array(65_536).fill(0) }, /at most 65536 bytes of JSON, but has more than 65536 values/],
    ['metadata', { text: 'é'.repeat(32_763) }, /at most 65536 bytes of JSON, but has 65537/],
    ['metadata', { a: [{ b: Number.POSITIVE_INFINITY }] }, /beyond 1.8e308/],
    ['embedding', [1, 2, 3], /exactly 4 values$/],
    ['embedding', [1, 2, 3, 4, 5], /exactly 4 values$/],
    ['embedding', [1, 2, 3, Number.NaN], /exactly 4 values, and each must be a finite number/],
    ['embedding', [1, 2, 3, true], /finite/],
    ['embedding', [1, 2, 3, null], /finite/],
    ['embedding', [1, 2, 3, 1e39], /finite/],
    ['embedding', [0, 0, 0, 0], /a value that is not zero/],
    ['embedding', [1e-50, 0, 0, 0], /a value that is not zero/],
    ['embedding', { 0: 1, length: 4 }, /exactly 4 values$/],
    ['id', 'not-a-uuid', /valid UUID/],
    ['id', 7, /valid UUID/],
    ['id', `{${ID}}`, /valid UUID/],
    ['timestamp', '2026-13-01', /ISO 8601/],
    ['timestamp', 1767225600, /ISO 8601/],
    ['timestamp', '2026-02-30', /ISO 8601/],
    ['last_accessed', { a: 1 }, /ISO 8601/],
    ['t_valid', '2026-01-31T25:00:00Z', /ISO 8601/],
    ['t_invalid', true, /ISO 8601/],
  ])('in the field %s: %j', (field, value, message) => {
    const error = failureOf(() => read({ [field]: value }));
    expect(error).toMatchObject({ code: 'invalid', status: 400, field });
    expect(error.message).toMatch(message);
    expect(error.message).toContain(`'${field}'`);
  });

  test('with only the first field in the order of the schema if several are invalid', () => {
    expect(failureOf(() => read({ importance: 2, type: 'x', id: 'y' })).field).toBe('type');
  });

  test('if t_invalid is before t_valid, but not if both are equal', () => {
    const bounds = { t_valid: '2026-01-02', t_invalid: '2026-01-01' };
    expect(failureOf(() => read(bounds)).field).toBe('t_invalid');
    expect(read({ ...bounds, t_valid: '2026-01-01' })).toMatchObject({ t_valid: '2026-01-01T00:00:00.000Z' });
  });

  test.each([[null], [undefined], ['text'], [[{ content: 'x' }]], [7]])('for %j instead of a memory', input => {
    expect(failureOf(() => readNewMemory(input, LIMITS)).message).toMatch(/JSON object/);
    expect(failureOf(() => readMemoryPatch(input, LIMITS)).message).toMatch(/JSON object/);
  });
});

describe('a change', () => {
  test('contains only the given fields', () => {
    expect(readMemoryPatch({}, LIMITS)).toEqual({});
    expect(readMemoryPatch({ id: ID, importance: '0.5', content: undefined }, LIMITS)).toEqual({ importance: 0.5 });
  });

  test('may remove tags, metadata keys and validity bounds', () => {
    expect(readMemoryPatch({ tags: [], metadata: { a: null }, t_valid: null, t_invalid: null }, LIMITS)).toEqual({
      tags: [],
      metadata: { a: null },
      t_valid: null,
      t_invalid: null,
    });
  });

  test.each([null, '', ' \n', [], {}])('does not contain fields whose value is %j', empty => {
    const names = ['content', 'type', 'confidence', 'importance', 'metadata', 'timestamp', 'updated_at', 'archived'];
    const fields = Object.fromEntries(names.map(name => [name, empty]));
    expect(readMemoryPatch({ ...fields, tags: 'a' }, LIMITS)).toEqual({ tags: ['a'] });
  });

  test.each([
    ['[]', []],
    [[], []],
    ['', undefined],
    [' ', undefined],
    [null, undefined],
    [{}, undefined],
    [[''], undefined],
    [[' ', '\n'], undefined],
    ['["", " "]', undefined],
    [' , ,', undefined],
    [',', undefined],
    [['', 'a'], ['a']],
    [[','], [',']],
  ])('with the tags %j sets them to %j', (tags, expected) =>
    expect(readMemoryPatch({ tags }, LIMITS).tags).toEqual(expected),
  );

  test.each<[string, unknown]>([
    ['content', null],
    ['content', ' '],
    ['type', 'Opinion'],
    ['confidence', true],
    ['tags', [1]],
    ['metadata', 'text'],
    ['t_valid', '2026-01-32'],
  ])('is rejected for the value of the field %s: %j', (field, value) => {
    expect(failureOf(() => readMemoryPatch({ [field]: value }, LIMITS)).field).toBe(field);
  });
});

describe('single values', () => {
  test('a valid id is lower-cased, and an invalid id is rejected with the name of its field', () => {
    expect(readField(memoryId, ID, 'from')).toBe(ID.toLowerCase());
    expect(failureOf(() => readField(memoryId, 'x', 'from')).field).toBe('from');
    expect(failureOf(() => readField(memoryId, undefined, 'from')).field).toBe('from');
  });

  test.each<[unknown, number | undefined]>([
    [1.5, 1.5],
    ['1.5', 1.5],
    ['-2e3', -2000],
    ['5.', 5],
    ['1e999', undefined],
    ['1'.repeat(1001), undefined],
    ['1_000', undefined],
    ['0b1', undefined],
    ['Infinity', undefined],
    ['', undefined],
    [' ', undefined],
    [true, undefined],
    [null, undefined],
    [[], undefined],
    [1n, undefined],
  ])('readNumber(%o) returns %o', (value, expected) => {
    expect(readNumber(value)).toBe(expected);
  });
});
