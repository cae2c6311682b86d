/**
 * GraphStore contract: enrichment waits for the vector, and its outcome is written when it ends (docs/decisions.md,
 * "Background work").
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Memory } from '../../src/domain/memory.js';
import type { WorkKind, WorkOutcome } from '../../src/stores/ports/work-queue.js';
import { idOf, memory, NOON, relation } from '../support/records.js';
import { type GraphHarness, numbersOf, tagged } from './graph-harness.js';

function claimsOf(graph: GraphHarness) {
  const claim = (kind: WorkKind, nowMs = NOON) =>
    graph.store
      .claimWork({ kind, limit: 10, nowMs, leaseMs: 1000 })
      .then(claims =>
        claims.map(({ memory: { id }, token, attempt }) => ({ number: Number(id.slice(-2)), token, attempt })),
      );
  const numbers = async (kind: WorkKind, nowMs?: number) => (await claim(kind, nowMs)).map(({ number }) => number);
  return { claim, numbers };
}

export function describeWorkOrder(graph: GraphHarness): void {
  const { claim, numbers } = claimsOf(graph);
  beforeEach(() => graph.save([memory(1), memory(2)], ['embed', 'enrich']));

  test('makes enrichment due as soon as the memory is embedded', async () => {
    expect(await numbers('enrich')).toEqual([]);
    expect(await graph.store.nextWorkDueMs('enrich')).toBeUndefined();
    expect(await graph.store.workCounts('enrich')).toEqual({ pending: 2, inFlight: 0, failed: 0 });
    const [first] = await claim('embed');
    expect(await numbers('enrich')).toEqual([]);
    await graph.store.settleWork([first?.token ?? ''], { embeddedBy: 'm' });
    expect(await numbers('enrich')).toEqual([1]);
  });

  test('makes enrichment due as soon as embedding has failed for good, but not before', async () => {
    const [first, second] = await claim('embed');
    await graph.store.releaseWork([first?.token ?? ''], { error: 'later', dueMs: NOON + 500 });
    await graph.store.releaseWork([second?.token ?? ''], { error: 'never', dueMs: null });
    expect(await numbers('enrich')).toEqual([2]);
  });

  describe('for held enrichment', () => {
    const claimHeld = () =>
      graph.store.claimWork({ kind: 'enrich', limit: 10, nowMs: NOON, leaseMs: 1000, isHeld: true });
    const enriched = (current: Memory): Memory => ({ ...current, summary: 'found', enriched: true });

    test('the work can be claimed once before the memory has a vector, and is due again after embedding', async () => {
      const claims = await claimHeld();
      expect(numbersOf(claims.map(({ memory: { id } }) => id)).sort()).toEqual([1, 2]);
      for (const { token } of claims) {
        expect(await graph.store.completeWork(token, { change: enriched })).toBe(true);
        expect(await graph.store.completeWork(token, { change: enriched })).toBe(false);
      }
      expect(await graph.read(idOf(1))).toMatchObject({ summary: 'found', enriched: true });
      expect(await claimHeld()).toEqual([]);
      expect(await graph.store.nextWorkDueMs('enrich')).toBeUndefined();
      expect(await graph.store.workCounts('enrich')).toEqual({ pending: 2, inFlight: 0, failed: 0 });
      const [first, second] = await claim('embed');
      await graph.store.settleWork([first?.token ?? ''], { embeddedBy: 'm' });
      await graph.store.releaseWork([second?.token ?? ''], { error: 'never', dueMs: null });
      const [again, other] = await claim('enrich');
      for (const each of [again, other]) await graph.store.completeWork(each?.token ?? '', { change: enriched });
      expect(await graph.store.workCounts('enrich')).toEqual({ pending: 0, inFlight: 0, failed: 0 });
    });

    test('the work restarts if the vector arrives while the work is claimed', async () => {
      const [early, other] = await claimHeld();
      const [first, second] = await claim('embed');
      await graph.store.settleWork([first?.token ?? ''], { embeddedBy: 'm' });
      await graph.store.releaseWork([second?.token ?? ''], { error: 'never', dueMs: null });
      for (const each of [early, other]) {
        expect(await graph.store.completeWork(each?.token ?? '', { change: enriched })).toBe(false);
      }
      expect((await numbers('enrich')).sort()).toEqual([1, 2]);
      expect(await graph.store.workCounts('enrich')).toEqual({ pending: 0, inFlight: 2, failed: 0 });
    });

    test('claimed work completes even if embedding failed temporarily, or failed under an outdated claim', async () => {
      const [early] = await claimHeld();
      const [first] = await claim('embed');
      await graph.store.releaseWork([first?.token ?? ''], { error: 'later', dueMs: NOON + 500 });
      await graph.store.releaseWork([first?.token ?? ''], { error: 'never', dueMs: null });
      expect(await graph.store.completeWork(early?.token ?? '', { change: enriched })).toBe(true);
    });

    test('the work can be claimed again after a change of content', async () => {
      for (const { token } of await claimHeld()) await graph.store.completeWork(token, { change: enriched });
      const work: WorkKind[] = ['embed', 'enrich'];
      await graph.store.updateMemory(idOf(1), current => ({ memory: { ...current, content: 'other' }, work }));
      expect((await claimHeld()).map(({ memory: { content } }) => content)).toEqual(['other']);
    });

    test('released work is due at the given time, and ordinary claims then return the work', async () => {
      const claims = await claimHeld();
      await graph.store.releaseWork(
        claims.map(({ token }) => token),
        { dueMs: NOON + 500 },
      );
      expect(await numbers('enrich')).toEqual([]);
      expect((await numbers('enrich', NOON + 500)).sort()).toEqual([1, 2]);
    });
  });

  test('makes enrichment due at once for a memory that needs no embedding', async () => {
    await graph.save([memory(3)], ['enrich']);
    expect(await numbers('enrich')).toEqual([3]);
  });

  test('makes enrichment wait again, even if claimed, after a change that requires embedding', async () => {
    const tokens = (await claim('embed')).map(({ token }) => token);
    await graph.store.settleWork(tokens, { embeddedBy: 'm' });
    const [first] = await claim('enrich');
    await graph.store.updateMemory(idOf(1), current => ({ memory: current, work: ['embed'] }));
    expect(await graph.store.completeWork(first?.token ?? '', { change: current => current })).toBe(false);
    expect(await numbers('enrich', NOON + 2000)).toEqual([2]);
    const [again] = await claim('embed');
    await graph.store.settleWork([again?.token ?? ''], { embeddedBy: 'm' });
    expect(await numbers('enrich', NOON + 2000)).toEqual([1]);
  });

  test('requeueing by id includes claimed work, and counts the attempts from one again', async () => {
    const tokens = (await claim('embed')).map(({ token }) => token);
    await graph.store.settleWork(tokens, { embeddedBy: 'm' });
    const [first, second] = await claim('enrich');
    await graph.store.releaseWork([second?.token ?? ''], { error: 'never', dueMs: null });
    await graph.store.requeue('enrich', [idOf(2), idOf(1), idOf(99)]);
    expect(await graph.store.completeWork(first?.token ?? '', { change: current => current })).toBe(false);
    const again = await claim('enrich');
    expect(again.map(({ number, attempt }) => [number, attempt])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  test('requeueing memories without a vector of a current model queues embedding and holds enrichment', async () => {
    await graph.save([memory(3), memory(4), memory(5)], ['embed']);
    const tokens = (await claim('embed')).map(({ token }) => token);
    for (const [index, model] of ['a', 'b', 'c', 'supplied', 'z'].entries()) {
      await graph.store.settleWork([tokens[index] ?? ''], { embeddedBy: model });
    }
    await graph.save([memory(6)]);
    await graph.save([memory(7)], ['embed']);
    expect(await graph.store.countMemories({ embeddedBy: ['b', 'supplied'] })).toBe(2);
    expect(await graph.store.countMemories({ embeddedBy: 'any' })).toBe(5);
    expect(await graph.store.requeueOutdated(['supplied', 'b'])).toBe(4);
    expect(await graph.store.requeueOutdated(['supplied', 'b'])).toBe(0);
    expect((await numbers('embed')).sort()).toEqual([1, 3, 5, 6, 7]);
    expect(await numbers('enrich')).toEqual([2]);
  });
}

export function describeOutcomes(graph: GraphHarness): void {
  const { claim } = claimsOf(graph);
  beforeEach(() => graph.save([memory(1), memory(2), memory(3)], ['enrich']));
  const outcome = (overrides: Partial<WorkOutcome> = {}): WorkOutcome => ({
    change: current => ({ ...current, enriched: true, summary: `of ${current.content}` }),
    ...overrides,
  });
  const edges = async () =>
    (await graph.store.relationsOf({ ids: [idOf(1)], limit: 10 }))
      .get(idOf(1))
      ?.map(({ type, from, to }) => [type, Number(from.slice(-1)), Number(to.slice(-1))]);

  test('change the memory, write its edges and end the claim', async () => {
    const [first] = await claim('enrich');
    const types = ['SIMILAR_TO', 'PRECEDED_BY'] as const;
    const relations = [relation(1, 'SIMILAR_TO', 2), relation(1, 'PRECEDED_BY', 3), relation(1, 'PRECEDED_BY', 9)];
    expect(await graph.store.completeWork(first?.token ?? '', outcome({ edges: { types, relations } }))).toBe(true);
    expect(await graph.read(idOf(1))).toMatchObject({ enriched: true, summary: 'of memory number 1' });
    expect(await edges()).toEqual([
      ['PRECEDED_BY', 1, 3],
      ['SIMILAR_TO', 1, 2],
    ]);
    expect(await graph.store.workCounts('enrich')).toEqual({ pending: 0, inFlight: 2, failed: 0 });
    expect(await graph.store.completeWork(first?.token ?? '', outcome())).toBe(false);
  });

  test("replace the memory's outgoing edges of the types that they name, and no other edges", async () => {
    const [first] = await claim('enrich');
    await graph.store.saveRelations([
      relation(1, 'SIMILAR_TO', 3),
      relation(1, 'LEADS_TO', 3),
      relation(1, 'PRECEDED_BY', 3),
      relation(2, 'SIMILAR_TO', 1),
    ]);
    const change = { types: ['SIMILAR_TO'] as const, relations: [relation(1, 'SIMILAR_TO', 2)] };
    await graph.store.completeWork(first?.token ?? '', outcome({ edges: change }));
    expect((await edges())?.sort()).toEqual([
      ['LEADS_TO', 1, 3],
      ['PRECEDED_BY', 1, 3],
      ['SIMILAR_TO', 1, 2],
      ['SIMILAR_TO', 2, 1],
    ]);
  });

  test("replace the memory's links to patterns", async () => {
    const [first] = await claim('enrich');
    const updated_at = '2026-01-01T00:00:00.000Z';
    const link = (nodeId: string) => {
      return { memoryId: idOf(1), kind: 'Pattern', nodeId, confidence: 0.5, updated_at } as const;
    };
    const node = (id: string) => ({ kind: 'Pattern', id, properties: { theme: id }, updated_at }) as const;
    await graph.store.saveNode(node('old'));
    await graph.store.linkNode(link('old'));
    const links = [link('new'), { ...link('new'), memoryId: idOf(2) }];
    await graph.store.completeWork(first?.token ?? '', outcome({ patterns: { nodes: [node('new')], links } }));
    const found = await graph.store.linksOf([idOf(1), idOf(2)]);
    expect(found.sort((a, b) => (a.memoryId < b.memoryId ? -1 : 1))).toEqual(links);
    expect(await graph.store.countNodeLinks('Pattern', 'new', { exceptId: idOf(9), max: 5 })).toBe(2);
    expect(await graph.store.countNodeLinks('Pattern', 'new', { exceptId: idOf(9), max: 1 })).toBe(1);
    expect(await graph.store.countNodeLinks('Pattern', 'new', { exceptId: idOf(1), max: 5 })).toBe(1);
    expect(await graph.store.getNode('Pattern', 'new')).toEqual(node('new'));
  });

  test('make the memory findable by its new tags and words', async () => {
    const [first] = await claim('enrich');
    const tags = ['entity:people:zoe'];
    const change: WorkOutcome['change'] = current => ({
      ...current,
      tags,
      tag_prefixes: ['entity', 'entity:people', ...tags],
    });
    await graph.store.completeWork(first?.token ?? '', { change });
    expect(await graph.store.list({ filter: tagged('exact', 'any', ...tags), order: 'importance', limit: 5 })).toEqual([
      idOf(1),
    ]);
    expect(await graph.found('zoe')).toEqual([1]);
  });

  test('are not written when the memory was changed or deleted since the claim', async () => {
    const [first, second] = await claim('enrich');
    await graph.store.updateMemory(idOf(1), current => ({ memory: { ...current, importance: 1 }, work: [] }));
    await graph.store.deleteMemories([idOf(2)]);
    const relations = [relation(1, 'SIMILAR_TO', 3)];
    for (const { token } of [first, second].flatMap(each => each ?? [])) {
      expect(await graph.store.completeWork(token, outcome({ edges: { types: ['SIMILAR_TO'], relations } }))).toBe(
        false,
      );
    }
    expect(await graph.read(idOf(1))).toMatchObject({ importance: 1, enriched: false });
    expect(await edges()).toEqual([]);
    expect((await claim('enrich')).map(({ number }) => number)).toEqual([1]);
  });

  test('are not written when the change function throws', async () => {
    const [first] = await claim('enrich');
    const failing = outcome({
      change: () => {
        throw new Error('no');
      },
    });
    await expect(graph.store.completeWork(first?.token ?? '', failing)).rejects.toThrow('no');
    expect(await graph.store.workCounts('enrich')).toEqual({ pending: 0, inFlight: 3, failed: 0 });
    expect(await graph.store.completeWork(first?.token ?? '', outcome())).toBe(true);
  });
}
