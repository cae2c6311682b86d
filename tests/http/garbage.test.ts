/** Random input never causes an internal error. Every answer is JSON, and every refusal has the standard body. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyCharacter } from '../support/any-character.js';
import { type Answer, openTestApp } from './test-app.js';

const { call, logged, close } = await openTestApp();
afterAll(close);

const created = await call('POST /memory', { json: { content: 'a memory to change', tags: ['garbage'] } });
const ID: string = created.body.memory_id;

const FIELDS =
  'content type confidence tags importance metadata embedding id timestamp updated_at last_accessed t_valid t_invalid'.split(
    ' ',
  );
const PARAMETERS =
  'query embedding limit sort order_by tags exclude_tags tag_mode tag_match start end relation_limit offset'.split(' ');

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(
    '*',
    'decision',
    'score',
    'all',
    'exact',
    '-1',
    '1e400',
    '0.5',
    '2026-01-01',
    '١',
    '\u0000',
    '\ud800',
    '%',
    '"',
    "a'b",
    'NEAR(',
    'a:b',
    'a/b',
    '(a OR',
    'x*',
    '-',
    '^',
  ),
);
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, true, 0.5, -0, 1e308, [], {}, ''));
const fields = fc.dictionary(fc.constantFrom(...FIELDS), value);
const memory = fc.oneof(
  { weight: 3, arbitrary: fc.record({ content: text }).chain(base => fields.map(rest => ({ ...rest, ...base }))) },
  { weight: 1, arbitrary: fields },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const queryString = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...PARAMETERS), fc.string({ maxLength: 10 })), text), { maxLength: 6 })
  .map(pairs => new URLSearchParams(pairs).toString());
const rawQueryString = fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map(raw => raw.replace(/[#\s]/g, ''));

function expectSound({ status, body }: Answer): void {
  expect(status).toBeLessThan(500);
  if (status < 400) {
    expect(body.status).toBe('success');
    return;
  }
  expect(body).toMatchObject({ status: 'error', code: status, error: expect.any(String), message: expect.any(String) });
  const known = ['status', 'code', 'error', 'message', 'field', 'index', 'details'];
  expect(Object.keys(body).filter(key => !known.includes(key))).toEqual([]);
}

/** Sends generated requests. Checks that all answers are sound, nothing is logged and all `statuses` occur. */
async function expectSoundFor<T>(inputs: fc.Arbitrary<T>, request: (input: T) => Promise<Answer>, statuses: number[]) {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(inputs, async input => {
      const answer = await request(input);
      seen.add(answer.status);
      expectSound(answer);
    }),
    { numRuns: 200 },
  );
  expect(logged).toEqual([]);
  for (const status of statuses) expect(seen).toContain(status);
}

describe('random JSON causes no internal error', () => {
  it('as a memory', async () => {
    await expectSoundFor(memory, json => call('POST /memory', { json }), [201, 400]);
  });

  it('as a batch', async () => {
    const batch = fc.oneof(
      fc.array(memory, { maxLength: 3 }),
      fc.record({ memories: fc.array(memory, { maxLength: 2 }) }),
      fc.jsonValue(),
    );
    await expectSoundFor(batch, json => call('POST /memory/batch', { json }), [400]);
  });

  it('as an update', async () => {
    await expectSoundFor(memory, json => call(`PATCH /memory/${ID}`, { json }), [200, 400]);
  });
});

it('random bytes as a body cause no internal error', async () => {
  const headers = { 'content-type': 'application/json' };
  const bytes = fc.uint8Array({ maxLength: 50 }).map(array => Uint8Array.from(array));
  await expectSoundFor(bytes, body => call('POST /memory', { headers, body }), [400]);
});

describe('random query strings cause no internal error', () => {
  it.each(['GET /recall', 'GET /memory/by-tag', 'DELETE /memory/by-tag'])('in %s', async route => {
    const isRecall = route.endsWith('recall');
    await expectSoundFor(queryString, query => call(`${route}?${query}`), isRecall ? [200, 400] : [400]);
    await expectSoundFor(rawQueryString, query => call(`${route}?${query}`), []);
  });
});

it('random paths cause no internal error', async () => {
  const path = fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map(raw => raw.replace(/[\s\\]/g, ''));
  await expectSoundFor(path, raw => call(`GET /memory/x${raw}`), [400, 404]);
});
