/**
 * Tests the whole service while its FalkorDB is killed, stopped, frozen or full. No acknowledged write is lost, and no
 * request hangs.
 */
import { expect, onTestFinished, test } from 'vitest';
import { connectClient, textOf } from '../mcp/connected-client.js';
import { describeFalkor, eventually } from '../support/falkordb-server.js';
import { startedQdrant } from '../support/qdrant-store.js';
import {
  countingProxy,
  faultsOfOutageAnswer,
  openService,
  requestsOfEveryKind,
  type Service,
} from './falkordb-service.js';
import { createLedger } from './ledger.js';
import { type Edge, readAllStates, writeThroughOutages } from './outage-writer.js';
import { createRandom } from './random.js';
import { wordOf } from './writer.js';

const KILLS = Number(process.env.ENGRAPH_TEST_KILLS ?? 2);
const WRITERS = 3;
const RECALLS = 60;
/** The clock advances by this time before each request, so that background work runs between two requests. */
const REQUEST_MS = 40;
/** To repeat a run, set ENGRAPH_TEST_SEED to its seed. The timing of the processes still differs from run to run. */
const SEED = Number(process.env.ENGRAPH_TEST_SEED ?? Date.now() % 1_000_000);
const FROZEN_LIMIT_MS = 1_000;

/** Sends requests of every kind one by one, and returns the answers that do not report the outage as they should. */
async function faultsDuringOutage({ call }: Pick<Service, 'call'>, id: string, times = 1): Promise<string[]> {
  const faults: string[] = [];
  for (let turn = 0; turn < times; turn++) {
    for (const [route, json] of requestsOfEveryKind(id)) {
      faults.push(...faultsOfOutageAnswer(route, await call(route, json)));
    }
  }
  return faults;
}

async function storeOne({ call }: Service, content: string, id?: string): Promise<string> {
  const { status, body } = await call('POST /memory', { content, ...(id && { id }) });
  expect([status, body.error]).toEqual([201, undefined]);
  return body.memory_id;
}

let graphs = 0;
/** Returns the settings of a service with a separate graph. */
function on(url: string | undefined, timeoutMs = 10_000): Record<string, string> {
  graphs += 1;
  return {
    FALKORDB_URL: url ?? '',
    FALKORDB_GRAPH: `chaos-${graphs}`,
    FALKORDB_TIMEOUT_SECONDS: String(timeoutMs / 1000),
  };
}

// The other tests have a server of their own, because a server that was killed often loads what its long log has kept.
describeFalkor('a service whose FalkorDB', {}, suite => {
  test(`is killed during writes keeps every acknowledged write (seed ${SEED})`, {
    timeout: 30_000 + KILLS * 10_000,
  }, async () => {
    const { server } = suite;
    const random = createRandom(SEED);
    const ledger = createLedger();
    const edges: Edge[] = [];
    const faults: string[] = [];
    const service = await openService({ ...on(server.url) });
    const call: Service['call'] = (route, json) => {
      service.clock.advance(REQUEST_MS);
      return service.call(route, json);
    };
    const known = await storeOne(service, 'known before all outages');
    const associated: Edge[] = [];
    for (let round = 1; round <= KILLS; round++) {
      const other = await storeOne(service, `associated before outage ${round}`);
      const edge = { memory1_id: known, memory2_id: other, type: 'LEADS_TO', strength: 0.9 };
      expect((await call('POST /associate', edge)).status).toBe(201);
      associated.push({ from: known, to: other });
      let isOver = false;
      const enough = ledger.acknowledgedRequests + random.between(5, 50);
      const shared = { call, ledger, random, round, edges, faults, isOver: () => isOver };
      const writers = Array.from({ length: WRITERS }, () => writeThroughOutages(shared));
      await eventually(async () => expect(ledger.acknowledgedRequests).toBeGreaterThan(enough));
      await server.kill();
      const away = performance.now();
      faults.push(...(await faultsDuringOutage(service, known)));
      expect(performance.now() - away).toBeLessThan(10_000);
      isOver = true;
      await Promise.all(writers);
      await server.restart();
      await service.untilHealthy();
      expect(ledger.settle(await readAllStates({ call }))).toEqual([]);
      // The next start loads a snapshot and the log behind it, as that of a server in use does, and not all earlier rounds.
      await server.command('BGREWRITEAOF');
    }
    expect(faults).toEqual([]);
    expect(ledger.lostRequests).toBeGreaterThan(0);
    await service.untilDone(10_000 + KILLS * 2_500);
    const live = new Set(ledger.live());
    expect(await service.health()).toMatchObject({
      memory_count: live.size + 1 + KILLS,
      vector_count: live.size + 1 + KILLS,
      embedding: { failed: 0 },
      enrichment: { failed: 0 },
    });
    const sample = [...live].filter((_, index) => index % Math.ceil(live.size / RECALLS) === 0);
    for (const id of sample) expect(await service.recallIds(wordOf(id)), id).toEqual([id]);
    const kept = edges.filter(({ from, to }) => live.has(from) && live.has(to));
    for (const { from, to } of [...associated, ...kept]) {
      const { relations } = (await call(`GET /memory/${from}`)).body;
      expect(relations).toContainEqual(
        expect.objectContaining({ type: 'LEADS_TO', memory: expect.objectContaining({ id: to }) }),
      );
    }
  });
});

