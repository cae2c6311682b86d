/** Tests Engraph on a real FalkorDB with killed processes, with several processes, and with many requests at once. */
import { expect, onTestFinished, test } from 'vitest';
import type { WorkStatusAnswer } from '../../src/api/maintenance.js';
import { openFalkorStore } from '../../src/stores/falkordb/store.js';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { describeFalkor, eventually, type FalkorServer } from '../support/falkordb-server.js';
import type { QdrantRequest } from '../support/qdrant-server.js';
import { startedQdrant } from '../support/qdrant-store.js';
import { memory, NOON } from '../support/records.js';
import { openService, VECTOR_SIZE } from './falkordb-service.js';
import { createLedger } from './ledger.js';
import { createRandom } from './random.js';
import { forEachOf, readAll, readOne } from './reader.js';
import { wordOf, writeUntilGone } from './writer.js';

/** Number of rounds. Each round ends with a kill. A longer test sets a higher number. */
const ROUNDS = Number(process.env.ENGRAPH_TEST_ROUNDS ?? 2);
const WRITERS = 3;
const RECALLS = 60;
const SEED = Number(process.env.ENGRAPH_TEST_SEED ?? Date.now() % 1_000_000);
/** The short timeout makes embedding start soon after a write, so that kills also interrupt embedding. */
const BINARY = { VECTOR_SIZE: String(VECTOR_SIZE), LLM_PROVIDER: 'none' };
/** A time that is longer than the lease of a claim. */
const LEASE_OVER_MS = 61_000;
const EACH = 40;
const RECALLS_AT_ONCE = 200;
const STORES_AT_ONCE = 100;
/** A number of memories that exceeds the number of rows that the server returns in one answer. */
const MANY = 11_000;

function wait(durationMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, durationMs));
}

async function post<Body>(url: string, path: string, json: unknown): Promise<Body> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const body = await response.json();
  expect([response.status, (body as { error?: string }).error]).toEqual([201, undefined]);
  return body as Body;
}

/** Returns the ids of the vectors in a write request to Qdrant. */
function upserted({ method, path, body }: QdrantRequest): string[] {
  if (method !== 'PUT' || !path.endsWith('/points')) return [];
  return (body as { points: { id: string }[] }).points.map(({ id }) => id);
}

