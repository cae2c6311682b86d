/** Tests requests of the Qdrant store that the contract of vector stores cannot check. */
import { describe, expect, test, vi } from 'vitest';
import type { MemoryFilter } from '../../src/domain/filter.js';
import { tagKeys } from '../../src/domain/tags.js';
import type { VectorStore } from '../../src/stores/vector-store.js';
import type { QueryRequest } from '../support/qdrant-schema.js';
import type { QdrantServer } from '../support/qdrant-server.js';
import { openOn, startedQdrant, vectorRecord } from '../support/qdrant-store.js';
import { idOf } from '../support/records.js';
import { vectorPayload } from '../support/vector-payloads.js';

const POINTS = '/collections/memories/points';

function asked(server: QdrantServer, method: string, path: string) {
  return server.requests.filter(request => request.method === method && request.path === path);
}

async function found(store: VectorStore, filter: MemoryFilter = {}, limit = 10): Promise<number[]> {
  const hits = await store.search({ vector: Float32Array.of(1, 0, 0, 0), limit, filter, models: ['m'] });
  return hits.map(({ id }) => Number(id.slice(-12)));
}

describe('the collection', () => {
  test('is created once, with the configured size, replicas and shards, and with its indexes', async () => {
    const server = await startedQdrant();
    const store = openOn(server, { replicationFactor: 2, shardNumber: 3, writeConsistencyFactor: 1 });
    expect(server.requests).toEqual([]);
    await Promise.all([store.ping(), store.count(), store.upsert([vectorRecord(1)])]);
    expect(asked(server, 'PUT', '/collections/memories').map(({ body }) => body)).toEqual([
      {
        vectors: { size: 4, distance: 'Cosine' },
        hnsw_config: { m: 16, ef_construct: 200 },
        on_disk_payload: true,
        replication_factor: 2,
        shard_number: 3,
        write_consistency_factor: 1,
      },
    ]);
    const keyword = { type: 'keyword' };
    const instant = { type: 'integer', lookup: false, range: true };
    expect(Object.fromEntries(server.collections.get('memories')?.indexes ?? [])).toEqual({
      keys: keyword,
      prefixes: keyword,
      model: keyword,
      timestamp: instant,
      valid_from: instant,
      valid_to: instant,
    });
  });

  test('stays unchanged if it already exists, except that missing indexes are created', async () => {
    const server = await startedQdrant();
    await openOn(server).upsert([vectorRecord(1)]);
    server.collections.get('memories')?.indexes.delete('valid_to');
    server.requests.length = 0;
    const store = openOn(server, { replicationFactor: 3 });
    expect(await store.count()).toBe(1);
    expect(server.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { field_name: 'valid_to', field_schema: { type: 'integer', lookup: false, range: true } },
    ]);
  });

  test.each([
    ['/behind/a proxy/', '/behind/a%20proxy/collections/memories'],
    ['/team', '/team/collections/memories'],
    ['/team/qdrant', '/team/qdrant/collections/memories'],
  ])('is reached through the path "%s" of the URL', async (path, expected) => {
    const server = await startedQdrant();
    server.behave({ status: 500, json: {} });
    const store = openOn(server, { url: `${server.url}${path}` });
    await expect(store.ping()).rejects.toThrow();
    expect(server.requests.map(request => request.path)).toEqual([expected]);
  });

  test.each([
    ['http://qdrant', 'http://qdrant:6333'],
    ['https://qdrant.example', 'https://qdrant.example:6333'],
    ['https://qdrant.example:443/', 'https://qdrant.example:443'],
    ['http://qdrant:80/a/', 'http://qdrant:80/a'],
    ['http://[::1]', 'http://[::1]:6333'],
    ['http://[::1]:7000/', 'http://[::1]:7000'],
  ])('is described with the address and port of its server: %s', async (url, address) => {
    const server = await startedQdrant();
    expect(openOn(server, { url }).description).toBe(`Qdrant at ${address}, collection memories`);
  });
});

