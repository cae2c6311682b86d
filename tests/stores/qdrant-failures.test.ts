/**
 * Tests the Qdrant store with a server that is down or slow, answers with errors, requires a key or has an unsuitable
 * collection.
 */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { openQdrantStore } from '../../src/stores/qdrant/store.js';
import type { VectorStore } from '../../src/stores/vector-store.js';
import type { QdrantBehaviour, QdrantServer } from '../support/qdrant-server.js';
import { openOn, startedQdrant, vectorRecord } from '../support/qdrant-store.js';
import { idOf } from '../support/records.js';
import { createGate } from '../support/turns.js';

const KEY = 'very-secret-key';

const METHODS: [string, (store: VectorStore) => Promise<unknown>][] = [
  ['upsert', store => store.upsert([vectorRecord(1)])],
  ['updatePayloads', store => store.updatePayloads([{ id: idOf(1), payload: vectorRecord(1).payload }])],
  ['remove', store => store.remove([idOf(9)])],
  ['vectorsOf', store => store.vectorsOf([idOf(1)])],
  ['present', store => store.present([idOf(1)])],
  ['search', store => store.search({ vector: Float32Array.of(1, 0, 0, 0), limit: 5, filter: {}, models: ['m'] })],
  ['compare', store => store.compare([idOf(1)], { vector: Float32Array.of(1, 0, 0, 0) })],
  [
    'searchEach',
    store => store.searchEach([{ vector: Float32Array.of(1, 0, 0, 0), limit: 5, filter: {}, models: ['m'] }]),
  ],
  ['count', store => store.count()],
  ['ids', store => store.ids()[Symbol.asyncIterator]().next()],
  ['ping', store => store.ping()],
];

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error)) throw new Error('did not fail');
  return outcome;
}

async function failingWith(behaviour: QdrantBehaviour, call = METHODS[0]?.[1]): Promise<Error> {
  const server = await startedQdrant();
  const store = openOn(server);
  await store.ping();
  server.behave(behaviour);
  return failureOf(call?.(store) ?? Promise.resolve());
}

test('every method fails in time while the server hangs, at first use and later, and works afterwards', async () => {
  const server = await startedQdrant();
  const stores = METHODS.map(([, call]) => ({ call, store: openOn(server, { timeoutMs: 400 }) }));
  for (let round = 0; round < 2; round++) {
    server.behave('hang');
    const failures = await Promise.all(stores.map(({ call, store }) => failureOf(call(store))));
    for (const failure of failures) {
      expect(failure).toMatchObject({
        code: 'unavailable',
        message: `Qdrant at ${server.url} did not answer within 400 ms`,
      });
    }
    server.behave(undefined);
    for (const { call, store } of stores) await call(store);
  }
});

describe.each(METHODS)('%s', (_, call) => {
  test('fails while the server is down, at first use and later, and works afterwards', async () => {
    const server = await startedQdrant();
    await server.goAway();
    const store = openOn(server);
    for (let round = 0; round < 2; round++) {
      expect(await failureOf(call(store))).toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/cannot be reached \((ECONNREFUSED|UND_ERR_SOCKET|ECONNRESET)\)$/),
        cause: expect.any(Error),
      });
      await server.comeBack();
      await call(store);
      await server.goAway();
    }
  });

  test('is retried once when the connection is lost, at first use and later', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    for (let round = 0; round < 2; round++) {
      let hasDropped = false;
      server.behave(() => {
        if (hasDropped) return undefined;
        hasDropped = true;
        return 'drop';
      });
      await call(store);
    }
  });

  test('works after the collection was dropped, and creates it again with its indexes', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    await store.upsert([vectorRecord(1), vectorRecord(2)]);
    server.collections.clear();
    await call(store);
    expect([...server.collections.keys()]).toEqual(['memories']);
    expect(server.collections.get('memories')?.indexes.size).toBe(6);
  });

  test('fails without a request after the store was closed twice', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    await store.close();
    await store.close();
    expect(await failureOf(call(store))).toMatchObject({ code: 'unavailable', message: 'The Qdrant store is closed' });
    expect(server.requests).toEqual([]);
  });
});

