/** Forgetting keeps memories that other requests change during a run, and memories that were restored. */
import { describe, expect, test } from 'vitest';
import { toIso } from '../../src/domain/time.js';
import { idOf } from '../support/records.js';
import { createGate, openApart } from './apart.js';
import { ADMIN, opened } from './opened.js';

/** Disables scheduled runs, so that no run starts when the test advances the clock. */
const BY_HAND = { DECAY_INTERVAL_SECONDS: '0', CREATIVE_INTERVAL_SECONDS: '0', CLUSTER_INTERVAL_SECONDS: '0' };
const FORGETTING = { ...BY_HAND, ARCHIVE_THRESHOLD: '0.2', DELETE_THRESHOLD: '0.03', MAX_CHANGE_SHARE: '1' };
/** ARCHIVED has a relevance below the archive threshold, and DELETED also below the delete threshold. */
const ARCHIVED = { days: 400, importance: 0.1, type: 'Habit', content: 'The spare fuse lies in the blue drawer' };
const DELETED = { ...ARCHIVED, importance: 0.05, days: 900, content: 'The printer on floor two jams on Mondays' };

describe('a run of forget during other requests', () => {
  test('makes a restore fail while it deletes memories, so that no memory is lost', async () => {
    const { start, graph, store } = await openApart({ ...FORGETTING, DELETE_THRESHOLD: '0.035' });
    await store(900, 1);
    const gate = createGate();
    const { consolidation } = start({
      deleteMemories: async (ids, updatedAt) => {
        await gate.pass();
        return graph.deleteMemories(ids, updatedAt);
      },
    });
    const beside = start().consolidation;
    const running = consolidation.run({ mode: 'forget', isDryRun: false });
    await gate.reached;
    await expect(beside.restore([idOf(1)])).rejects.toMatchObject({ code: 'conflict' });
    gate.open();
    expect(await running).toMatchObject([{ count: 1 }]);
    expect(await beside.restore([idOf(1)])).toEqual({ restoredIds: [idOf(1)], unknownIds: [] });
    expect(await graph.getMemories([idOf(1)])).toHaveLength(1);
  });

  test.each([true, false])(
    'restores a memory without its vector, and queues its unfinished work: enriched %s',
    async enriched => {
      const { start, graph, store } = await openApart({ ...FORGETTING, DELETE_THRESHOLD: '0.035' });
      await store(900, 1);
      await graph.updateMemory(idOf(1), memory => ({ memory: { ...memory, enriched, embedded_by: 'm' }, work: [] }));
      const { consolidation } = start();
      await consolidation.run({ mode: 'forget', isDryRun: false });
      await consolidation.restore([idOf(1)]);
      expect((await graph.getMemories([idOf(1)])).get(idOf(1))).not.toHaveProperty('embedded_by');
      expect(await graph.workCounts('embed')).toMatchObject({ pending: 1 });
      expect(await graph.workCounts('enrich')).toMatchObject({ pending: enriched ? 0 : 1 });
    },
  );

  test.each([
    ['archived', 400],
    ['deleted', 900],
  ])('skips memories that were changed or deleted after they were selected to be %s', async (_, days) => {
    const { start, graph, store, clock } = await openApart({ ...FORGETTING, DELETE_THRESHOLD: '0.035' });
    // The memories fill two pages. Both pages are planned before the changes of the first page are made.
    await store(days, ...Array.from({ length: 101 }, (_, index) => index + 1));
    const gate = createGate();
    let pages = 0;
    const { consolidation } = start({
      countRelations: async ids => {
        pages += 1;
        if (pages === 2) await gate.pass();
        return graph.countRelations(ids);
      },
    });
    const running = consolidation.run({ mode: 'forget', isDryRun: false });
    await gate.reached;
    clock.advance(1_000);
    const updated_at = toIso(clock.nowMs());
    const metadata = { protected: true };
    await graph.updateMemory(idOf(1), memory => ({ memory: { ...memory, metadata, updated_at }, work: [] }));
    await graph.deleteMemories([idOf(2)]);
    gate.open();
    expect(await running).toMatchObject([{ count: 99, changeCount: 99 }]);
    expect((await graph.getMemories([idOf(1)])).get(idOf(1))).toMatchObject({ archived: false, metadata });
    expect((await consolidation.binned(200)).some(({ id }) => id === idOf(1) || id === idOf(2))).toBe(false);
  });

  test('records its changes before it makes them, so that they are known after an interruption', async () => {
    const { start, graph, store } = await openApart({ ...FORGETTING, DELETE_THRESHOLD: '0.035' });
    await store(900, 1, 2);
    const gate = createGate();
    const { consolidation } = start({
      deleteMemories: async (ids, updatedAt) => {
        await gate.pass();
        return graph.deleteMemories(ids, updatedAt);
      },
    });
    const running = consolidation.run({ mode: 'forget', isDryRun: false });
    await gate.reached;
    expect((await start().consolidation.status()).history).toMatchObject([{ state: 'running', changeCount: 2 }]);
    gate.open();
    await running;
  });
});