describe('writes', () => {
  test('ask Qdrant to wait until they are applied, and to preserve their order in a cluster', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    await store.upsert([vectorRecord(1)]);
    await store.updatePayloads([{ id: idOf(1), payload: vectorRecord(1).payload }]);
    await store.remove([idOf(1)]);
    const writes = [
      ...asked(server, 'PUT', POINTS),
      ...asked(server, 'POST', `${POINTS}/batch`),
      ...asked(server, 'POST', `${POINTS}/delete`),
    ];
    expect(writes.map(({ query }) => query)).toEqual(Array(3).fill({ wait: 'true', ordering: 'medium' }));
  });

  test('keep payload fields that other programs have added to a point', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    await store.upsert([vectorRecord(1)]);
    const payload = () => server.collections.get('memories')?.points.get(idOf(1))?.payload;
    Object.assign(payload() ?? {}, { owner: 'another program' });
    await store.upsert([{ ...vectorRecord(1, { tags: ['second'] }), vector: Float32Array.from([0, 0, 1, 0]) }]);
    await store.updatePayloads([{ id: idOf(1), payload: vectorPayload({ tags: ['third'] }) }]);
    expect(payload()).toMatchObject({ owner: 'another program', keys: ['third'] });
    expect((await store.vectorsOf([idOf(1)])).get(idOf(1))).toEqual(Float32Array.from([0, 0, 1, 0]));
  });

  test('are split into requests with a bounded number of points', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    const many = Array.from({ length: 1_001 }, (_, index) => vectorRecord(index));
    await store.upsert(many);
    await store.updatePayloads(many);
    expect((await store.vectorsOf(many.map(({ id }) => id))).size).toBe(1_001);
    await store.remove(many.map(({ id }) => id));
    expect(asked(server, 'PUT', POINTS)).toHaveLength(4);
    expect(asked(server, 'POST', `${POINTS}/batch`)).toHaveLength(4);
    // Four requests ask which points already exist, and four read the vectors.
    expect(asked(server, 'POST', POINTS)).toHaveLength(8);
    expect(asked(server, 'POST', `${POINTS}/delete`)).toHaveLength(2);
  });

  test('are split into requests of bounded size', async () => {
    const server = await startedQdrant();
    const dimensions = 4_000;
    const store = openOn(server, { dimensions });
    // Most values are small after normalisation. Such values have the most digits.
    const vector = Float32Array.from({ length: dimensions }, (_, index) =>
      index === 0 ? 1e6 : -1.2345678 - index / 7,
    );
    const many = Array.from({ length: 150 }, (_, index) => ({ ...vectorRecord(index), vector }));
    await store.upsert(many);
    const long = Array.from({ length: 100 }, (_, index) => `${index}${'長'.repeat(150)}`);
    await store.updatePayloads(many.map(({ id }) => ({ id, payload: vectorPayload({ tags: long }) })));
    for (const [method, path] of [
      ['PUT', POINTS],
      ['POST', `${POINTS}/batch`],
    ] as const) {
      const sizes = asked(server, method, path).map(({ bytes }) => bytes);
      expect(sizes.length).toBeGreaterThan(2);
      expect(Math.max(...sizes)).toBeLessThan(4 * 1024 * 1024);
    }
    expect(await store.count()).toBe(150);
  });

  test('keep vectors in single precision, with at most nine digits per value', async () => {
    const server = await startedQdrant();
    const store = openOn(server, { dimensions: 300 });
    const vector = Float32Array.from({ length: 300 }, (_, index) => Math.sin(index + 1) * 10 ** ((index % 12) - 6));
    const length = Math.hypot(...vector);
    await store.upsert([{ ...vectorRecord(1), vector }]);
    const [request] = asked(server, 'PUT', POINTS);
    const { points } = (request?.body ?? { points: [] }) as { points: { vector: number[] }[] };
    const [point] = points;
    expect(Float32Array.from(point?.vector ?? [])).toEqual(vector.map(value => value / length));
    for (const value of point?.vector ?? []) {
      expect(
        String(value)
          .replace(/e.*$/, '')
          .replace(/^-?0?\.?0*|[.]/g, '').length,
      ).toBeLessThanOrEqual(9);
    }
  });

  test('skip invalid ids, except that storing a vector under an invalid id is refused', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    await store.upsert([vectorRecord(1)]);
    server.requests.length = 0;
    const payload = vectorRecord(1).payload;
    for (const id of ['', 'x', '7', idOf(1).replace(/0/, 'A')]) {
      await expect(store.upsert([vectorRecord(2), { ...vectorRecord(3), id }])).rejects.toThrow(/must be a UUID/);
      await store.updatePayloads([{ id, payload }]);
      await store.remove([id]);
      expect((await store.vectorsOf([id])).size).toBe(0);
    }
    expect(server.requests).toEqual([]);
    expect(await store.count()).toBe(1);
  });

  test('change existing points in one request, even if other ids are unknown', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    await store.upsert([vectorRecord(1), vectorRecord(2)]);
    const payload = vectorRecord(1, { tags: ['new'] }).payload;
    await store.updatePayloads([9, 1, 8, 2].map(number => ({ id: idOf(number), payload })));
    expect(await found(store, { tags: { keys: ['new'], mode: 'any', match: 'exact' } })).toEqual([1, 2]);
    expect(asked(server, 'POST', `${POINTS}/batch`)).toHaveLength(1);
  });
});

