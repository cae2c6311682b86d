/** JSON bodies have the value that JSON.parse gives them, and are refused if they are too deep or have too many parts. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { parseBodyJson } from '../../src/http/params.js';
import { anyCharacter } from '../support/any-character.js';
import { openTestEngine } from '../support/test-engine.js';
import { createTestApp, OPEN_SETTINGS, send } from './test-app.js';

const MANY_BLANKS = ' '.repeat(140_000);

const encode = (text: string) => new TextEncoder().encode(text);

async function outcome(read: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await read()) ?? 'undefined';
  } catch {
    return 'refused';
  }
}

async function expectSame(text: string): Promise<void> {
  // The decoder of the body removes a leading byte order mark.
  const expected = await outcome(() => JSON.parse(text.replace(/^\ufeff/, '')));
  expect(await outcome(() => parseBodyJson(encode(text)))).toBe(expected);
}

const name = fc.oneof(fc.string(), fc.constantFrom('memories', 'associations', '__proto__', 'a', 'a', '1'));
const leaf = fc.oneof(
  fc.string({ unit: anyCharacter }).map(text => JSON.stringify(text)),
  fc.double().map(number => JSON.stringify(number)),
  fc.constantFrom('null', 'true', '-0', '1e999', '"\\ud83d\\ude00\\""', '"\\\\"', '"[{,"', '"\\ud800"', '[]', '{}'),
);
const { value } = fc.letrec<{ value: string; list: string; object: string }>(tie => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }).map(items => `[${items.join(',')}]`),
  object: fc
    .array(fc.tuple(name, tie('value')), { maxLength: 4 })
    .map(members => `{${members.map(([key, item]) => `${JSON.stringify(key)}:${item}`).join(',')}}`),
}));
/** Texts to insert, each with its position as a fraction of the length of the whole text. */
const insertion = (what: fc.Arbitrary<string>) => fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), what));
const blanks = insertion(fc.constantFrom(MANY_BLANKS, '\n', '\t'));
const damage = insertion(fc.constantFrom(...'[]{},:"\\ 1\ufeff'));

function withInserted(text: string, inserted: readonly (readonly [number, string])[]): string {
  const changed = inserted.reduce((before, [share, what]) => {
    const at = Math.round(share * before.length);
    return before.slice(0, at) + what + before.slice(at);
  }, text);
  // An insertion may split a pair of surrogates, and a body cannot contain half of a pair.
  return changed.toWellFormed();
}