describeFalkor('Engraph on FalkorDB', {}, suite => {
  test(`keeps every acknowledged write when its process is killed again and again (seed ${SEED})`, {
    timeout: 60_000 + ROUNDS * 20_000,
  }, async () => {
    const random = createRandom(SEED);
    const folder = await temporaryFolder();
    const ledger = createLedger();
    const settings = { ...BINARY, FALKORDB_URL: suite.server.url, FALKORDB_GRAPH: 'killed' };
    for (let round = 1; round <= ROUNDS; round++) {
      const { url, child, ended } = await spawnServe(folder, settings);
      const touched = ledger.touched();
      const actual = await readAll(url);
      expect(ledger.settle(actual)).toEqual([]);
      await forEachOf(touched, async id => expect(await readOne(url, id), id).toBe(actual.get(id)));
      const before = ledger.acknowledgedRequests;
      const writers = Array.from({ length: WRITERS }, () => writeUntilGone(url, round, { ledger, random }));
      await eventually(async () => expect(ledger.acknowledgedRequests).toBeGreaterThan(before));
      await wait(random.between(30, 350));
      child.kill('SIGKILL');
      await Promise.all([...writers, ended]);
    }
    const next = await openService({ ...settings, ENGRAPH_DATA_DIR: folder });
    const actual = await eventually(async () => {
      const { status, body } = await next.call('GET /memory/by-tag?tags=ledger&limit=1');
      expect([status, body.count]).toEqual([200, 1]);
      return body;
    });
    expect(actual.count).toBe(1);
    // The service takes over the claims of killed processes when their leases end.
    await next.untilDone();
    const sample = ledger.live().filter((_, index, all) => index % Math.ceil(all.length / RECALLS) === 0);
    const lost = ledger.touched();
    for (const id of sample) {
      if (!lost.includes(id)) expect(await next.recallIds(wordOf(id)), id).toEqual([id]);
    }
    const { memory_count, vector_count, embedding, enrichment } = await next.health();
    expect(vector_count).toBe(memory_count);
    expect([embedding.failed, enrichment.failed]).toEqual([0, 0]);
    expect(ledger.acknowledgedRequests).toBeGreaterThan(ROUNDS);
  });

  test("shows two processes each other's writes at once, divides the work, and finishes the work of a killed process", {
    timeout: 60_000,
  }, async () => {
    const qdrant = await startedQdrant();
    const shared = { ...BINARY, FALKORDB_URL: suite.server.url, FALKORDB_GRAPH: 'shared', QDRANT_URL: qdrant.url };
    const embeddedTimes = () => {
      const times = new Map<string, number>();
      for (const id of qdrant.requests.flatMap(upserted)) times.set(id, (times.get(id) ?? 0) + 1);
      return times;
    };
    const other = await spawnServe(await temporaryFolder(), { ...shared, QDRANT_TIMEOUT_SECONDS: '60' });
    const own = await openService(shared);
    const ids: string[] = [];
    for (let index = 0; index < EACH; index++) {
      const theirs = (await post<{ memory_id: string }>(other.url, '/memory', { content: `lynx${index} of theirs` }))
        .memory_id;
      expect(await own.recallIds(`lynx${index}`)).toEqual([theirs]);
      const mine = (await own.call('POST /memory', { content: `stoat${index} of mine` })).body.memory_id;
      const found = (await (await fetch(`${other.url}/recall?query=stoat${index}&limit=1`)).json()) as {
        results: { id: string }[];
      };
      expect(found.results.map(({ id }) => id)).toEqual([mine]);
      ids.push(theirs, mine);
      own.clock.advance(20);
    }
    // The clock of `own` advances in small steps. With large steps it would get ahead by more than a lease, and `own`
    // would take the work of the other process.
    await own.whenTimePasses(
      async () => {
        const { embedding, enrichment } = await own.health();
        expect(embedding.pending + enrichment.queue_depth).toBe(0);
      },
      { stepMs: 10 },
    );
    expect([...embeddedTimes().keys()].sort()).toEqual([...ids].sort());
    expect([...embeddedTimes()].filter(([, times]) => times > 1)).toEqual([]);
    // A worker counts a success a moment after the graph has stored the result.
    const { theirStatus, ownStatus } = await eventually(async () => {
      const theirs = (await (await fetch(`${other.url}/enrichment/status`)).json()) as WorkStatusAnswer;
      const ours = await own.engine.workStatus();
      expect(theirs.stats.successes + ours.worker.successes).toBe(ids.length);
      return { theirStatus: theirs, ownStatus: ours };
    });
    expect(ownStatus.worker.failures + theirStatus.stats.failures).toBe(0);

    // Qdrant does not answer the upserts of the other process, which therefore has claims when it is killed.
    let held: string[] = [];
    qdrant.behave(request => {
      held = [...held, ...upserted(request)];
      return upserted(request).length > 0 ? 'hang' : undefined;
    });
    const orphans = await post<{ memory_ids: string[] }>(
      other.url,
      '/memory/batch',
      Array.from({ length: 10 }, (_, index) => ({ content: `ibex${index} on a ridge` })),
    );
    await eventually(async () => expect(held.sort()).toEqual([...orphans.memory_ids].sort()));
    other.child.kill('SIGKILL');
    await other.ended;
    qdrant.behave(undefined);
    const before = qdrant.requests.length;
    own.clock.advance(30_000);
    await own.engine.idle();
    expect(qdrant.requests.slice(before).flatMap(upserted), 'the lease still holds').toEqual([]);
    own.clock.advance(LEASE_OVER_MS);
    await own.untilDone();
    expect(qdrant.requests.slice(before).flatMap(upserted).sort()).toEqual([...orphans.memory_ids].sort());
    for (const id of orphans.memory_ids) expect((await own.call(`GET /memory/${id}`)).body.enriched, id).toBe(true);
    expect(await own.health()).toMatchObject({ memory_count: ids.length + 10, vector_count: ids.length + 10 });
  });
});

/** Checks that excess requests are refused, and that later requests and the connection still work. */
async function refuseWhatIsTooMuch({ url, clientIds }: FalkorServer): Promise<void> {
  const others = await clientIds();
  const store = openFalkorStore({ url, graph: 'large', timeoutMs: 500 });
  onTestFinished(() => store.close());
  await eventually(() => store.ping());
  const own = (await clientIds()).filter(id => !others.includes(id));
  expect(own).not.toEqual([]);
  const pages = await Promise.allSettled(Array.from({ length: 400 }, () => store.readRecords({ limit: 500 })));
  const refused = pages.flatMap(page => (page.status === 'rejected' ? [(page.reason as Error).message] : []));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.filter(message => !message.endsWith('is too busy'))).toEqual([]);
  expect(await clientIds()).toEqual(expect.arrayContaining(own));
  // On a slow machine, the server may refuse all 400 pages. A page that is read afterwards succeeds sooner or later. Until
  // then the connection may be replaced, because the server is still busy with refused pages and answers nothing else.
  await eventually(() => store.readRecords({ limit: 500 }));
}

