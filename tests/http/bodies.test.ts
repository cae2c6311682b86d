/** Request bodies that are missing, malformed, of another type, or too large. */
import { afterAll, describe, expect, it } from 'vitest';
import { openTestApp, UNKNOWN_ID } from './test-app.js';

const LIMIT = 10_000;
const JSON_TYPE = { 'content-type': 'application/json' };

const { call, close } = await openTestApp({ bodyLimitBytes: LIMIT });
afterAll(close);

/** A JSON document of exactly this many bytes. */
const documentOf = (bytes: number) => {
  const frame = ['{"content":"x","metadata":{"pad":"', '"}}'] as const;
  return frame.join('p'.repeat(bytes - frame.join('').length));
};

const streamOf = (...chunks: string[]) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });

describe.each(['POST /memory', 'POST /memory/batch', `PATCH /memory/${UNKNOWN_ID}`])('%s', route => {
  it.each([
    ['absent', undefined],
    ['empty', ''],
  ])('refuses a body that is %s', async (_, body) => {
    const { status, body: answer } = await call(route, { headers: JSON_TYPE, ...(body !== undefined && { body }) });
    expect(status).toBe(400);
    expect(answer).toMatchObject({ status: 'error', code: 400, error: 'A JSON body is required' });
  });

  it.each([
    ['a broken object', '{"content":'],
    ['words', 'hello'],
    ['blanks', '  \n'],
    ['two values', '{} {}'],
    ['NaN', '{"content":"x","importance":NaN}'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xc3, 0x28, 0x22])],
  ])('refuses a body that contains %s', async (_, body) => {
    const { status, body: answer } = await call(route, { headers: JSON_TYPE, body });
    expect(status).toBe(400);
    expect(answer).toMatchObject({ status: 'error', code: 400, error: 'The body is not valid JSON' });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp', 'json', ''])(
    'refuses the content type "%s"',
    async type => {
      const { status, body } = await call(route, { headers: { 'content-type': type }, body: '{"content":"x"}' });
      expect(status).toBe(415);
      expect(body).toMatchObject({ status: 'error', code: 415 });
    },
  );

  it('refuses a body that is too large, with a right, wrong or missing Content-Length', async () => {
    const large = documentOf(LIMIT + 1);
    const stated = { ...JSON_TYPE, 'content-length': String(LIMIT + 1) };
    const chunked = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
    for (const call413 of [
      { headers: stated, body: large },
      { headers: chunked, body: streamOf(large.slice(0, LIMIT), large.slice(LIMIT)) },
      { headers: { ...stated, ...chunked, 'content-length': '1' }, body: streamOf(large) },
    ]) {
      const { status, body } = await call(route, call413);
      expect(status).toBe(413);
      expect(body).toMatchObject({ status: 'error', code: 413, error: body.message });
    }
  });
});

describe('POST /memory', () => {
  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.memory+json'])(
    'accepts the content type %s',
    async type => {
      const { status } = await call('POST /memory', { headers: { 'content-type': type }, body: '{"content":"x"}' });
      expect(status).toBe(201);
    },
  );

  it('accepts a body of exactly the limit, with or without a Content-Length', async () => {
    const largest = documentOf(LIMIT);
    expect(new TextEncoder().encode(largest)).toHaveLength(LIMIT);
    const stated = await call('POST /memory', {
      headers: { ...JSON_TYPE, 'content-length': String(LIMIT) },
      body: largest,
    });
    const chunked = await call('POST /memory', {
      headers: JSON_TYPE,
      body: streamOf(largest.slice(0, 5), largest.slice(5)),
    });
    expect([stated.status, chunked.status]).toEqual([201, 201]);
  });

  it('keeps characters that are split between chunks', async () => {
    const bytes = new TextEncoder().encode('{"content":"naïve 🧠"}');
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const { body: answer } = await call('POST /memory', { headers: JSON_TYPE, body });
    expect((await call(`GET /memory/${answer.memory_id}`)).body.content).toBe('naïve 🧠');
  });

  it('answers 400 when the body is incomplete', async () => {
    for (const headers of [JSON_TYPE, { ...JSON_TYPE, 'content-length': '100' }]) {
      const body = new ReadableStream({ pull: controller => controller.error(new Error('ECONNRESET')) });
      const { status, body: answer } = await call('POST /memory', { headers, body });
      expect([status, answer.error]).toEqual([400, 'The request body could not be read']);
    }
  });

  it('refuses metadata nested too deeply', async () => {
    const depth = 40;
    const body = `{"content":"x","metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
    const answer = await call('POST /memory', { headers: JSON_TYPE, body });
    expect([answer.status, answer.body.field]).toEqual([400, 'metadata']);
  });

  it('ignores `__proto__` in a body, and refuses it in a query string', async () => {
    const body = '{"__proto__":{"content":"x"}}';
    expect((await call('POST /memory', { headers: JSON_TYPE, body })).body.field).toBe('content');
    expect((await call('GET /memory/by-tag?__proto__=x&tags=z')).body).toMatchObject({ code: 400, field: '__proto__' });
  });
});