describe('a run of forget', () => {
  test('keeps a memory for the grace period after a request or an undo has restored or unarchived it', async () => {
    const { store, run, call, clock } = await opened(FORGETTING);
    await store(
      { ...ARCHIVED, id: idOf(1) },
      { ...ARCHIVED, id: idOf(2), content: 'Milk is cheaper at the market' },
      { ...DELETED, id: idOf(3) },
      { ...DELETED, id: idOf(4), content: 'The lift hums in winter' },
    );
    const { run_id, forgotten } = await run('forget');
    expect(forgotten).toBe(4);
    await call('POST /admin/restore', { ids: [idOf(3)] }, ADMIN);
    await call(`PATCH /memory/${idOf(1)}`, { archived: false });
    const undone = await call('POST /consolidate/undo', { run_id }, ADMIN);
    expect(undone.body).toMatchObject({ undone: 2, skipped: 2 });
    clock.advance(89 * 86_400_000);
    expect((await run('forget')).forgotten).toBe(0);
    clock.advance(2 * 86_400_000);
    expect((await run('forget')).forgotten).toBe(4);
  });

  test('archives a memory, and taking back an earlier edit of the memory leaves it archived', async () => {
    const { store, run, call, memory } = await opened({ ...FORGETTING, DELETE_THRESHOLD: '0' });
    await store({ ...ARCHIVED, id: idOf(1) });
    await call(`PATCH /memory/${idOf(1)}`, { content: 'The spare fuse is lost', updated_at: '2023-01-01' });
    expect((await run('forget')).forgotten).toBe(1);
    await call(`POST /memory/${idOf(1)}/restore`, { version: 1 });
    const { content, archived, archived_reason } = await memory(idOf(1));
    expect([content, archived]).toEqual([ARCHIVED.content, true]);
    expect(archived_reason).toContain('archive threshold');
  });

  test.each([
    ['was changed recently', { updated_at: '2026-02-20T00:00:00Z' }],
    ['was recalled recently', { last_accessed: '2026-02-20T00:00:00Z' }],
    ['is not valid yet', { t_valid: '2026-04-01T00:00:00Z' }],
    ['is marked as protected by a text', { metadata: { protected: 'Yes' } }],
    ['is marked as protected by a number', { metadata: { protected: 1 } }],
  ])('keeps a memory that %s', async (_, given) => {
    const { store, run, memory } = await opened(FORGETTING);
    await store(
      { ...DELETED, id: idOf(1), ...given },
      { ...DELETED, id: idOf(2), content: 'The lift hums in winter', metadata: { protected: false } },
    );
    expect((await run('forget')).forgotten).toBe(1);
    expect((await memory(idOf(1))).id).toBe(idOf(1));
  });

  test('shows enough decimals of a relevance that is just below the threshold', async () => {
    const { store, run } = await opened({ ...FORGETTING, DELETE_THRESHOLD: '0.03' });
    await store({ ...DELETED, importance: 0.0999 });
    expect((await run('forget')).changes[0].reason).toMatch(
      /^relevance 0\.02997\d* lies below the delete threshold 0\.03$/,
    );
  });

  test('makes no change and records no change if it would exceed the allowed share of memories', async () => {
    const { store, run, call } = await opened({ ...FORGETTING, MAX_CHANGE_SHARE: '0' });
    await store(DELETED);
    const { run_id, stopped } = await run('forget');
    expect(stopped).toMatch(/^1 of 1 memories .* allows only 0;/);
    const { run: record, changes } = (await call(`GET /consolidate/runs/${run_id}`)).body;
    expect([record.state, record.change_count, changes]).toEqual(['stopped', 0, []]);
    expect((await call('GET /consolidate/status')).body.history[0].change_count).toBe(0);
  });
});

test('an unknown protected type is refused at startup, because it would protect nothing', async () => {
  await expect(opened({ PROTECTED_TYPES: 'Decisions, insight' })).rejects.toThrow(
    "CONSOLIDATION_PROTECTED_TYPES must contain only types among Decision, Pattern, Preference, Style, Habit, Insight, Context, but contains 'Decisions'",
  );
});