/** The options with which the container image of FalkorDB starts the server. */
const AS_IN_ITS_IMAGE = ['MAX_QUEUED_QUERIES', '25', 'TIMEOUT', '1000', 'RESULTSET_SIZE', '10000'];

describeFalkor('Engraph on a FalkorDB with the options of its image', { moduleArguments: AS_IN_ITS_IMAGE }, suite => {
  test('answers hundreds of simultaneous requests correctly', { timeout: 30_000 }, async () => {
    const { call } = await openService({ FALKORDB_URL: suite.server.url, FALKORDB_GRAPH: 'busy' });
    const items = Array.from({ length: RECALLS_AT_ONCE }, (_, index) => ({
      content: `gannet${index} over cliff${index}`,
    }));
    const ids: string[] = (await call('POST /memory/batch', items)).body.memory_ids;
    const recalls = ids.map((_, index) => call(`GET /recall?query=gannet${index}&limit=1`));
    const stores = Array.from({ length: STORES_AT_ONCE }, (_, index) =>
      call('POST /memory', { content: `petrel${index} under cliff${index}` }),
    );
    const [recalled, stored] = await Promise.all([Promise.all(recalls), Promise.all(stores)]);
    expect(recalled.filter(({ status }) => status !== 200).map(({ body }) => body.error)).toEqual([]);
    expect(recalled.map(({ body }) => body.results[0]?.id)).toEqual(ids);
    expect(stored.filter(({ status }) => status !== 201).map(({ body }) => body.error)).toEqual([]);
    expect((await call('GET /health')).body.memory_count).toBe(RECALLS_AT_ONCE + STORES_AT_ONCE);
  });

  test("waits and then succeeds when other clients have filled the server's queue", { timeout: 30_000 }, async () => {
    const settings = { url: suite.server.url, graph: 'busy', timeoutMs: 20_000 };
    const stores: ReturnType<typeof openFalkorStore>[] = [];
    onTestFinished(async () => void (await Promise.all(stores.map(store => store.close()))));
    // The server queues one statement of each connection, so that 40 connections fill its queue.
    for (let index = 0; index < 40; index++) {
      const store = openFalkorStore(settings);
      stores.push(store);
      await store.ping();
    }
    const counts = stores.flatMap(store => Array.from({ length: 6 }, () => store.readRecords({ limit: 300 })));
    expect(new Set((await Promise.all(counts)).map(page => page.length))).toEqual(new Set([300]));
  });

  test('returns all requested pages and records, also if the server cuts long answers short', {
    timeout: 30_000,
  }, async () => {
    const settings = { FALKORDB_URL: suite.server.url, FALKORDB_GRAPH: 'large' };
    const graph = openFalkorStore({ url: suite.server.url, graph: 'large', timeoutMs: 20_000 });
    onTestFinished(() => graph.close());
    const records = Array.from({ length: MANY }, (_, index) => ({
      memory: memory(index, { content: 'x', tags: ['herd'] }),
      work: [],
    }));
    for (let start = 0; start < MANY; start += 1_000) await graph.saveMemories(records.slice(start, start + 1_000));
    expect((await graph.getMemories(records.map(({ memory: { id } }) => id))).size).toBe(MANY);
    expect((await graph.relationsOf({ ids: records.map(({ memory: { id } }) => id), limit: 1 })).size).toBe(MANY);
    expect((await graph.list({ filter: { toMs: NOON * 2 }, order: 'newest', limit: MANY })).length).toBe(MANY);
    await refuseWhatIsTooMuch(suite.server);
    const { call } = await openService(settings);
    const page = await call('GET /memory/by-tag?tags=herd&limit=200&offset=10900');
    expect([page.status, page.body.count, page.body.has_more]).toEqual([200, 100, false]);
    expect((await call('GET /memory/by-tag?tags=herd&limit=200&offset=10100')).body).toMatchObject({
      count: 200,
      has_more: true,
    });

    await suite.server.command('GRAPH.CONFIG', 'SET', 'RESULTSET_SIZE', '50');
    const small = await openService(settings);
    for (const request of ['limit=20&offset=1', 'limit=200&offset=1', 'limit=200']) {
      const whole = await small.call(`GET /memory/by-tag?tags=herd&${request}`);
      expect([whole.body.error, whole.body.count]).toEqual([undefined, Number.parseInt(request.slice(6), 10)]);
    }
    await suite.server.command('GRAPH.CONFIG', 'SET', 'RESULTSET_SIZE', '10000');
  });
});
