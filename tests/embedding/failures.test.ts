/**
 * The outcome of a call when a provider fails: retries, and errors that distinguish an outage from a problem with the
 * texts.
 */
import { describe, expect, test } from 'vitest';
import { type Behaviour, startModelServer } from '../support/model-server.js';
import { embeddingOf, embedsAll, KEY, openProvider, PROVIDERS, textsOf } from './test-providers.js';

const failure = (status: number, headers: Record<string, string> = {}): Behaviour => ({
  status,
  headers,
  json: { error: { message: `told so with ${KEY}`, type: 'some_error' } },
});

describe.each(PROVIDERS)('$name', provider => {
  const { path, answer, name } = provider;
  const works = embedsAll(provider);
  /** Opens an embedder for a server that behaves as listed, and embeds one memory. */
  const embedWith = async (behaviours: (Behaviour | typeof works)[], env: Record<string, string> = {}) => {
    const { embedder, server, waits } = await openProvider(provider, env);
    server.on(path, ...behaviours);
    const error = await embedder.embed(['text 1'], 'document').then(
      () => undefined,
      (thrown: unknown) => thrown as Error & { code: string },
    );
    return { error, waits, embedder, requests: server.requests };
  };

  test.each([
    ['the wait that the server asks for in seconds', failure(429, { 'retry-after': '7' }), 7_000],
    ['the date that the server names', failure(503, { 'retry-after': 'Sun, 01 Mar 2026 12:00:03 GMT' }), 3_000],
    ['a moment when the server names no time', failure(429), 500],
    ['a moment when the status is 500', failure(500), 500],
    ['a moment when the status is 502', failure(502), 500],
    ['a moment when the status is 409', failure(409), 500],
    ['a moment when the connection is dropped', 'drop' as const, 500],
    ['a moment when the answer is interrupted', 'cut' as const, 500],
  ])('retries after %s', async (_, behaviour, waitMs) => {
    const { error, waits, requests } = await embedWith([behaviour, works]);
    expect(error).toBeUndefined();
    expect(waits).toEqual([waitMs]);
    expect(requests.map(textsOf)).toEqual([['text 1'], ['text 1']]);
  });

  test('retries only as often as configured, and waits longer each time', async () => {
    const { error, waits, requests } = await embedWith([failure(503)]);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(waits).toEqual([500, 1_000]);
    expect(requests).toHaveLength(3);
    expect((await embedWith([failure(503)], { EMBEDDING_MAX_RETRIES: '0' })).requests).toHaveLength(1);
  });

  test('fails at once when the server asks for a very long wait', async () => {
    const { error, waits, requests } = await embedWith([failure(429, { 'retry-after': '3600' }), works]);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect([waits, requests.length]).toEqual([[], 1]);
  });

  test('retries a question once, but not at all if the previous question has failed', async () => {
    const { embedder, server } = await openProvider(provider);
    server.on(path, failure(503));
    await expect(embedder.embed(['text 1'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.requests).toHaveLength(2);
    await expect(embedder.embed(['text 1'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.requests).toHaveLength(3);
  });

  test('does not retry a question when the server asks for a wait of seven seconds', async () => {
    const { embedder, server, waits } = await openProvider(provider);
    server.on(path, failure(429, { 'retry-after': '7' }), works);
    await expect(embedder.embed(['text 1'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    expect(waits).toEqual([]);
  });

  test.each([
    [401, /refuses the key \(401\): check (OPENAI_API_KEY|VOYAGE_API_KEY|the key)/],
    [403, /refuses the key \(403\)/],
    [402, /has no credit left/],
    [404, /does not know the model or the address \(404\): (check \w+_MODEL and \w+_BASE_URL|run 'ollama pull)/],
  ])('does not retry after status %d', async (status, message) => {
    const { error, requests } = await embedWith([failure(status), works]);
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringMatching(message) });
    expect(error?.message).toMatch(new RegExp(`^${name} \\(test-model\\) `));
    expect(requests).toHaveLength(1);
  });

  test.each([401, 429, 400, 500])('never shows the key after status %d', async status => {
    const { error, embedder } = await embedWith([failure(status)], { EMBEDDING_MAX_RETRIES: '0' });
    if (name !== 'ollama') expect([error?.message, String(error?.stack)].join()).not.toContain(KEY);
    // Health shows `lastFailure` to anybody, so it must not repeat the server's message.
    expect(embedder.lastFailure).toMatch(/^\w+ \(test-model\) /);
    expect(embedder.lastFailure).not.toContain('told so');
  });

  test('never shows a key that is not a valid header value', async () => {
    const key = 'sk-secret-\u2713';
    const { error } = await embedWith([works], {
      OPENAI_API_KEY: key,
      VOYAGE_API_KEY: key,
      EMBEDDING_MAX_RETRIES: '0',
    });
    if (name === 'ollama') return;
    expect(error).toMatchObject({ code: 'unavailable' });
    expect([error?.message, String(error?.stack), String(error?.cause)].join()).not.toContain('sk-secret');
  });

  test.each([301, 302, 303, 307, 308])('does not follow the redirect %d, so nobody else gets the key', async status => {
    const elsewhere = await startModelServer();
    const location = `${elsewhere.url}/v1/embeddings`;
    const { error, embedder } = await embedWith([{ status, headers: { location }, json: {} }]);
    expect(error?.message).toContain(`redirects to another address (${status}), and no redirect is followed`);
    expect(embedder.lastFailure).toContain('redirects to another address');
    expect(elsewhere.requests).toEqual([]);
  });

  test('gives up on a server that does not answer in time', async () => {
    const { error, requests } = await embedWith(['hang'], { EMBEDDING_TIMEOUT_SECONDS: '0.5' });
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('EMBEDDING_TIMEOUT_SECONDS') });
    // The second request tests whether the server answers at all.
    expect(requests.map(textsOf)).toEqual([['text 1'], ['hello']]);
  });

  test('reports a server that does not exist as unreachable', async () => {
    const { embedder, server } = await openProvider(provider, { EMBEDDING_MAX_RETRIES: '0' });
    await server.stop();
    const error = await embedder.embed(['text'], 'document').catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/ cannot be reached \(ECONNREFUSED\): check the network and \w+_BASE_URL/),
    });
  });

  test.each<[string, Behaviour]>([
    ['a web page', { text: '<html>Welcome to the hotel</html>' }],
    ['a web page that calls itself JSON', { text: '<html>', headers: { 'content-type': 'application/json' } }],
    ['other JSON', { json: { hello: 'world' } }],
    ['null', { json: null }],
    ['one embedding too few', answer([])],
    ['one embedding too many', answer([embeddingOf('1'), embeddingOf('2')])],
    ['an embedding that is not a list', answer(['AAAA'])],
    ['a value that is not a number', answer([[1, null, 2]])],
    ['an infinite number', { text: JSON.stringify(answer([[1, 7]])).replace('7', '1e999') }],
    ['zeros', answer([[0, 0, 0]])],
    ['an empty embedding', answer([[]])],
  ])('refuses %s in place of a vector', async (_, behaviour) => {
    const { error } = await embedWith([behaviour]);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^\w+ \(test-model\) answered .*: check that \w+_BASE_URL is the address/),
    });
  });

  test("refuses a vector with another dimension than the model's", async () => {
    const { embedder, server } = await openProvider(provider, {
      VECTOR_SIZE: '2048',
      [provider.modelVariable]: name === 'voyage' ? 'voyage-2' : 'bge-m3',
    });
    server.on(path, answer([Array(1023).fill(1)]));
    await expect(embedder.embed(['text'], 'document')).rejects.toThrow('1023 dimensions instead of 1024');
  });

  test.each<[string, Behaviour]>([
    ['refuses', failure(400)],
    ['cannot process', failure(422)],
    ['answers 500 to', { status: 500, json: { error: 'failed to encode response: json: unsupported value: NaN' } }],
    ['returns zeros for', answer([[0, 0, 0]])],
    ['hangs on', 'hang'],
  ])('reports the text as the cause when the server embeds other texts but %s it', async (_, behaviour) => {
    const { embedder, server } = await openProvider(provider, {
      EMBEDDING_MAX_RETRIES: '0',
      EMBEDDING_TIMEOUT_SECONDS: '0.2',
    });
    server.on(path, request => (textsOf(request).includes('poison') ? behaviour : works(request)));
    await expect(embedder.embed(['poison'], 'document')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/^\w+ \(test-model\) .*, although it embeds other texts/),
    });
    expect(embedder.lastFailure).toBeUndefined();
    // No second request tests whether the text of a failed question is the cause, because questions are not queued.
    await expect(embedder.embed(['poison'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('reports the provider as the cause when it refuses every text', async () => {
    const { error } = await embedWith([failure(400)]);
    expect(error).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/refuses the request \(400\): check \w+_MODEL\. The server says: "told so/),
    });
  });

  test('is reported as failing until it works again', async () => {
    const { embedder, server } = await openProvider(provider);
    expect(embedder.lastFailure).toBeUndefined();
    server.on(path, failure(401), works);
    await expect(embedder.embed(['text'], 'query')).rejects.toThrow();
    expect(embedder.lastFailure).toContain('refuses the key');
    await embedder.embed(['text'], 'query');
    expect(embedder.lastFailure).toBeUndefined();
  });
});

test('a request is not retried when OpenAI reports that no credit is left, although the status is 429', async () => {
  const [openai] = PROVIDERS;
  if (!openai) throw new Error('no such provider');
  const { embedder, server } = await openProvider(openai);
  server.on(openai.path, { status: 429, json: { error: { message: 'You exceeded …', code: 'insufficient_quota' } } });
  await expect(embedder.embed(['text'], 'document')).rejects.toThrow('has no credit left');
  expect(server.requests).toHaveLength(1);
});