describeFalkor('a service whose FalkorDB', {}, suite => {
  test('is stopped reports the outage at once on routes and tools, and continues without a restart', {
    timeout: 30_000,
  }, async () => {
    const { server } = suite;
    const proxy = await countingProxy(server.url);
    const service = await openService(on(proxy.url));
    const { client, call: callTool } = await connectClient(service.engine);
    const id = await storeOne(service, 'a heron stands on the chimney');
    await server.kill();
    expect(await faultsDuringOutage(service, id)).toEqual([]);
    const before = { connections: proxy.connections, statements: proxy.statements };
    expect(await faultsDuringOutage(service, id, 20)).toEqual([]);
    expect(proxy.statements).toBe(before.statements);
    // The waits between attempts to connect grow, even while requests arrive.
    expect(proxy.connections - before.connections).toBeLessThan(12);
    service.clock.advance(30_000);
    const { status, body } = await service.call('GET /health');
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'degraded', falkordb: 'disconnected', memory_count: null });
    for (const [tool, args] of [
      ['recall_memory', { query: 'heron' }],
      ['store_memory', { content: 'told during an outage' }],
      ['delete_memory', { memory_id: id }],
    ] as const) {
      const result = await callTool(tool, args);
      expect(result.isError, tool).toBe(true);
      expect(textOf(result), tool).toMatch(/FalkorDB at .*\nTry again later\./);
    }
    await server.restart();
    await service.untilHealthy();
    await storeOne(service, 'the heron flew off');
    await service.untilDone();
    expect(await service.recallIds('chimney')).toEqual([id]);
    expect((await callTool('recall_memory', { query: 'heron' })).isError).toBeFalsy();
    expect(await service.health()).toMatchObject({ memory_count: 2, vector_count: 2, falkordb: 'connected' });
    expect((await service.call(`GET /memory/${id}`)).body.enriched).toBe(true);
    await client.close();
  });

  test('was down at startup works once FalkorDB is up', { timeout: 30_000 }, async () => {
    const { server } = suite;
    await server.kill();
    const service = await openService(on(server.url));
    expect(await faultsDuringOutage(service, '00000000-0000-4000-8000-000000000009')).toEqual([]);
    await server.restart();
    await service.untilHealthy();
    const id = await storeOne(service, 'late herons are herons');
    await service.untilDone();
    expect(await service.recallIds('herons')).toEqual([id]);
  });

  test('goes down during work finishes the work soon after FalkorDB is up again', { timeout: 30_000 }, async () => {
    const { server } = suite;
    const qdrant = await startedQdrant();
    const vectors = { QDRANT_URL: qdrant.url, QDRANT_TIMEOUT_SECONDS: '0.3' };
    const service = await openService({ ...on(server.url), ...vectors });
    let isTaken = false;
    qdrant.behave(({ method, path }) => {
      const isUpsert = method === 'PUT' && path.endsWith('/points');
      isTaken ||= isUpsert;
      return isUpsert ? 'hang' : undefined;
    });
    const id = await storeOne(service, 'a heron that is being embedded');
    await service.whenTimePasses(async () => expect(isTaken).toBe(true));
    await server.kill();
    await eventually(async () =>
      expect(service.log.map(({ message }) => message).join('\n')).toContain('embedding is tried again'),
    );
    qdrant.behave(undefined);
    await server.restart();
    const backMs = service.clock.nowMs();
    await service.whenTimePasses(
      async () => {
        expect((await service.call(`GET /memory/${id}`)).body.enriched).toBe(true);
      },
      { stepMs: 50 },
    );
    // The lease of the claim lasts a minute. Less time has passed, so the work did not wait for the lease to end.
    expect(service.clock.nowMs() - backMs).toBeLessThan(40_000);
  });

  test('is frozen answers within 4 times the limit, then fails fast, and recovers', { timeout: 30_000 }, async () => {
    const { server } = suite;
    const random = createRandom(SEED);
    const proxy = await countingProxy(server.url);
    const service = await openService(on(proxy.url, FROZEN_LIMIT_MS));
    const known = await storeOne(service, 'known before the frost');
    const changed = await storeOne(service, 'one that is changed in the frost');
    const deleted = await storeOne(service, 'one that is deleted in the frost');
    const written = { id: random.uuid(), content: 'marmot written in the frost' };
    const batch = Array.from({ length: 30 }, (_, index) => ({
      id: random.uuid(),
      content: `badger ${index} in a sett`,
    }));
    const requests: [string, unknown?][] = [
      ['POST /memory', written],
      ['POST /memory/batch', batch],
      [`PATCH /memory/${changed}`, { content: 'otter changed in the frost', importance: 0.25 }],
      [`DELETE /memory/${deleted}`],
      ...requestsOfEveryKind(known),
    ];
    onTestFinished(() => server.thaw());
    server.freeze();
    const started = performance.now();
    const first = await Promise.all(requests.map(([route, json]) => service.call(route, json)));
    const ended = performance.now();
    const sentByFirst = proxy.statements;
    const faults: string[] = [];
    let slowestMs = 0;
    const timed: Service['call'] = async (route, json) => {
      const sentMs = performance.now();
      const answer = await service.call(route, json);
      slowestMs = Math.max(slowestMs, performance.now() - sentMs);
      return answer;
    };
    // Some of the requests below arrive during an attempt to connect, which takes the whole time limit.
    const { connections } = proxy;
    while (proxy.connections < connections + 2) {
      faults.push(...(await faultsDuringOutage({ call: timed }, known)));
      await new Promise(resolve => setImmediate(resolve));
    }
    expect(slowestMs).toBeLessThan(FROZEN_LIMIT_MS / 2);
    expect(ended - started).toBeLessThan(4 * FROZEN_LIMIT_MS);
    expect(first.flatMap((answer, index) => faultsOfOutageAnswer(requests[index]?.[0] ?? '', answer))).toEqual([]);
    expect(faults).toEqual([]);
    expect(proxy.statements - sentByFirst).toBeLessThan(5);
    const health = await service.call('GET /health');
    expect([health.status, health.body.falkordb]).toEqual([503, 'disconnected']);

    server.thaw();
    await service.untilHealthy();
    const { status } = await service.call(`GET /memory/${deleted}`);
    expect([200, 404]).toContain(status);
    const { content, importance } = (await service.call(`GET /memory/${changed}`)).body;
    expect([
      ['one that is changed in the frost', 0.5],
      ['otter changed in the frost', 0.25],
    ]).toContainEqual([content, importance]);
    const there = await Promise.all(batch.map(({ id }) => service.call(`GET /memory/${id}`)));
    expect(new Set(there.map(answer => answer.status)).size, 'a batch is there whole or not at all').toBe(1);
    // Repeating a request does not conflict, whether or not its first attempt was written.
    expect((await service.call('POST /memory', written)).body).toMatchObject({ memory_id: written.id });
    expect((await service.call('POST /memory/batch', batch)).body.memory_ids).toEqual(batch.map(({ id }) => id));
    await service.untilDone();
    expect(await service.recallIds('marmot')).toEqual([written.id]);
    expect((await service.call('GET /recall?query=badger&limit=100')).body.count).toBe(batch.length);
  });

  test('is full still answers reads, refuses every write, and accepts writes once FalkorDB has memory again', {
    timeout: 30_000,
  }, async () => {
    const { server } = suite;
    const service = await openService(on(server.url));
    const id = await storeOne(service, 'a heron in a full house');
    await service.untilDone();
    await server.command('CONFIG', 'SET', 'maxmemory', '1');
    const logged = service.log.length;
    for (let turn = 0; turn < 20; turn++) {
      const { status, body } = await service.call('POST /memory', { content: 'one too many' });
      expect([status, body.error]).toEqual([503, expect.stringContaining('has no memory left')]);
      expect(await service.recallIds('heron')).toEqual([id]);
      service.clock.advance(1_000);
    }
    expect((await service.health()).falkordb).toBe('connected');
    const changes = service.log.slice(logged).filter(({ message }) => /can be reached again/.test(message));
    expect(changes).toEqual([]);
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
    await storeOne(service, 'there is room again');
    await service.untilDone();
  });
});
