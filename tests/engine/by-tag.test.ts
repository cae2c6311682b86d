/** Listing and removing by tag (docs/decisions.md, "Listing by tag"). */
import { describe, expect, test } from 'vitest';
import { idOf } from '../support/records.js';
import { openForTest } from './open-engine.js';

const PAGE = { limit: 20, offset: 0 };

describe('listing by tag', () => {
  test('returns whole memories with their relations', async () => {
    const { engine, add } = await openForTest();
    const id = await add({ content: 'Ann likes tea.', tags: ['People:Ann'], importance: 0.7, type: 'Habit' });
    const asked = { tags: ['people/ann'], ...PAGE };
    expect(await engine.listByTag(asked)).toEqual({
      page: asked,
      memories: [{ memory: (await engine.get(id)).memory, relations: [] }],
      hasMore: false,
      durationMs: 0,
    });
  });

  test('matches any of the tags exactly, ignoring case', async () => {
    const { engine, add } = await openForTest();
    await add({ content: 'a', tags: ['Team'], importance: 0.1 });
    await add({ content: 'b', tags: ['team:core'], importance: 0.2 });
    await add({ content: 'c', tags: ['other', 'x'], importance: 0.3 });
    await add({ content: 'd', importance: 0.4 });
    const contents = async (...tags: string[]) =>
      (await engine.listByTag({ tags, ...PAGE })).memories.map(({ memory }) => memory.content);
    expect(await contents('TEAM')).toEqual(['a']);
    expect(await contents('team/core', 'X')).toEqual(['c', 'b']);
    expect(await contents('tea')).toEqual([]);
  });

  test('returns pages without gaps or repeats, and reports whether more memories follow', async () => {
    const { engine, storeMany } = await openForTest();
    await storeMany(
      Array.from({ length: 7 }, (_, index) => ({
        content: `${index}`,
        tags: ['t'],
        id: idOf(index),
        importance: index < 3 ? 1 : 0.5,
        timestamp: index === 6 ? '2026-06-01' : '2026-01-01',
      })),
    );
    const pages: string[] = [];
    let hasMore = true;
    while (hasMore) {
      const page = await engine.listByTag({ tags: ['t'], limit: 3, offset: pages.length });
      pages.push(...page.memories.map(({ memory }) => memory.content));
      hasMore = page.hasMore;
    }
    expect(pages).toEqual(['0', '1', '2', '6', '3', '4', '5']);
    expect(await engine.listByTag({ tags: ['t'], limit: 3, offset: 7 })).toMatchObject({
      memories: [],
      hasMore: false,
    });
  });

  test('names the successor of a superseded memory, even if it has many stronger edges', async () => {
    const { engine, add, storeMany } = await openForTest();
    const id = await add({ content: 'Billing runs on PostgreSQL.', tags: ['t'] });
    const newId = await add({ content: 'Billing runs on SQLite.' });
    const { memories } = await storeMany(Array.from({ length: 9 }, (_, index) => ({ content: `note ${index}` })));
    const edge = { memory1_id: id, properties: {} };
    await engine.associateMany(
      memories.map(each => ({ ...edge, memory2_id: each.id, type: 'LEADS_TO' as const, strength: 0.9 })),
    );
    const successor = async () => (await engine.listByTag({ tags: ['t'], ...PAGE })).memories[0]?.supersededById;
    expect(await successor()).toBeUndefined();
    await engine.associate({ ...edge, memory2_id: newId, type: 'INVALIDATED_BY', strength: 0.1 });
    expect(await successor()).toBe(newId);
    await engine.associate({ ...edge, memory2_id: newId, type: 'INVALIDATED_BY', strength: 1 });
    expect(await successor()).toBe(newId);
    expect((await engine.get(id)).relations[0]).toMatchObject({ type: 'INVALIDATED_BY', memory: { id: newId } });
  });

  test('includes memories that are no longer valid', async () => {
    const { engine, add } = await openForTest();
    await add({ content: 'past', tags: ['t'], t_invalid: '2020-01-01' });
    expect((await engine.listByTag({ tags: ['t'], ...PAGE })).memories).toHaveLength(1);
  });
});

describe('removing by tag', () => {
  test('removes every match from both stores, over any number of batches', async () => {
    const { engine, storeMany, add } = await openForTest();
    await storeMany(Array.from({ length: 450 }, (_, index) => ({ content: `m ${index}`, tags: ['Bulk'] })));
    await add({ content: 'deeper', tags: ['bulk:deep'] });
    await add({ content: 'other', tags: ['other'] });
    await engine.reembed({ batchSize: 500, force: false });
    expect(await engine.removeByTag(['BULK', 'absent'])).toEqual({
      tags: ['BULK', 'absent'],
      deletedCount: 450,
    });
    expect(await engine.health()).toMatchObject({
      graph: { memoryCount: 2 },
      vectors: { vectorCount: 2 },
      consistency: 'inSync',
    });
    expect(await engine.removeByTag(['bulk'])).toMatchObject({ deletedCount: 0 });
  });

  test('yields to other requests between two batches', async () => {
    const { engine, storeMany } = await openForTest();
    await storeMany(Array.from({ length: 450 }, (_, index) => ({ content: `m ${index}`, tags: ['bulk'] })));
    const removal = engine.removeByTag(['bulk']);
    await new Promise(resolve => setImmediate(resolve));
    expect((await engine.listByTag({ tags: ['bulk'], ...PAGE })).memories).not.toEqual([]);
    expect((await removal).deletedCount).toBe(450);
  });

  test('removes every match when two requests remove them at the same time', async () => {
    const { engine, storeMany } = await openForTest();
    await storeMany(Array.from({ length: 450 }, (_, index) => ({ content: `m ${index}`, tags: ['bulk'] })));
    const removals = await Promise.all([engine.removeByTag(['bulk']), engine.removeByTag(['bulk'])]);
    expect(removals.reduce((sum, { deletedCount }) => sum + deletedCount, 0)).toBe(450);
    expect((await engine.listByTag({ tags: ['bulk'], ...PAGE })).memories).toEqual([]);
  });

  test('leaves no vectors when vectors are being made at the same time', async () => {
    const { engine, storeMany } = await openForTest();
    await storeMany(Array.from({ length: 100 }, (_, index) => ({ content: `m ${index}`, tags: ['bulk'] })));
    const [, removal] = await Promise.all([engine.idle(), engine.removeByTag(['bulk'])]);
    expect(removal.deletedCount).toBe(100);
    await engine.idle();
    expect(await engine.health()).toMatchObject({
      graph: { memoryCount: 0 },
      vectors: { vectorCount: 0 },
      consistency: 'inSync',
    });
  });
});