describe('a faulty answer of Qdrant', () => {
  const busy = { status: 429, json: { status: { error: 'Rate limit' } } };
  const cases: [string, QdrantBehaviour, RegExp][] = [
    [
      '500',
      { status: 500, json: { status: { error: 'Service internal error: disk' } } },
      /answered with 500: Service inter/,
    ],
    ['502 of a proxy', { status: 502, text: '<html>bad gateway</html>' }, /answered with 502: no reason given$/],
    ['503 without a word', { status: 503 }, /answered with 503: no reason given/],
    ['408', { status: 408, json: { status: { error: 'Timeout' } } }, /answered with 408: Timeout/],
    ['429', busy, /accepts no more requests/],
    ['429 with seconds', { ...busy, headers: { 'retry-after': '30' } }, /accepts no more requests/],
    [
      '429 with a date',
      { ...busy, headers: { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' } },
      /accepts no more requests/,
    ],
    ['a closed connection', 'drop', /cannot be reached \(/],
    ['a web page', { status: 200, text: '<html>welcome</html>' }, /cannot be read/],
    ['no content', { status: 204 }, /cannot be read/],
    [
      'broken JSON',
      { status: 200, text: '{"result"', headers: { 'content-type': 'application/json' } },
      /cannot be read/,
    ],
  ];
  // Searches go through `node:http`, and all other requests through `fetch`.
  const methods = METHODS.filter(([name]) => name === 'upsert' || name === 'search');
  const calls = methods.flatMap(([method, call]) => cases.map(each => [method, ...each, call] as const));
  test.each(calls)('makes a call of `%s` fail as unavailable: %s', async (_method, _, behaviour, message, call) => {
    const failure = await failingWith(behaviour, call);
    expect(failure).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(message),
      cause: expect.any(Error),
    });
  });

  const readers = ['vectorsOf', 'present', 'search', 'compare', 'searchEach', 'count', 'ids'];
  test.each(METHODS.filter(([name]) => readers.includes(name)))(
    'makes %s fail as unavailable if the result is missing',
    async (_, call) => {
      const behaviour = { status: 200, json: { status: 'ok' } };
      expect(await failingWith(behaviour, call)).toMatchObject({ code: 'unavailable' });
    },
  );

  const point = { id: idOf(1), score: 0.5 };
  const wrong = [
    {},
    null,
    'x',
    [],
    [{}],
    [null],
    { points: [{}] },
    { points: [{ score: 0.5 }] },
    { points: [{ ...point, score: 'high' }] },
  ];
  const batches = [{ points: [point] }, [{ points: [null] }], [{ points: [{ id: idOf(1) }] }], [1, 2, 3]];
  const searches = ['search', 'compare', 'searchEach'];
  test.each(
    METHODS.filter(([name]) => searches.includes(name)).flatMap(([name, call]) =>
      [...wrong, ...(name === 'search' ? [] : batches)].map(result => [name, result, call] as const),
    ),
  )('makes %s fail as unavailable if the result is %j', async (_, result, call) => {
    expect(await failingWith({ status: 200, json: { result } }, call)).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/cannot be read$/),
    });
  });

  test('that refuses a request makes the call fail with the reason of Qdrant, and not as unavailable', async () => {
    const failure = await failingWith({ status: 422, json: { status: { error: 'Wrong input: so it goes' } } });
    expect(failure).not.toBeInstanceOf(MemoryError);
    expect(failure.message).toBe('Qdrant refused a request (422): Wrong input: so it goes');
  });
});

describe('the API key', () => {
  test('gives access, and the description of the store does not show it', async () => {
    const store = openOn(await startedQdrant(KEY), { apiKey: KEY });
    await store.upsert([vectorRecord(1)]);
    expect(await store.count()).toBe(1);
    expect(inspect(store.description)).not.toContain(KEY);
  });

  test.each([
    ['wrong', `${KEY}-of-old`, /refused the API key \(401: Invalid API key or JWT\)/],
    ['missing', undefined, /asks for an API key \(401\)/],
    ['empty', '', /asks for an API key \(401\)/],
  ])('makes every method fail when it is %s, and no error shows it', async (_, apiKey, message) => {
    const server = await startedQdrant(KEY);
    const store = openOn(server, apiKey === undefined ? {} : { apiKey });
    for (const [, call] of METHODS) {
      const failure = await failureOf(call(store));
      expect(failure).toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(message),
        hint: expect.stringContaining('QDRANT_API_KEY'),
      });
      expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain(KEY);
    }
  });

  test('may be restricted to one collection if that collection exists', async () => {
    const server = await startedQdrant();
    await openOn(server).ping();
    const forbidden = { status: 403, json: { status: { error: 'Forbidden: Global access is required' } } };
    server.behave(({ method, path }) => (method === 'PUT' && path === '/collections/memories' ? forbidden : undefined));
    const store = openOn(server, { apiKey: KEY });
    await store.ping();
    server.collections.clear();
    expect((await failureOf(store.ping())).message).toMatch(/403: Forbidden: Global access is required/);
  });

  test.each([
    ['a key with a line break', { apiKey: `${KEY}\n${KEY}` }],
    ['a key with non-ASCII characters', { apiKey: `${KEY}é` }],
    ['a URL with a password', { url: `http://me:${KEY}@localhost` }],
    ['a URL with another protocol', { url: `ftp://${KEY}` }],
    ['no URL', { url: KEY }],
    ['an empty URL', { url: '' }],
  ])('is not shown by the error that refuses %s', (_, given) => {
    const settings = { url: 'http://localhost', collection: 'c', dimensions: 4, timeoutMs: 100, ...given };
    let failure: unknown;
    try {
      openQdrantStore(settings);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ code: 'invalid' });
    expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain(KEY);
  });
});

