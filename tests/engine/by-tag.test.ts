/** Listing and removing by tag (decisions D10). */
import { describe, expect, test } from 'vitest';
import { idOf } from '../support/records.js';
import { NOON_ISO, openForTest } from './open-engine.js';

const PAGE = { limit: 20, offset: 0 };

describe('listing by tag', () => {
  test('answers results in recall form and the plain memories', async () => {
    const { engine, add } = await openForTest();
    const id = await add({ content: 'Ann likes tea.', tags: ['People:Ann'], importance: 0.7, type: 'Habit' });
    const answer = await engine.listByTag({ tags: ['people/ann'], ...PAGE });
    expect(answer).toMatchObject({
      status: 'success',
      tags: ['people/ann'],
      count: 1,
      limit: 20,
      offset: 0,
      has_more: false,
      query_time_ms: 0,
    });
    expect(answer.memories).toEqual([expect.objectContaining({ id, content: 'Ann likes tea.', tags: ['People:Ann'] })]);
    expect(answer.results).toHaveLength(1);
    expect(answer.results[0]).toMatchObject({
      id,
      memory: {
        memory_id: id,
        id,
        content: 'Ann likes tea.',
        tags: ['People:Ann'],
        importance: 0.7,
        type: 'Habit',
        created_at: NOON_ISO,
        timestamp: NOON_ISO,
      },
      score: 0.7,
      final_score: 0.7,
      match_type: 'tag',
      source: 'graph',
      relations: [],
    });
  });

  test('takes any of the tags, exactly, whatever their case', async () => {
    const { engine, add } = await openForTest();
    await add({ content: 'a', tags: ['Team'], importance: 0.1 });
    await add({ content: 'b', tags: ['team:core'], importance: 0.2 });
    await add({ content: 'c', tags: ['other', 'x'], importance: 0.3 });
    await add({ content: 'd', importance: 0.4 });
    const contents = async (...tags: string[]) =>
      (await engine.listByTag({ tags, ...PAGE })).memories.map(({ content }) => content);
    expect(await contents('TEAM')).toEqual(['a']);
    expect(await contents('team/core', 'X')).toEqual(['c', 'b']);
    expect(await contents('tea')).toEqual([]);
  });

  test('pages without gaps or repeats, and says when more is to come', async () => {
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
      pages.push(...page.memories.map(({ content }) => content));
      expect(page.results.map(({ memory }) => memory.content)).toEqual(page.memories.map(({ content }) => content));
      hasMore = page.has_more;
    }
    expect(pages).toEqual(['0', '1', '2', '6', '3', '4', '5']);
    expect(await engine.listByTag({ tags: ['t'], limit: 3, offset: 7 })).toMatchObject({ count: 0, has_more: false });
  });

  test('shows what is no longer valid, too', async () => {
    const { engine, add } = await openForTest();
    await add({ content: 'past', tags: ['t'], t_invalid: '2020-01-01' });
    expect((await engine.listByTag({ tags: ['t'], ...PAGE })).count).toBe(1);
  });
});

describe('removing by tag', () => {
  test('removes every match from both stores, over any number of batches', async () => {
    const { engine, storeMany, add } = await openForTest();
    await storeMany(Array.from({ length: 450 }, (_, index) => ({ content: `m ${index}`, tags: ['Bulk'] })));
    await add({ content: 'deeper', tags: ['bulk:deep'] });
    await add({ content: 'other', tags: ['other'] });
    await engine.reembed({ batch_size: 500, force: false });
    expect(await engine.removeByTag(['BULK', 'absent'])).toEqual({
      status: 'success',
      tags: ['BULK', 'absent'],
      deleted_count: 450,
    });
    expect(await engine.health()).toMatchObject({ memory_count: 2, vector_count: 2, sync_status: 'synced' });
    expect(await engine.removeByTag(['bulk'])).toMatchObject({ deleted_count: 0 });
  });

  test('lets requests in between two batches', async () => {
    const { engine, storeMany } = await openForTest();
    await storeMany(Array.from({ length: 450 }, (_, index) => ({ content: `m ${index}`, tags: ['bulk'] })));
    const removal = engine.removeByTag(['bulk']);
    await new Promise(resolve => setImmediate(resolve));
    expect((await engine.listByTag({ tags: ['bulk'], ...PAGE })).count).toBeGreaterThan(0);
    expect((await removal).deleted_count).toBe(450);
  });

  test('while vectors are still to be made leaves none behind', async () => {
    const { engine, storeMany } = await openForTest();
    await storeMany(Array.from({ length: 100 }, (_, index) => ({ content: `m ${index}`, tags: ['bulk'] })));
    const [, removal] = await Promise.all([engine.idle(), engine.removeByTag(['bulk'])]);
    expect(removal.deleted_count).toBe(100);
    await engine.idle();
    expect(await engine.health()).toMatchObject({ memory_count: 0, vector_count: 0, sync_status: 'synced' });
  });
});
