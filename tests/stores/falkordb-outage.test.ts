/**
 * If the server is down, frozen, slow or not FalkorDB, calls fail within their time limit, and work again later without
 * a restart.
 */
import { afterEach, expect, test } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { openFalkorStore } from '../../src/stores/falkordb/store.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import {
  describeFalkor,
  eventually,
  type FalkorServer,
  startFalkorServer,
  startImpostor,
} from '../support/falkordb-server.js';
import { idOf, memory, NOON, relation } from '../support/records.js';

const TIMEOUT_MS = 400;
/** The longest time that a call may take until it fails, even on a busy machine. */
const PATIENCE_MS = TIMEOUT_MS + 2_000;
const updated_at = '2026-01-01T00:00:00.000Z';
const node = { kind: 'Pattern', id: 'n', properties: {}, updated_at } as const;
const token = `embed/${idOf(1)}/nonce`;
const same = <Value>(value: Value) => value;

async function* onePart<Part>(part: Part): AsyncGenerator<Part> {
  yield part;
}

/** Every method that sends a request to the server, except `reclaim`. */
const CALLS: Record<
  Exclude<keyof GraphStore, 'description' | 'name' | 'holdsVectors' | 'reclaim' | 'close'>,
  (store: GraphStore) => Promise<unknown>
> = {
  saveMemories: store => store.saveMemories(onePart([{ memory: memory(1), work: [] }])),
  getMemories: store => store.getMemories([idOf(1)]),
  updateMemory: store => store.updateMemory(idOf(1), current => ({ memory: current, work: [] })),
  annotate: store => store.annotate([{ id: idOf(1), lastAccessed: updated_at, relevance: 0.5, maybeOutdatedBy: 'x' }]),
  deleteMemories: store => store.deleteMemories([idOf(1)]),
  readRecords: store => store.readRecords({ limit: 1 }),
  vectorStates: store => store.vectorStates({ limit: 1 }),
  list: store => store.list({ filter: {}, order: 'newest', limit: 1 }),
  searchText: store => store.searchText({ terms: ['t'], filter: {}, limit: 1 }),
  neighbours: store => store.neighbours({ ids: [idOf(1)], span: 1, maxGapMs: 1 }),
  saveRelations: store => store.saveRelations([relation(1, 'LEADS_TO', 2)]),
  removeRelations: store => store.removeRelations([relation(1, 'LEADS_TO', 2)]),
  countRelations: store => store.countRelations([idOf(1)]),
  supersede: store =>
    store.supersede({
      record: { memory: memory(2), work: [] },
      supersededId: idOf(1),
      change: current => ({ memory: current, work: [] }),
      relation: relation(1, 'EVOLVED_INTO', 2),
    }),
  relationsOf: store => store.relationsOf({ ids: [idOf(1)], limit: 1 }),
  relationsWithEnds: store => store.relationsWithEnds({ ids: [idOf(1)], limit: 1 }),
  saveNode: store => store.saveNode(node),
  getNode: store => store.getNode('Pattern', 'n'),
  listNodes: store => store.listNodes('Pattern', 1),
  readNodes: store => store.readNodes('Pattern', { limit: 1 }),
  countNodes: store => store.countNodes('Pattern'),
  deleteNodes: store => store.deleteNodes('Pattern', ['n']),
  linkNode: store => store.linkNode({ memoryId: idOf(1), kind: 'Pattern', nodeId: 'n', confidence: 1, updated_at }),
  linksOf: store => store.linksOf([idOf(1)]),
  countNodeLinks: store => store.countNodeLinks('Pattern', 'n', { exceptId: idOf(1), max: 1 }),
  countTypes: store => store.countTypes(),
  surestPatterns: store => store.surestPatterns({ aboveConfidence: 0, limit: 1 }),
  importantOfTypes: store => store.importantOfTypes({ types: ['Habit'], leastImportance: 0, limit: 1 }),
  strongestPreferences: store => store.strongestPreferences(1),
  takeLease: store => store.takeLease({ name: 'l', holder: 'h', nowMs: NOON, untilMs: NOON + 1 }),
  claimWork: store => store.claimWork({ kind: 'embed', limit: 1, nowMs: NOON, leaseMs: 1 }),
  renewWork: store => store.renewWork([token], NOON),
  settleWork: store => store.settleWork([token], { embeddedBy: 'm' }),
  completeWork: store => store.completeWork(token, { change: same }),
  releaseWork: store => store.releaseWork([token], { dueMs: NOON }),
  makeWorkDue: store => store.makeWorkDue('embed', NOON),
  workCounts: store => store.workCounts('embed'),
  listWaiting: store => store.listWaiting({ kind: 'embed', filter: {}, limit: 1 }),
  nextWorkDueMs: store => store.nextWorkDueMs('embed'),
  requeue: store => store.requeue('embed', [idOf(1)]),
  requeueOutdated: store => store.requeueOutdated(['m']),
  staleVectors: store => store.staleVectors(1),
  settleStaleVectors: store => store.settleStaleVectors(['1']),
  countOutdatedWords: store => store.countOutdatedWords(),
  rewriteOutdatedWords: store => store.rewriteOutdatedWords({ limit: 1 }),
  countForeign: async store => store.countForeign?.(),
  countMemories: store => store.countMemories(),
  ping: store => store.ping(),
};