describe('a collection with unsuitable parameters', () => {
  const create = (server: QdrantServer, body: object) =>
    fetch(`${server.url}/collections/memories`, { method: 'PUT', body: JSON.stringify(body) });

  test.each([
    [
      'size',
      { vectors: { size: 8, distance: 'Cosine' } },
      /VECTOR_SIZE is 4, but .* have 8 dimensions/,
      /VECTOR_SIZE=8,/,
    ],
    [
      'distance',
      { vectors: { size: 4, distance: 'Dot' } },
      /uses the distance Dot, but Engraph needs Cosine/,
      /QDRANT_COLLECTION to another name/,
    ],
    [
      'named vectors',
      { vectors: { a: { size: 4, distance: 'Cosine' } } },
      /named vectors/,
      /QDRANT_COLLECTION to another name/,
    ],
    ['no vectors', {}, /named vectors/, /QDRANT_COLLECTION to another name/],
  ])('is refused by every method, and left unchanged: %s', async (_, config, message, hint) => {
    const server = await startedQdrant();
    await create(server, config);
    const store = openOn(server);
    for (const [, call] of METHODS) {
      expect(await failureOf(call(store))).toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      });
    }
    expect(server.collections.get('memories')).toMatchObject({ config, indexes: new Map() });
    server.collections.clear();
    await store.ping();
  });
});

describe('two processes that open a collection at once', () => {
  // Qdrant before 1.8 answers with 400 if the collection already exists.
  test('create it only once, even if Qdrant answers the slower process with 409', async () => {
    const server = await startedQdrant();
    const gate = createGate();
    let lookups = 0;
    server.behave(async ({ method, path }) => {
      if (path !== '/collections/memories') return undefined;
      // Both processes must learn that the collection does not exist before one of them creates it.
      if (method === 'GET' && ++lookups === 2) gate.open();
      if (method === 'GET') await gate.pass();
      if (method === 'GET' || !server.collections.has('memories')) return undefined;
      return { status: 409, json: { status: { error: 'Wrong input: Collection `memories` already exists!' } } };
    });
    const stores = [openOn(server), openOn(server)];
    await Promise.all(stores.map((store, index) => store.upsert([vectorRecord(index)])));
    for (const store of stores) expect(await store.count()).toBe(2);
    expect(
      server.requests.filter(({ method, path }) => method === 'PUT' && path === '/collections/memories'),
    ).toHaveLength(2);
  });

  test('cannot both succeed if their vector sizes differ, but one of them does', async () => {
    const server = await startedQdrant();
    const gate = createGate();
    let lookups = 0;
    server.behave(async ({ method }) => {
      if (method === 'GET' && ++lookups === 2) gate.open();
      if (method === 'GET') await gate.pass();
      return undefined;
    });
    const outcomes = await Promise.allSettled([openOn(server).ping(), openOn(server, { dimensions: 8 }).ping()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

test('a point that another process removes after it was found is added, together with the others', async () => {
  const server = await startedQdrant();
  const store = openOn(server);
  await store.upsert([vectorRecord(1), vectorRecord(2)]);
  server.behave(({ path }) => {
    if (!path.endsWith('/points/batch')) return undefined;
    server.collections.get('memories')?.points.delete(idOf(1));
    server.behave(undefined);
    return undefined;
  });
  await store.upsert([vectorRecord(1), vectorRecord(2), vectorRecord(3)]);
  expect(await store.present([1, 2, 3].map(idOf))).toEqual(new Set([1, 2, 3].map(idOf)));
});

test('the error says why a collection cannot be created', async () => {
  const server = await startedQdrant();
  server.behave(({ method }) =>
    method === 'PUT' ? { status: 400, json: { status: { error: 'Wrong input: too many replicas' } } } : undefined,
  );
  expect((await failureOf(openOn(server).ping())).message).toMatch(/Wrong input: too many replicas/);
});

test('a server that is not Qdrant is reported with the status and text of its answer', async () => {
  const server = await startedQdrant();
  server.behave({ status: 404, text: 'page not found' });
  expect(await failureOf(openOn(server).ping())).toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/answered with 404: page not found/),
  });
});
