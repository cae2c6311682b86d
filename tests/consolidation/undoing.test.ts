/** Tests how runs are undone, and how deleted memories are restored. */
import { describe, expect, test } from 'vitest';
import { idOf } from '../support/records.js';
import { openApart } from './apart.js';
import { ADMIN, opened } from './opened.js';

type Call = Awaited<ReturnType<typeof opened>>['call'];

/** Disables scheduled runs, so that no run starts when the test advances the clock. */
const BY_HAND = { DECAY_INTERVAL_SECONDS: '0', CREATIVE_INTERVAL_SECONDS: '0', CLUSTER_INTERVAL_SECONDS: '0' };
const DELETING = { ...BY_HAND, DELETE_THRESHOLD: '0.2', MAX_CHANGE_SHARE: '1' };
const OLD = { days: 900, importance: 0.1, type: 'Habit' };

describe('the list of changes of a run', () => {
  test('has pages, and an undo reverts the changes of all pages', async () => {
    const count = 110;
    const { call, run, daysAgo, dump, engine } = await opened(BY_HAND);
    const memories = Array.from({ length: count }, (_, index) => ({
      id: idOf(index),
      content: `Note ${index}`,
      importance: 0.1,
      timestamp: daysAgo(50),
    }));
    await call('POST /memory/batch', memories);
    await engine.idle();
    const before = await dump();
    const { run_id, updates } = await run('decay');
    expect(updates).toBe(count);
    const pageOf = async (page: number) => (await call(`GET /consolidate/runs/${run_id}?page=${page}`)).body;
    const pages = await Promise.all([0, 1, 2, 3, 4, 5].map(pageOf));
    expect(pages.map(({ changes }) => changes.length)).toEqual([25, 25, 25, 25, 10, 0]);
    expect(pages.map(({ next_page }) => next_page)).toEqual([1, 2, 3, 4, null, null]);
    const { body } = await call('POST /consolidate/undo', { run_id }, ADMIN);
    expect(body).toMatchObject({ undone: count, skipped: 0 });
    expect(await dump()).toBe(before);
    const { history } = (await call('GET /consolidate/status')).body;
    expect(history[0].undone_at).toBe('2026-03-01T12:00:00.000Z');
    const again = await call('POST /consolidate/undo', { run_id }, ADMIN);
    expect(again.body).toMatchObject({ undone: 0, skipped: count });
  });
});