/** Expects each call to reject in time with the code `unavailable`. Returns the error messages. */
async function expectUnavailable(store: GraphStore): Promise<string[]> {
  const started = performance.now();
  const failures = await Promise.all(
    Object.entries(CALLS).map(([name, call]) =>
      call(store).then(
        () => expect.fail(`${name} did not reject`),
        (error: unknown) => {
          expect(error, name).toBeInstanceOf(MemoryError);
          expect((error as MemoryError).code, name).toBe('unavailable');
          return (error as MemoryError).message;
        },
      ),
    ),
  );
  expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
  return failures;
}

/** All nodes and edges of a graph as sorted JSON texts, so that a test can compare two states. */
async function contentsOf(server: FalkorServer, graph: string): Promise<string[]> {
  const nodes = await server.query<{ node: unknown }>(graph, 'MATCH (n) RETURN [labels(n), properties(n)] AS node');
  const edges = await server.query<{ edge: unknown }>(
    graph,
    'MATCH (a)-[r]->(b) RETURN [a.id, type(r), b.id, properties(r)] AS edge',
  );
  const sortedKeys = (_: string, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return [...nodes, ...edges].map(each => JSON.stringify(each, sortedKeys)).sort();
}

/** Performs many kinds of writes. Saves fifty memories and deletes two of them. */
async function writeOfEveryKind(store: GraphStore): Promise<void> {
  const numbers = Array.from({ length: 49 }, (_, index) => index + 1);
  await store.saveMemories(numbers.map(number => ({ memory: memory(number), work: ['embed', 'enrich'] })));
  const claim = { kind: 'embed', limit: 5, nowMs: NOON, leaseMs: 1000 } as const;
  const rounds = await Promise.all([store.claimWork(claim), store.claimWork(claim), store.claimWork(claim)]);
  const [settled = [], failed = [], given = []] = rounds.map(claims => claims.map(each => each.token));
  await store.settleWork(settled, { embeddedBy: 'model' });
  await store.releaseWork(failed.slice(0, 2), { error: 'for good', dueMs: null });
  await store.releaseWork(failed.slice(2), { error: 'later', dueMs: NOON + 5 });
  await store.releaseWork(given.slice(0, 2), { dueMs: NOON + 7 });
  await store.renewWork(given.slice(2), NOON + 9_000);
  const [enriching] = await store.claimWork({ ...claim, kind: 'enrich' });
  await store.saveRelations([relation(1, 'LEADS_TO', 2), relation(2, 'SIMILAR_TO', 3), relation(3, 'LEADS_TO', 1)]);
  await store.completeWork(enriching?.token ?? '', {
    change: current => ({ ...current, tags: ['t'], tag_prefixes: ['t'], enriched: true }),
    edges: { types: ['SIMILAR_TO'], relations: [relation(1, 'SIMILAR_TO', 4)] },
    patterns: {
      nodes: [node],
      links: [{ memoryId: idOf(1), kind: 'Pattern', nodeId: 'n', confidence: 1, updated_at }],
    },
  });
  await store.supersede({
    record: { memory: memory(50), work: ['embed'] },
    supersededId: idOf(5),
    change: current => ({ memory: { ...current, archived: true, content: 'number' }, work: ['embed'] }),
    relation: relation(5, 'EVOLVED_INTO', 50),
  });
  await store.annotate([
    { id: idOf(6), lastAccessed: '2026-07-01T00:00:00.000Z' },
    { id: idOf(7), lastAccessed: '2026-07-01T00:00:00.000Z' },
  ]);
  await store.requeue('enrich', [idOf(8), idOf(9)]);
  await store.requeueOutdated(['other model']);
  await store.takeLease({ name: 'lease', holder: 'h', nowMs: NOON, untilMs: NOON + 1 });
  await store.deleteMemories([idOf(10), idOf(11)]);
  await store.settleStaleVectors([(await store.staleVectors(1))[0]?.token ?? '']);
}

const open: GraphStore[] = [];
function openStore(url: string, overrides: object = {}): GraphStore {
  const store = openFalkorStore({ url, graph: 'outage', timeoutMs: TIMEOUT_MS, ...overrides });
  open.push(store);
  return store;
}
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

describeFalkor('FalkorDB in an outage', { hasPort: true }, suite => {
  test('the store rejects every call in time while the server is down, and works again after a restart', async () => {
    const store = openStore(suite.server.tcpUrl ?? '');
    await store.saveMemories([{ memory: memory(1), work: [] }]);
    const connected = await suite.server.clientIds();
    await suite.server.kill();
    for (const message of await expectUnavailable(store)) expect(message).toContain('FalkorDB at 127.0.0.1:');
    await suite.server.restart();
    await eventually(() => store.ping());
    expect(await store.getMemories([idOf(1)])).toEqual(new Map([[idOf(1), memory(1)]]));
    await expect.poll(() => suite.server.clientIds(), { timeout: 5_000 }).toHaveLength(connected.length);
    const again = await suite.server.clientIds();
    await store.ping();
    expect(await suite.server.clientIds()).toEqual(again);
  });

  test('the server has exactly the acknowledged data after it was killed and restarted', async () => {
    const { graph } = suite.settings();
    const store = openStore(suite.server.url, { graph, timeoutMs: 10_000 });
    await writeOfEveryKind(store);
    const before = await contentsOf(suite.server, graph);
    await suite.server.kill();
    await suite.server.restart();
    expect(await contentsOf(suite.server, graph)).toEqual(before);
    await eventually(() => store.ping());
    expect((await store.searchText({ terms: ['number'], filter: {}, limit: 100 })).hits).toHaveLength(48);
  });

  test('the store rejects two rounds of calls in time while the server is frozen, and works afterwards', async () => {
    const store = openStore(suite.server.url);
    await eventually(() => store.saveMemories([{ memory: memory(5), work: [] }]));
    suite.server.freeze();
    await expectUnavailable(store);
    await expectUnavailable(store);
    suite.server.thaw();
    await eventually(() => store.ping());
    expect(await store.getMemories([idOf(5)])).toEqual(new Map([[idOf(5), memory(5)]]));
  });

  test('a store that was opened while the server was down works once the server is up', async () => {
    await suite.server.kill();
    const store = openStore(suite.server.url);
    await expectUnavailable(store);
    await suite.server.restart();
    await eventually(() => store.ping());
    expect(await store.takeLease({ name: 'l', holder: 'h', nowMs: NOON, untilMs: NOON + 1 })).toBe(true);
  });

  test('a store can be closed twice while the server is frozen, and rejects pending and later calls', async () => {
    const store = openStore(suite.server.url);
    await store.ping();
    suite.server.freeze();
    const underWay = store.ping().catch((error: unknown) => error);
    await store.close();
    await store.close();
    expect(await underWay).toMatchObject({ code: 'unavailable' });
    await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
    suite.server.thaw();
  });

  test('a write to a read-only replica is rejected with an error that says so', async () => {
    const store = openStore(suite.server.url);
    await eventually(() => store.ping());
    await suite.server.command('REPLICAOF', '127.0.0.1', '1');
    await expect(store.saveMemories([{ memory: memory(7), work: [] }])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('read-only replica'),
    });
    await suite.server.command('REPLICAOF', 'NO', 'ONE');
    await eventually(() => store.saveMemories([{ memory: memory(7), work: [] }]));
  });

  test('a write is rejected with a clear error when the server is out of memory, and reads still work', async () => {
    const store = openStore(suite.server.url);
    await eventually(() => store.saveMemories([{ memory: memory(6), work: [] }]));
    await suite.server.command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(store.saveMemories([{ memory: memory(8), work: [] }])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('no memory left'),
    });
    expect(await store.getMemories([idOf(6)])).toEqual(new Map([[idOf(6), memory(6)]]));
    await suite.server.command('CONFIG', 'SET', 'maxmemory', '0');
  });
});