describe('searches', () => {
  test('send one request if its results fill the limit, and otherwise search all points exactly', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    await store.upsert([1, 2, 3].map(number => vectorRecord(number)));
    const searches = () => asked(server, 'POST', `${POINTS}/query`).map(({ body }) => body as { params: object });
    expect(await found(store, {}, 3)).toEqual([1, 2, 3]);
    expect(searches().map(({ params }) => params)).toEqual([{ hnsw_ef: 128, quantization: { rescore: true } }]);
    server.collections.get('memories')?.unlinked.add(idOf(2));
    expect(await found(store, {}, 2)).toEqual([1, 3]);
    expect(await found(store, {}, 3)).toEqual([1, 2, 3]);
    expect(searches().at(-1)?.params).toEqual({ exact: true });
  });

  test('of several vectors are sent as one request, and only those with too few results are sent again', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    await store.upsert([1, 2, 3].map(number => vectorRecord(number)));
    server.collections.get('memories')?.unlinked.add(idOf(2));
    const { vector } = vectorRecord(1);
    const searches = [2, 3, 1].map(limit => ({ vector, limit, filter: {}, models: ['m'] }));
    const each = await store.searchEach(searches);
    expect(each.map(hits => hits.map(({ id }) => id).sort())).toEqual([
      [idOf(1), idOf(3)],
      [idOf(1), idOf(2), idOf(3)],
      [idOf(1)],
    ]);
    const sent = asked(server, 'POST', `${POINTS}/query/batch`).map(({ body }) => body as { searches: QueryRequest[] });
    expect(sent.map(request => request.searches.map(({ limit, params }) => [limit, params?.exact]))).toEqual([
      [
        [2, undefined],
        [3, undefined],
        [1, undefined],
      ],
      [[3, true]],
    ]);
  });

  test('examine at least as many candidates as they may return', async () => {
    const server = await startedQdrant();
    await found(openOn(server), {}, 500);
    expect(asked(server, 'POST', `${POINTS}/query`)[0]?.body).toMatchObject({ limit: 500, params: { hnsw_ef: 500 } });
  });

  test('sort points with equal scores by id, and limit similarities to -1..1', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    const vector = Float32Array.of(0.1, 0.7, 0.3, 0.9);
    await store.upsert([5, 3, 4, 1, 2].map(number => ({ ...vectorRecord(number), vector })));
    const hits = await store.search({ vector, limit: 10, filter: {}, models: ['m'] });
    expect(hits.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map(idOf));
    server.behave({
      status: 200,
      json: { result: { points: [1.0000001, -1.0000001].map(score => ({ id: idOf(1), score })) } },
    });
    const [above, below] = await store.search({ vector, limit: 2, filter: {}, models: ['m'] });
    expect([above?.similarity, below?.similarity]).toEqual([1, -1]);
  });

  test('return nothing for a filter that no point can pass', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    await store.upsert([vectorRecord(1)]);
    const vector = Float32Array.of(1, 0, 0, 0);
    const none = { keys: [], match: 'exact' } as const;
    expect(await store.search({ vector, limit: 10, filter: {}, models: [] })).toEqual([]);
    expect(await found(store, {}, 0)).toEqual([]);
    expect(await found(store, { tags: { ...none, mode: 'any' } })).toEqual([]);
    expect(await found(store, { tags: { ...none, mode: 'all' } })).toEqual([1]);
  });

  test('filter by tags with any characters', async () => {
    const tags = [
      '"',
      "'",
      '\\',
      '$ne',
      '{"any":["x"]}',
      '[]',
      'null',
      '*',
      '%',
      'a b',
      '日本語',
      '🦄',
      'e\u0301',
      '\u2028',
      '\u0001',
      '-1',
      '1',
      'true',
      'must_not',
      'x'.repeat(500),
      '::',
      '__proto__',
      'constructor',
    ];
    const server = await startedQdrant();
    const store = openOn(server);
    await store.upsert(tags.map((tag, index) => vectorRecord(index, { tags: [tag] })));
    for (const [index, tag] of tags.entries()) {
      const keys = tagKeys([tag]);
      expect(await found(store, { tags: { keys, mode: 'any', match: 'exact' } })).toEqual([index]);
      expect(await found(store, { tags: { keys, mode: 'all', match: 'prefix' } })).toEqual([index]);
      const others = await found(store, { excludedTagKeys: keys }, 100);
      expect(others).toHaveLength(tags.length - 1);
      expect(others).not.toContain(index);
    }
  });

  test('filter by any instant that a JavaScript date can represent', async () => {
    const first = -8.64e15;
    const last = 8.64e15;
    const server = await startedQdrant();
    const store = openOn(server);
    await store.upsert([
      vectorRecord(1, { timestampMs: first }),
      vectorRecord(2, { timestampMs: -1 }),
      vectorRecord(3, { timestampMs: last }),
    ]);
    expect(await found(store, { toMs: -1 })).toEqual([1, 2]);
    expect(await found(store, { fromMs: -1 })).toEqual([2, 3]);
    expect(await found(store, { fromMs: first, toMs: first })).toEqual([1]);
    expect(await found(store, { fromMs: last })).toEqual([3]);
    for (const validAtMs of [first, -1, 0, last]) expect(await found(store, { validAtMs })).toEqual([1, 2, 3]);
    await store.upsert([
      vectorRecord(1, { validFromMs: first, validToMs: -5 }),
      vectorRecord(2, { validFromMs: -5, validToMs: 0 }),
      vectorRecord(3, { validFromMs: last }),
    ]);
    expect(await found(store, { validAtMs: first })).toEqual([1]);
    expect(await found(store, { validAtMs: -6 })).toEqual([1]);
    expect(await found(store, { validAtMs: -5 })).toEqual([2]);
    expect(await found(store, { validAtMs: 0 })).toEqual([]);
    expect(await found(store, { validAtMs: last })).toEqual([3]);
  });

  test('send the tags of a filter as one condition, even 3000 tags', async () => {
    const server = await startedQdrant();
    const store = openOn(server);
    const keys = Array.from({ length: 3_000 }, (_, index) => `t${index}`);
    await store.upsert([vectorRecord(1, { tags: ['t2999'] }), vectorRecord(2, { tags: ['other'] })]);
    expect(await found(store, { tags: { keys, mode: 'any', match: 'exact' } })).toEqual([1]);
    expect(asked(server, 'POST', `${POINTS}/query`)[0]?.body).toMatchObject({
      with_payload: false,
      filter: {
        must: [
          { key: 'model', match: { any: ['m'] } },
          { key: 'keys', match: { any: keys } },
        ],
      },
    });
  });
});

test('the store lists and counts every id, page by page, except points of other programs', async () => {
  const server = await startedQdrant();
  const store = openOn(server);
  const many = Array.from({ length: 2_500 }, (_, index) => vectorRecord(index));
  await store.upsert(many);
  for (const id of [7, idOf(9_999)]) {
    const payload = { content: 'of another program', model: 'm' };
    server.collections.get('memories')?.points.set(id, { id, vector: new Float32Array(4), payload });
  }
  expect(await store.count()).toBe(2_500);
  const ids: string[] = [];
  for await (const id of store.ids()) ids.push(id);
  expect(ids.sort()).toEqual(many.map(({ id }) => id));
  expect(asked(server, 'POST', `${POINTS}/scroll`)).toHaveLength(3);
});

test('the store prints nothing, whatever the client tries to print', async () => {
  const spies = (['log', 'warn', 'error', 'info'] as const).map(name => vi.spyOn(console, name).mockReturnValue());
  const server = await startedQdrant('secret');
  await openOn(server, { apiKey: 'secret' }).ping();
  for (const spy of spies) {
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  }
  expect(server.requests.map(({ path }) => path)).not.toContain('/');
});