describe('a deleted memory', () => {
  test.each([
    ['it is restored', ({ call }: { call: Call }) => call('POST /admin/restore', { ids: [idOf(1)] }, ADMIN)],
    [
      'the run is undone',
      ({ call, run_id }: { call: Call; run_id: string }) => call('POST /consolidate/undo', { run_id }, ADMIN),
    ],
  ])('has the history of its edits again when %s', async (_, bringBack) => {
    const { call, store, run, memory } = await opened(DELETING);
    await store({ ...OLD, id: idOf(1), content: 'first' });
    await call(`PATCH /memory/${idOf(1)}`, { content: 'second', updated_at: '2023-01-01' });
    const { run_id } = await run('forget');
    expect((await call(`GET /memory/${idOf(1)}/history`)).status).toBe(404);
    await bringBack({ call, run_id });
    const { versions } = (await call(`GET /memory/${idOf(1)}/history`)).body;
    expect(versions).toMatchObject([{ version: 1, content: 'first', changed: ['content'] }]);
    await call(`POST /memory/${idOf(1)}/restore`, { version: 1 });
    expect((await memory(idOf(1))).content).toBe('first');
  });

  test('whose id belongs to another memory stays in the bin, and the whole restore request is refused', async () => {
    const { call, store, run, memory } = await opened(DELETING);
    await store({ ...OLD, id: idOf(1), content: 'one' }, { ...OLD, id: idOf(2), content: 'two' });
    const { run_id } = await run('forget');
    await store({ days: 0, id: idOf(1), content: 'another' });
    const { status, body } = await call('POST /admin/restore', { ids: [idOf(2), idOf(1)] }, ADMIN);
    expect([status, body.error]).toEqual([
      409,
      `The id ${idOf(1)} now belongs to a memory with different content; nothing was restored`,
    ]);
    expect((await call(`GET /memory/${idOf(2)}`)).status).toBe(404);
    expect((await call('GET /admin/bin', undefined, ADMIN)).body.memories).toHaveLength(2);
    // An undo skips the memory whose id is taken, and restores the other memory.
    const undone = await call('POST /consolidate/undo', { run_id }, ADMIN);
    expect([undone.status, undone.body.undone, undone.body.skipped]).toEqual([200, 1, 1]);
    expect((await memory(idOf(1))).content).toBe('another');
    expect((await memory(idOf(2))).content).toBe('two');
  });

  test('that was stored again without its tags and metadata stays in the bin until the other memory is deleted', async () => {
    const { call, store, run, memory } = await opened(DELETING);
    const ticket = { metadata: { ticket: 7 }, tags: ['billing'] };
    await store({ ...OLD, ...ticket, id: idOf(1), content: 'one' });
    const { run_id } = await run('forget');
    await store({ days: 0, id: idOf(1), content: 'one' });
    const restore = () => call('POST /admin/restore', { ids: [idOf(1)] }, ADMIN);
    const { status, body } = await restore();
    expect(status).toBe(409);
    expect(body.error).toMatch(`The id ${idOf(1)} now belongs to a memory with different type`);
    expect(body.error).toMatch('tags, importance, metadata');
    expect(body.details).toMatch('The copy stays in the bin');
    expect((await call('POST /consolidate/undo', { run_id }, ADMIN)).body).toMatchObject({ undone: 0, skipped: 1 });
    expect((await call('GET /admin/bin', undefined, ADMIN)).body.memories).toHaveLength(1);
    await call(`DELETE /memory/${idOf(1)}`);
    expect((await restore()).status).toBe(200);
    expect(await memory(idOf(1))).toMatchObject({ importance: 0.1, type: 'Habit', ...ticket });
  });

  test('that was restored, but not with its edges, is restored completely by the same request', async () => {
    const { graph, start, store } = await openApart(DELETING);
    await store(900, 1, 2);
    const edge = { from: idOf(1), to: idOf(2), strength: 1, properties: {}, updated_at: '2024-01-01T00:00:00.000Z' };
    await graph.saveRelations([{ ...edge, type: 'RELATES_TO' }]);
    await start().consolidation.run({ mode: 'forget', isDryRun: false });
    const { consolidation } = start({
      saveRelations: async () => {
        throw new Error('the process was killed');
      },
    });
    await expect(consolidation.restore([idOf(1), idOf(2)])).rejects.toThrow('killed');
    expect((await graph.getMemories([idOf(1)])).size).toBe(1);
    const again = start().consolidation;
    expect((await again.restore([idOf(1), idOf(2)])).restoredIds).toHaveLength(2);
    expect((await graph.relationsOf({ ids: [idOf(1)], limit: 9 })).get(idOf(1))).toHaveLength(1);
    expect(await again.binned(9)).toEqual([]);
  });

  test('leaves no history if another request deletes it again while it is restored', async () => {
    const { graph, start, store } = await openApart(DELETING);
    await store(900, 1);
    const history = { properties: { contents: ['private'] }, updated_at: '2023-01-01T00:00:00.000Z' };
    await graph.updateMemory(idOf(1), memory => ({ memory, work: [], history }));
    await start().consolidation.run({ mode: 'forget', isDryRun: false });
    const { consolidation } = start({
      saveMemories: async records => {
        const outcomes = await graph.saveMemories(records);
        await graph.deleteMemories([idOf(1)]);
        return outcomes;
      },
    });
    await consolidation.restore([idOf(1)]);
    expect(await graph.countNodes('MemoryHistory')).toBe(0);
  });

  test('stays deleted when an earlier run is undone, if a later run deleted it again', async () => {
    const { call, store, run, clock } = await opened(DELETING);
    await store({ ...OLD, id: idOf(1), content: 'one' });
    const first = await run('forget');
    await call('POST /admin/restore', { ids: [idOf(1)] }, ADMIN);
    clock.advance(91 * 86_400_000);
    const second = await run('forget');
    const undo = async (run_id: string) => (await call('POST /consolidate/undo', { run_id }, ADMIN)).body;
    expect(await undo(first.run_id)).toMatchObject({ undone: 0, skipped: 1 });
    expect(await undo(second.run_id)).toMatchObject({ undone: 1, skipped: 0 });
  });

  test('is restored with its link to a pattern', async () => {
    const { call, store, run, dump, engine } = await opened(DELETING);
    const habit = (number: number) => ({
      ...OLD,
      id: idOf(number),
      content: `Swims on day ${number}`,
      tags: ['sport'],
    });
    await store(habit(1), habit(2), habit(3), habit(4));
    const before = await dump();
    expect(before).toContain('pattern-habit');
    const { run_id } = await run('forget');
    await call('POST /consolidate/undo', { run_id }, ADMIN);
    await engine.idle();
    expect(await dump()).toBe(before);
  });
});