describeFalkor('FalkorDB with a password', {}, () => {
  test('accepts a password from the setting or the address, and no error shows a wrong password', async () => {
    const password = 'p@ss/wörd "x"';
    const server = await startFalkorServer({ hasPort: true, password });
    const withPassword = (given: string) => (server.tcpUrl ?? '').replace('://', `://:${encodeURIComponent(given)}@`);
    const inUrl = openStore(withPassword(password));
    await inUrl.ping();
    expect(inUrl.description).toMatch(/^FalkorDB at 127\.0\.0\.1:\d+$/);
    await openStore(server.url, { password }).ping();
    for (const store of [openStore(withPassword('secret-guess')), openStore(server.url)]) {
      const error = await store.ping().catch((failure: unknown) => failure as MemoryError);
      expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('refused the user name') });
      expect(JSON.stringify(error)).not.toContain('secret-guess');
      await store.close();
    }
    for (const store of open.splice(0)) await store.close();
    await server.stop();
  });
});

describeFalkor('A server that does not answer like FalkorDB', {}, () => {
  test.each([
    ['closes every connection', socket => socket.destroy()],
    ['never answers', () => undefined],
    ['speaks something else', socket => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['greets and then hangs up', socket => void socket.on('data', () => socket.end('+OK\r\n+OK\r\n'))],
  ] as [string, Parameters<typeof startImpostor>[0]][])('is reported as unavailable when it %s', async (_, behave) => {
    const impostor = await startImpostor(behave);
    const store = openStore(impostor.url);
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
    }
    await store.close();
    await impostor.stop();
  });

  test('is reported as unavailable when its host name does not exist', async () => {
    const store = openStore('falkor://no-such-host.invalid:6379');
    await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

test.each(['http://127.0.0.1:6379', 'falkor://', 'unix://', 'nonsense', '', 'falkor://host:6379/not-a-number'])(
  'the address "%s" is refused as invalid',
  url => {
    expect(() => openFalkorStore({ url, graph: 'g', timeoutMs: 1 })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
  },
);

test.each(['', 'a b', 'x'.repeat(129), 'g"', '{g}'])('the graph name %j is refused', graph => {
  const settings = { url: 'falkor://127.0.0.1:1', graph, timeoutMs: 1 };
  expect(() => openFalkorStore(settings)).toThrow(expect.objectContaining({ code: 'invalid' }));
});
