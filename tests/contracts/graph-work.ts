/** GraphStore contract: the durable queue (docs/decisions.md, "The graph is the queue"). */
import { beforeEach, expect, test } from 'vitest';
import { idOf, memory, NOON } from '../support/records.js';
import type { GraphHarness } from './graph-harness.js';

type Claim = (limit?: number, nowMs?: number, leaseMs?: number) => ReturnType<GraphHarness['store']['claimWork']>;

/** Before each test, saves three memories that wait to be embedded. Returns a function that claims this work. */
function withWork(graph: GraphHarness): Claim {
  beforeEach(() => graph.save([memory(1), memory(2), memory(3)], ['embed']));
  return (limit = 10, nowMs = NOON, leaseMs = 1000) => graph.store.claimWork({ kind: 'embed', limit, nowMs, leaseMs });
}

export function describeClaims(graph: GraphHarness): void {
  const claim = withWork(graph);

  test('are granted once, and again only when the lease has ended', async () => {
    const first = await claim(2);
    expect(first.map(({ memory: { id }, attempt }) => [Number(id.slice(-1)), attempt])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect((await claim()).map(({ memory: { id } }) => Number(id.slice(-1)))).toEqual([3]);
    expect(await claim()).toEqual([]);
    expect(await graph.store.workCounts('embed')).toEqual({ pending: 0, inFlight: 3, failed: 0 });
    expect(await graph.store.nextWorkDueMs('embed')).toBe(NOON + 1000);
    expect((await claim(10, NOON + 1001)).map(({ attempt }) => attempt)).toEqual([2, 2, 2]);
  });

  test('leave work in the list of unfinished work, even if it fails, and a filter can limit the list', async () => {
    const ids = [idOf(1), idOf(2), idOf(3)];
    const listed = async (filter = {}, limit = 10) =>
      (await graph.store.listWaiting({ kind: 'embed', filter, limit })).sort();
    expect(await listed()).toEqual(ids);
    expect(await listed({}, 2)).toHaveLength(2);
    expect(await listed({ toMs: 0 })).toEqual([]);
    const [first, second] = await claim(2);
    expect(await listed()).toEqual(ids);
    await graph.store.settleWork([first?.token ?? ''], { embeddedBy: 'm' });
    await graph.store.releaseWork([second?.token ?? ''], { error: 'no', dueMs: null });
    expect(await listed()).toEqual(ids.filter(id => id !== first?.memory.id));
    expect(await graph.store.listWaiting({ kind: 'enrich', filter: {}, limit: 10 })).toEqual([]);
  });

  test('made at the same time never return the same work', async () => {
    const claims = (await Promise.all([claim(2), claim(2), claim(2)])).flat();
    expect(new Set(claims.map(each => each.memory.id)).size).toBe(claims.length);
    expect(claims).toHaveLength(3);
  });

  test('can be renewed only by their holder', async () => {
    const [held] = await claim(1);
    expect(await graph.store.renewWork([held?.token ?? '', 'embed/1/forged'], NOON + 5000)).toEqual([held?.token]);
    expect((await claim(10, NOON + 2000)).map(({ memory: { id } }) => id)).not.toContain(held?.memory.id);
  });

  test('are not ended by an invalid token, or by the token of another claim', async () => {
    await claim();
    const forged = ['', 'embed', 'embed/1/', "embed/1/' OR 1=1", 'enrich/1/x'];
    expect(await graph.store.settleWork(forged, { embeddedBy: 'm' })).toEqual([]);
    await graph.store.releaseWork(forged, { error: 'no', dueMs: null });
    await graph.store.releaseWork(forged, { dueMs: NOON });
    expect(await graph.store.workCounts('embed')).toEqual({ pending: 0, inFlight: 3, failed: 0 });
  });

  test('for given memories take the work of these memories in any state, even from another claimant', async () => {
    const [held] = await claim(1);
    await graph.store.settleWork([(await claim(1))[0]?.token ?? ''], { embeddedBy: 'm' });
    const ids = [idOf(1), idOf(2), idOf(99)];
    const taken = await graph.store.claimWork({ kind: 'embed', limit: 0, nowMs: NOON, leaseMs: 1000, ids });
    expect(taken.map(({ memory: { id }, attempt }) => [id, attempt])).toEqual([
      [idOf(1), 1],
      [idOf(2), 1],
    ]);
    expect(await graph.store.settleWork([held?.token ?? ''], { embeddedBy: 'm' })).toEqual([]);
    expect((await graph.read(idOf(2)))?.embedded_by).toBe('m');
    expect((await claim()).map(({ memory: { id } }) => id)).toEqual([idOf(3)]);
    expect(await graph.store.claimWork({ kind: 'embed', limit: 10, nowMs: NOON, leaseMs: 1, ids: [] })).toEqual([]);
    const tokens = taken.map(({ token }) => token);
    expect(await graph.store.settleWork(tokens, { embeddedBy: 'n' })).toEqual(tokens);
    expect((await graph.read(idOf(1)))?.embedded_by).toBe('n');
  });

  test('released claims make their work due at the given time, and the attempt does not count', async () => {
    const [first, second] = await claim(2);
    await graph.store.settleWork([second?.token ?? ''], { embeddedBy: 'm' });
    await graph.store.releaseWork([first?.token ?? '', second?.token ?? ''], { dueMs: NOON + 500 });
    expect(await graph.store.workCounts('embed')).toEqual({ pending: 2, inFlight: 0, failed: 0 });
    expect((await claim(10, NOON + 499)).map(({ memory: { id } }) => id)).toEqual([idOf(3)]);
    const again = await claim(10, NOON + 500);
    expect(again.map(({ memory: { id }, attempt }) => [id, attempt])).toEqual([[idOf(1), 1]]);
  });

  test('have no effect once their memory is deleted', async () => {
    const tokens = (await claim()).map(({ token }) => token);
    await graph.store.deleteMemories([idOf(1), idOf(2)]);
    await graph.save([memory(2)]);
    expect(await graph.store.renewWork(tokens, NOON + 5000)).toHaveLength(1);
    expect(await graph.store.settleWork(tokens, { embeddedBy: 'm' })).toHaveLength(1);
    expect((await graph.read(idOf(2)))?.embedded_by).toBeUndefined();
  });
}

export function describeWork(graph: GraphHarness): void {
  const claim = withWork(graph);

  test('is settled only once, and then its memory has the model of the vector and counts as embedded', async () => {
    const tokens = (await claim(2)).map(({ token }) => token);
    expect(await graph.store.settleWork(tokens, { embeddedBy: 'model-a' })).toEqual(tokens);
    expect(await graph.store.settleWork(tokens, { embeddedBy: 'model-b' })).toEqual([]);
    expect((await graph.read(idOf(1)))?.embedded_by).toBe('model-a');
    expect(await graph.store.countMemories({ embeddedBy: 'any' })).toBe(2);
    expect(await graph.store.workCounts('embed')).toEqual({ pending: 1, inFlight: 0, failed: 0 });
  });

  test('is due again instead of settled if the memory was changed since the claim', async () => {
    const tokens = (await claim()).map(({ token }) => token);
    await graph.store.updateMemory(idOf(2), current => ({ memory: { ...current, importance: 1 }, work: [] }));
    expect(await graph.store.settleWork(tokens, { embeddedBy: 'm' })).toHaveLength(2);
    expect((await graph.read(idOf(2)))?.embedded_by).toBeUndefined();
    expect((await claim()).map(({ memory: { id } }) => id)).toEqual([idOf(2)]);
  });

  test('work that a change requires is pending again, and starts with the first attempt', async () => {
    await graph.store.settleWork(
      (await claim()).map(({ token }) => token),
      { embeddedBy: 'm' },
    );
    await graph.store.updateMemory(idOf(1), current => ({ memory: current, work: ['embed'] }));
    expect((await claim()).map(({ memory: { id }, attempt }) => [id, attempt])).toEqual([[idOf(1), 1]]);
  });

  test('that failed is due again at the given time, or stays failed if no time is given', async () => {
    const [first, second] = await claim(2);
    await graph.store.releaseWork([first?.token ?? ''], { error: 'later', dueMs: NOON + 500 });
    await graph.store.releaseWork([second?.token ?? ''], { error: 'never', dueMs: null });
    expect(await graph.store.workCounts('embed')).toEqual({ pending: 2, inFlight: 0, failed: 1 });
    expect((await claim(10, NOON + 499)).map(({ memory: { id } }) => id)).toEqual([idOf(3)]);
    expect((await claim(10, NOON + 500)).map(({ memory: { id }, attempt }) => [id, attempt])).toEqual([[idOf(1), 2]]);
    expect(await claim(10, NOON + 600)).toEqual([]);
  });

  test('that is due after the time given to makeWorkDue becomes due at once, unless it is claimed', async () => {
    const [first, second, third] = await claim(3);
    await graph.store.releaseWork([first?.token ?? ''], { error: 'later', dueMs: NOON + 9000 });
    await graph.store.releaseWork([second?.token ?? ''], { error: 'soon', dueMs: NOON + 8000 });
    await graph.store.renewWork([third?.token ?? ''], NOON + 9000);
    await graph.store.makeWorkDue('embed', NOON + 8000);
    expect((await claim(10, NOON)).map(({ memory: { id }, attempt }) => [id, attempt])).toEqual([[idOf(1), 2]]);
    expect((await claim(10, NOON + 8000)).map(({ memory: { id } }) => id)).toEqual([idOf(1), idOf(2)]);
  });

  test('that failed for good or waits for other work is not made due by makeWorkDue', async () => {
    await graph.store.requeue('enrich', [idOf(1)]);
    const [first, second] = await claim(2);
    await graph.store.releaseWork([first?.token ?? ''], { dueMs: NOON + 9000 });
    await graph.store.releaseWork([second?.token ?? ''], { error: 'never', dueMs: null });
    await graph.store.makeWorkDue('enrich', NOON);
    await graph.store.makeWorkDue('embed', NOON + 9000);
    expect(await graph.store.claimWork({ kind: 'enrich', limit: 10, nowMs: NOON, leaseMs: 1000 })).toEqual([]);
    expect((await claim(10, NOON)).map(({ memory: { id } }) => id)).toEqual([idOf(3)]);
    expect(await graph.store.workCounts('embed')).toEqual({ pending: 1, inFlight: 1, failed: 1 });
  });

  test('is kept, with a supplied vector, when the store is reopened', async () => {
    const embedding = Float32Array.from([0.1, -0.25, 3e-7]);
    await graph.store.saveMemories([{ memory: memory(4), embedding, work: ['embed'] }]);
    await graph.reopen();
    const claims = await graph.store.claimWork({ kind: 'embed', limit: 10, nowMs: NOON, leaseMs: 1000 });
    expect(claims.find(({ memory: { id } }) => id === idOf(4))?.embedding).toEqual(embedding);
    expect(claims.find(({ memory: { id } }) => id === idOf(1))?.embedding).toBeUndefined();
    expect(claims).toHaveLength(4);
  });

  test('of one kind does not affect the other kind', async () => {
    await graph.store.requeue('enrich', [idOf(1), idOf(2), idOf(3)]);
    expect(await claim()).toHaveLength(3);
    expect(await graph.store.workCounts('enrich')).toEqual({ pending: 3, inFlight: 0, failed: 0 });
  });
}