describe('parsing a JSON body', () => {
  test('returns the same as JSON.parse', () =>
    fc.assert(
      fc.asyncProperty(value, blanks, (text, spaces) => expectSame(withInserted(text, spaces.slice(0, 3)))),
      { numRuns: 300 },
    ));

  test('refuses what JSON.parse refuses', () =>
    fc.assert(
      fc.asyncProperty(value, damage, blanks, (text, damages, spaces) =>
        expectSame(withInserted(withInserted(text, damages.slice(0, 2)), spaces.slice(0, 3))),
      ),
      { numRuns: 300 },
    ));

  const items = Array.from({ length: 40 }, (_, index) => JSON.stringify({ content: `${index} `.repeat(4_000) }));
  test.each([
    ['a list', `[${items}]`],
    ['a list of memories', `{"memories":[${items}]}`],
    ['a list behind other members', `{"a":1,"__proto__":{"b":2},\n"memories" : [${items} ] ,"c":[1]}`],
    ['a list named twice', `{"memories":[1],"b":1,"memories":[${items}]}`],
    ['a list behind a comma', `[${items},]`],
    ['a list before a comma', `[,${items}]`],
    ['a list with nothing between commas', `[${items},,${items}]`],
    ['two lists', `[${items}],[${items}]`],
    ['a list closed as an object', `[${items}}`],
    ['members closed in between', `{"a":1},{"memories":[${items}]}`],
    ['a list with something behind it', `{"memories":[${items}] 1}`],
    ['a list that is not closed', `{"memories":[${items}]`],
    ['a list with a mark before it', `\ufeff[${items}]`],
    ['a list with two marks before it', `\ufeff\ufeff[${items}]`],
    ['a text', JSON.stringify('a'.repeat(300_000))],
    ['a text that is not closed', `"${'\\"'.repeat(200_000)}`],
    ['blanks', MANY_BLANKS],
    ['a list of blanks', `[${MANY_BLANKS}]`],
    ['an object of blanks', `{${MANY_BLANKS}}`],
  ])('treats a body of %s as JSON.parse does', (_, text) => expectSame(text));

  test('refuses bytes that are not UTF-8', () => {
    expect(() => parseBodyJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('not valid JSON');
  });
});

const ID = '11111111-1111-4111-8111-111111111111';

describe('JSON bodies over REST', async () => {
  const memory = await openTestEngine();
  const app = createTestApp({
    engine: memory.engine,
    settings: { ...OPEN_SETTINGS, bodyLimitBytes: 50_000_000 },
    log: memory.log,
  });
  afterAll(memory.close);
  const post = (path: string, body: string) =>
    send(app, `POST ${path}`, { body, headers: { 'content-type': 'application/json' } });

  test.each(['/memory', '/memory/batch', '/associate', '/admin/reembed'])(
    'that nest deeply are refused by %s',
    async path => {
      const deep = `{"metadata":${'['.repeat(64)}${']'.repeat(64)}}`;
      const { status, body } = await post(path, deep);
      if (path.startsWith('/admin')) return expect(status).toBe(403);
      expect([status, body.message ?? body.error]).toEqual([400, expect.stringContaining('64 levels')]);
    },
  );

  test('that nest up to the limit are accepted', async () => {
    const { body } = await post('/memory/batch', `${'['.repeat(64)}${']'.repeat(64)}`);
    expect(JSON.stringify(body)).not.toContain('64 levels');
  });

  test.each([
    ['a memory', '/memory', (large: string) => `{"content":"a","metadata":{"a":${large}}}`, 'metadata'],
    ['tags', '/memory', (large: string) => `{"content":"a","tags":${large}}`, 'tags'],
    [
      'a memory of a batch',
      '/memory/batch',
      (large: string) => `[{"content":"a","metadata":{"a":${large}}}]`,
      'metadata',
    ],
    [
      'an association',
      '/associate',
      (large: string) => `{"memory1_id":"${ID}","memory2_id":"${ID}","type":"REINFORCES","observations":${large}}`,
      'observations',
    ],
  ])('with %s of several megabytes are refused because of their field', async (_, path, bodyWith, field) => {
    const { status, body } = await post(path, bodyWith(`[${'"a",'.repeat(800_000)}"a"]`));
    expect([status, body.field]).toEqual([400, field]);
  });

  test.each([
    ['/memory/batch', (list: string) => list],
    ['/memory/batch', (list: string) => `{"memories":${list}}`],
    ['/associate', (list: string) => `{"associations":${list}}`],
  ])('with a list of a million items are refused by %s because the list is too long', async (path, bodyWith) => {
    const { status, body } = await post(path, bodyWith(`[${'1,'.repeat(1_000_000)}1]`));
    expect([status, JSON.stringify(body)]).toEqual([path === '/associate' ? 400 : 413, expect.stringContaining('500')]);
  });

  test('with more than a million lists are refused', async () => {
    const { status, body } = await post('/memory/batch', `[{"metadata":{"a":[${'[],'.repeat(1_000_000)}[]]}}]`);
    expect([status, JSON.stringify(body)]).toEqual([413, expect.stringContaining('1000000 lists and objects')]);
  });

  test('with a batch of many megabytes are stored', async () => {
    const memories = Array.from({ length: 200 }, (_, index) => ({ content: `${index} ${'word '.repeat(9_000)}` }));
    const { status, body } = await post('/memory/batch', JSON.stringify({ memories }));
    expect([status, body.stored]).toEqual([201, 200]);
  });
});
