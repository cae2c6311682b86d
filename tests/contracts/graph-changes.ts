/** GraphStore contract: memories are changed and deleted atomically, and every index is updated. */
import { expect, test } from 'vitest';
import type { Memory } from '../../src/domain/memory.js';
import { idOf, memory, relation } from '../support/records.js';
import { type GraphHarness, tagged } from './graph-harness.js';

export function describeChanges(graph: GraphHarness): void {
  test('changes replace the record, and update every index', async () => {
    await graph.saveAll({ content: 'apples are red', tags: ['fruit:apple'], timestamp: '2020-01-01T00:00:00.000Z' });
    const changed = memory(1, {
      content: 'pears are green',
      tags: ['fruit:pear'],
      timestamp: '2024-01-01T00:00:00.000Z',
    });
    const answer = await graph.store.updateMemory(idOf(1), current => {
      expect(current.content).toBe('apples are red');
      return { memory: changed, work: [] };
    });
    expect(answer).toEqual(changed);
    expect(await graph.read(idOf(1))).toEqual(changed);
    expect(await graph.found('apples')).toEqual([]);
    expect(await graph.found('pear')).toEqual([1]);
    expect(await graph.listed(tagged('prefix', 'any', 'fruit:apple'))).toEqual([]);
    expect(await graph.listed(tagged('prefix', 'any', 'fruit'))).toEqual([1]);
    expect(await graph.found('pear', { toMs: Date.parse('2022-01-01') })).toEqual([]);
  });

  test('changes are not applied when the change function throws', async () => {
    await graph.saveAll({ content: 'kept' });
    const fail = () => {
      throw new Error('no');
    };
    await expect(graph.store.updateMemory(idOf(1), fail)).rejects.toThrow('no');
    expect((await graph.read(idOf(1)))?.content).toBe('kept');
    expect(await graph.store.updateMemory(idOf(9), current => ({ memory: current, work: [] }))).toBeUndefined();
  });

  test('all changes that are made to one memory at the same time are applied', async () => {
    await graph.saveAll({});
    const add = (key: string) =>
      graph.store.updateMemory(idOf(1), current => ({
        memory: { ...current, metadata: { ...current.metadata, [key]: true } },
        work: [],
      }));
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    await Promise.all(keys.map(add));
    expect(Object.keys((await graph.read(idOf(1)))?.metadata ?? {}).sort()).toEqual(keys.sort());
  });

  test('a change removes the fields that the new record no longer has', async () => {
    const summarised: Memory = {
      ...memory(1, { t_valid: '2020-01-01T00:00:00.000Z', t_invalid: '2030-01-01T00:00:00.000Z' }),
      summary: 'short',
      relevance_score: 0.4,
      embedded_by: 'm',
      enriched: true,
      archived: true,
      archived_at: '2026-02-03T04:05:06.007Z',
      archived_reason: 'little was left of it',
    };
    await graph.save([summarised]);
    expect(await graph.read(idOf(1))).toEqual(summarised);
    await graph.store.updateMemory(idOf(1), () => ({ memory: memory(1), work: [] }));
    expect(await graph.read(idOf(1))).toEqual(memory(1));
    expect(await graph.store.countMemories({ embeddedBy: 'any' })).toBe(0);
  });

  test('of the content drop a supplied vector, unless they bring a vector of their own', async () => {
    const supplied = async () => (await graph.store.readRecords({ limit: 1 }))[0]?.embedding;
    const [first, second] = [Float32Array.of(1, 2), Float32Array.of(3, 4)];
    await graph.store.saveMemories([{ memory: memory(1), embedding: first, work: [] }]);
    await graph.store.updateMemory(idOf(1), current => ({ memory: { ...current, importance: 1 }, work: [] }));
    expect(await supplied()).toEqual(first);
    const changed = memory(1, { content: 'new' });
    await graph.store.updateMemory(idOf(1), () => ({ memory: changed, embedding: second, work: [] }));
    expect(await supplied()).toEqual(second);
    await graph.store.updateMemory(idOf(1), () => ({ memory: changed, embedding: first, work: [] }));
    expect(await supplied()).toEqual(first);
    await graph.store.updateMemory(idOf(1), () => ({ memory: memory(1), work: [] }));
    expect(await supplied()).toBeUndefined();
  });

  test('that delete memories skip a memory that was changed since it was read', async () => {
    await graph.save([memory(1), memory(2)]);
    const read = [...(await graph.store.getMemories([idOf(1), idOf(2)])).values()];
    const updated_at = '2031-05-06T07:08:09.010Z';
    await graph.store.updateMemory(idOf(2), memory => ({ memory: { ...memory, updated_at }, work: [] }));
    const asRead = new Map(read.map(({ id, updated_at }) => [id, updated_at]));
    expect(await graph.store.deleteMemories([1, 2, 9].map(idOf), asRead.set(idOf(9), updated_at))).toEqual([idOf(1)]);
    expect([...(await graph.store.getMemories([idOf(1), idOf(2)])).keys()]).toEqual([idOf(2)]);
    expect(await graph.store.deleteMemories([idOf(2)], new Map([[idOf(2), updated_at]]))).toEqual([idOf(2)]);
    expect(await graph.store.deleteMemories([], new Map())).toEqual([]);
  });

  test('that delete a memory also delete its tags, postings, edges and queued work', async () => {
    await graph.save([memory(1, { content: 'alpha', tags: ['t'] }), memory(2, { content: 'beta' })], ['embed']);
    await graph.store.saveRelations([relation(1, 'LEADS_TO', 2), relation(2, 'REINFORCES', 1)]);
    expect(await graph.store.deleteMemories([idOf(1), idOf(9)])).toEqual([idOf(1)]);
    expect(await graph.store.countMemories()).toBe(1);
    expect(await graph.found('alpha')).toEqual([]);
    expect(await graph.listed(tagged('exact', 'any', 't'))).toEqual([]);
    expect((await graph.store.relationsOf({ ids: [idOf(2)], limit: 10 })).get(idOf(2))).toEqual([]);
    expect(await graph.store.workCounts('embed')).toEqual({ pending: 1, inFlight: 0, failed: 0 });
    expect(await graph.store.deleteMemories([idOf(1)])).toEqual([]);
    expect(await graph.store.deleteMemories([])).toEqual([]);
  });

  test('the id of a deleted memory can be used again, without the old tags and edges', async () => {
    await graph.saveAll({ content: 'first life', tags: ['a'] });
    await graph.store.saveRelations([relation(1, 'LEADS_TO', 1)]);
    await graph.store.deleteMemories([idOf(1)]);
    await graph.saveAll({ content: 'second life', tags: ['b'] });
    expect(await graph.found('life')).toEqual([1]);
    expect(await graph.listed(tagged('exact', 'any', 'a'))).toEqual([]);
    expect((await graph.store.relationsOf({ ids: [idOf(1)], limit: 10 })).get(idOf(1))).toEqual([]);
  });

  test('of the last access never set an earlier time', async () => {
    await graph.saveAll({}, {});
    await graph.store.annotate([
      { id: idOf(1), lastAccessed: '2026-04-01T00:00:00.000Z' },
      { id: idOf(9), lastAccessed: '2026-04-01T00:00:00.000Z' },
    ]);
    await graph.store.annotate([{ id: idOf(1), lastAccessed: '2026-03-15T00:00:00.000Z' }]);
    expect((await graph.read(idOf(1)))?.last_accessed).toBe('2026-04-01T00:00:00.000Z');
    expect((await graph.read(idOf(2)))?.last_accessed).toBe('2026-03-01T12:00:00.000Z');
  });

  test('of the last access leave updated_at unchanged and claimed work valid', async () => {
    await graph.save([memory(1)], ['embed']);
    const [claim] = await graph.store.claimWork({ kind: 'embed', limit: 1, nowMs: 1, leaseMs: 1000 });
    await graph.store.annotate([{ id: idOf(1), lastAccessed: '2026-04-01T00:00:00.000Z' }]);
    expect(await graph.store.settleWork([claim?.token ?? ''], { embeddedBy: 'm' })).toEqual([claim?.token]);
    expect((await graph.read(idOf(1)))?.updated_at).toBe('2026-03-01T12:00:00.000Z');
  });

  test('of relevance can set or remove the relevance of many memories at once', async () => {
    const many = Array.from({ length: 700 }, (_, index) => memory(index + 1));
    await graph.save(many);
    const relevanceOf = (index: number) => Number((index / 701).toPrecision(15));
    const changes = many.map(({ id }, index) => ({ id, relevance: relevanceOf(index) }));
    await graph.store.annotate([...changes, { id: idOf(9_999), relevance: 0.5 }]);
    const read = await graph.store.getMemories(many.map(({ id }) => id));
    const expected = many.map((each, index) => ({ ...each, relevance_score: relevanceOf(index) }));
    expect([...read.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected);
    await graph.store.annotate([
      { id: idOf(1), relevance: null },
      { id: idOf(2), relevance: 1 },
    ]);
    expect(await graph.read(idOf(1))).toEqual(memory(1));
    expect((await graph.read(idOf(2)))?.relevance_score).toBe(1);
    expect(await graph.read(idOf(9_999))).toBeUndefined();
    await graph.store.annotate([]);
  });

  test('of relevance replace or remove a value with many digits, and leave the other fields unchanged', async () => {
    const odd: Memory = { ...memory(1, { importance: 0.1 + 0.2 }), relevance_score: 0.1 + 0.7 };
    await graph.save([odd]);
    expect(await graph.read(idOf(1))).toEqual(odd);
    await graph.store.annotate([{ id: idOf(1), relevance: 0.5 }]);
    expect(await graph.read(idOf(1))).toEqual({ ...odd, relevance_score: 0.5 });
    await graph.store.annotate([{ id: idOf(1), relevance: null }]);
    const { relevance_score: _, ...rest } = odd;
    expect(await graph.read(idOf(1))).toEqual(rest);
  });

  test('changes of relevance leave claimed work valid, and do not make the vector stale', async () => {
    await graph.save([{ ...memory(1), embedded_by: 'm' }], ['enrich']);
    const [claim] = await graph.store.claimWork({ kind: 'enrich', limit: 1, nowMs: 1, leaseMs: 1000 });
    await graph.store.annotate([{ id: idOf(1), relevance: 0.5 }]);
    expect(await graph.store.staleVectors(5)).toEqual([]);
    expect(await graph.store.completeWork(claim?.token ?? '', { change: current => current })).toBe(true);
    expect(await graph.read(idOf(1))).toEqual({ ...memory(1), embedded_by: 'm', relevance_score: 0.5 });
  });

  test('of suggestions set, replace or remove a suggestion and nothing else', async () => {
    await graph.save([{ ...memory(1), embedded_by: 'm' }, memory(2)], ['enrich']);
    const claims = await graph.store.claimWork({ kind: 'enrich', limit: 2, nowMs: 1, leaseMs: 1000 });
    const token = claims.find(claim => claim.memory.id === idOf(1))?.token ?? '';
    const suggestion = `0123 "quoted\\text" ${idOf(2)}`;
    await graph.store.annotate([
      { id: idOf(1), maybeOutdatedBy: 'former' },
      { id: idOf(9_999), maybeOutdatedBy: 'x' },
    ]);
    await graph.store.annotate([{ id: idOf(1), maybeOutdatedBy: suggestion }]);
    expect(await graph.store.staleVectors(5)).toEqual([]);
    expect(await graph.store.completeWork(token, { change: current => current })).toBe(true);
    const marked = { ...memory(1), embedded_by: 'm', maybe_outdated_by: suggestion };
    expect(await graph.read(idOf(1))).toEqual(marked);
    const [record] = await graph.store.readRecords({ limit: 1 });
    expect(record?.memory).toEqual(marked);
    await graph.store.annotate([{ id: idOf(1), maybeOutdatedBy: null }]);
    await graph.store.annotate([]);
    expect(await graph.read(idOf(1))).toEqual({ ...memory(1), embedded_by: 'm' });
  });

  test('of content can drop a suggestion, and a saved record keeps it', async () => {
    await graph.save([{ ...memory(1), maybe_outdated_by: 'x' }]);
    expect((await graph.read(idOf(1)))?.maybe_outdated_by).toBe('x');
    await graph.store.updateMemory(idOf(1), ({ maybe_outdated_by: _, ...rest }) => ({ memory: rest, work: [] }));
    expect(await graph.read(idOf(1))).toEqual(memory(1));
  });
}
