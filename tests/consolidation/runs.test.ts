/** Tests runs of consolidation through the REST API: the changes they make, the data they keep, and undoing. */
import { describe, expect, test } from 'vitest';
import { toIso } from '../../src/domain/time.js';
import { idOf } from '../support/records.js';
import { ADMIN, opened } from './opened.js';

/** Disables scheduled runs, so that no run starts when the test advances the clock. */
const BY_HAND = { DECAY_INTERVAL_SECONDS: '0', CREATIVE_INTERVAL_SECONDS: '0', CLUSTER_INTERVAL_SECONDS: '0' };
const FORGETTING = { ARCHIVE_THRESHOLD: '0.1', DELETE_THRESHOLD: '0.05', MAX_CHANGE_SHARE: '1' };
const OLD = { days: 400, importance: 0.2, content: 'The spare fuse lies in the blue drawer' };
const VERY_OLD = { days: 900, importance: 0.1, content: 'The printer on floor two jams on Mondays' };

describe('decay', () => {
  test('changes only the relevance of memories, and skips important memories', async () => {
    const { store, run, memory } = await opened();
    await store(
      { days: 50, id: idOf(1), content: 'A note', importance: 0.3, type: 'Habit' },
      { days: 50, id: idOf(2), content: 'A weighty note', importance: 0.31, type: 'Habit' },
    );
    const before = await memory(idOf(1));
    expect(await run('decay')).toMatchObject({ updates: 1, change_count: 1 });
    const { relevance_score, ...after } = await memory(idOf(1));
    expect(after).toEqual(before);
    // The relevance is e^-0.5 * (0.3 + 0.3 * e^-2.5) * 0.8 * (0.7 + 0.3 * 0.9), which is above the floor of 0.09.
    expect(relevance_score).toBeCloseTo(0.15279, 4);
    expect((await memory(idOf(2))).relevance_score).toBeUndefined();
  });

  test('writes new values as time passes, but nothing in a second run at the same instant', async () => {
    const { store, run, dump, clock } = await opened(BY_HAND);
    await store({ ...OLD, days: 10 });
    expect((await run('decay')).updates).toBe(1);
    const before = await dump();
    expect((await run('decay')).updates).toBe(0);
    expect(await dump()).toBe(before);
    clock.advance(5 * 86_400_000);
    expect((await run('decay')).updates).toBe(1);
  });
});

test('decay states for each memory whether its relevance begins, falls or rises', async () => {
  const { store, run, call, clock, engine } = await opened(BY_HAND);
  await store({ ...OLD, days: 10 });
  const reason = async () => (await run('decay')).changes[0].reason;
  expect(await reason()).toBe('relevance begins at 0.241');
  clock.advance(20 * 86_400_000);
  expect(await reason()).toBe('relevance falls from 0.241 to 0.150');
  expect((await call('GET /recall?query=spare fuse')).body.count).toBe(1);
  clock.advance(2_000);
  await engine.idle();
  expect(await reason()).toMatch(/^relevance rises from 0\.150 to 0\.\d{3}$/);
});

describe('forget', () => {
  test('changes nothing with the default settings', async () => {
    const { store, run, dump } = await opened();
    await store(OLD, VERY_OLD);
    const before = await dump();
    expect((await run('forget')).forgotten).toBe(0);
    expect(await dump()).toBe(before);
  });

  test('archives or deletes memories, and an archived one is not recalled but can be read and unarchived', async () => {
    const { call, store, run, memory } = await opened(FORGETTING);
    await store({ ...OLD, id: idOf(1) }, { ...VERY_OLD, id: idOf(2) });
    expect((await run('forget')).forgotten).toBe(2);
    const archived = await memory(idOf(1));
    expect(archived).toMatchObject({
      archived: true,
      archived_reason: expect.stringMatching(/^relevance 0\.\d+ lies/),
    });
    expect((await call('GET /recall?query=fuse drawer')).body.results).toEqual([]);
    expect((await call(`GET /memory/${idOf(2)}`)).status).toBe(404);
    await call(`PATCH /memory/${idOf(1)}`, { archived: false });
    expect((await call('GET /recall?query=fuse drawer')).body.count).toBe(1);
  });

  test.each([
    ['a protected type', { type: 'Decision' }, {}],
    ['an important memory', { importance: 0.7 }, { DECAY_IMPORTANCE_THRESHOLD: '1' }],
    ['a memory above the importance threshold of decay', { importance: 0.35 }, { DECAY_IMPORTANCE_THRESHOLD: '0.3' }],
    ['a memory within the grace period', { days: 80 }, {}],
    ['a memory whose metadata marks it as protected', { metadata: { protected: true } }, {}],
  ])('keeps %s', async (_, given, settings) => {
    const thresholds = { ...FORGETTING, ARCHIVE_THRESHOLD: '1', DELETE_THRESHOLD: '1' };
    const { store, run, memory } = await opened({ ...thresholds, ...settings });
    await store({ ...OLD, id: idOf(1), type: 'Habit', ...given });
    expect((await run('forget')).forgotten).toBe(0);
    expect((await memory(idOf(1))).archived).toBe(false);
    // A second memory without the protection is forgotten, so only the rule under test has protected the first memory.
    await store({ ...OLD, id: idOf(2), type: 'Habit' });
    expect((await run('forget')).forgotten).toBe(1);
  });

  test('changes nothing, and reports this, if it would change more than the allowed share of memories', async () => {
    const { store, run, dump, call } = await opened({ ...FORGETTING, MAX_CHANGE_SHARE: '0.25' });
    await store(OLD, VERY_OLD, { ...OLD, content: 'The third note' }, { days: 1, content: 'A new note' });
    const before = await dump();
    const { forgotten, stopped, run_id } = await run('forget');
    expect([forgotten, stopped]).toEqual([
      0,
      '3 of 4 memories would be archived or deleted, but CONSOLIDATION_MAX_CHANGE_SHARE allows only 1; nothing was changed',
    ]);
    expect(await dump()).toBe(before);
    const { history } = (await call('GET /consolidate/status')).body;
    expect(history[0]).toMatchObject({ run_id, state: 'stopped', problem: stopped });
  });

  test('is reported by health after it was stopped, until a run succeeds', async () => {
    const { store, run, call } = await opened({ ...FORGETTING, MAX_CHANGE_SHARE: '0.25' });
    await store(OLD, VERY_OLD, { days: 1, content: 'A new note' });
    await run('forget');
    const health = async () => (await call('GET /health')).body;
    expect((await health()).consolidation.problems).toEqual([expect.stringContaining('was stopped: 2 of 3 memories')]);
    expect((await health()).status).toBe('healthy');
    await call('DELETE /memory/by-tag?tags=none');
    await store(...Array.from({ length: 5 }, (_, index) => ({ days: 1, content: `New note ${index}` })));
    await run('forget');
    expect((await health()).consolidation.problems).toBeUndefined();
  });
});

describe('a dry run', () => {
  test('is the default, reports the changes that would be made, and writes nothing', async () => {
    const { store, dump, call } = await opened(FORGETTING);
    await store(OLD, VERY_OLD);
    const everything = ['ConsolidationRun', 'ConsolidationControl', 'ConsolidationChanges', 'DeletedMemory'] as const;
    const before = [await dump(), await dump(everything)];
    const { body } = await call('POST /consolidate', {});
    expect(Object.keys(body.consolidation)).toEqual(['decay', 'creative', 'cluster', 'forget']);
    expect(body.consolidation.decay).toMatchObject({ updates: 2, change_count: 2 });
    expect(body.consolidation.forget.changes.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'archive',
      'delete',
    ]);
    expect(body.consolidation.decay.run_id).toBeUndefined();
    expect([await dump(), await dump(everything)]).toEqual(before);
  });
});

describe('a run', () => {
  test('lists every change with its reason and numbers', async () => {
    const { store, run, call } = await opened(FORGETTING);
    await store({ ...OLD, id: idOf(1) });
    const { run_id } = await run('forget');
    const { run: record, changes, next_page } = (await call(`GET /consolidate/runs/${run_id}`)).body;
    expect(record).toMatchObject({ task: 'forget', state: 'done', forgotten: 1, change_count: 1 });
    expect(changes).toEqual([
      {
        kind: 'archive',
        memory_ids: [idOf(1)],
        reason: expect.stringContaining('below the archive threshold 0.1'),
        numbers: expect.objectContaining({ age_days: 400, relations: 0, importance: 0.2, threshold: 0.1 }),
      },
    ]);
    expect(next_page).toBeNull();
    expect((await call(`GET /consolidate/runs/${idOf(9)}`)).status).toBe(404);
  });

  test('can be undone completely, and the graph is then the same as before, except for the time of the undoing', async () => {
    const { store, call, dump, run, clock } = await opened(FORGETTING);
    await store(
      { ...OLD, id: idOf(1) },
      { ...VERY_OLD, id: idOf(2) },
      { days: 3, id: idOf(3), content: 'Anna keeps the fuses in a drawer' },
    );
    await call('POST /associate', { memory1_id: idOf(2), memory2_id: idOf(3), type: 'LEADS_TO', strength: 0.7 });
    const before = await dump();
    const decay = await run('decay');
    const forget = await run('forget');
    expect(await dump()).not.toBe(before);
    const undo = async (run_id: string) => (await call('POST /consolidate/undo', { run_id }, ADMIN)).body;
    expect(await undo(forget.run_id)).toMatchObject({ undone: 2, skipped: 0 });
    expect(await undo(decay.run_id)).toMatchObject({ skipped: 0 });
    const expected = JSON.parse(before);
    const unarchived = expected.records.find(({ memory }: { memory: { id: string } }) => memory.id === idOf(1));
    unarchived.memory.updated_at = toIso(clock.nowMs());
    // The dump waits until the restored memory is embedded again.
    expect(JSON.parse(await dump())).toEqual(expected);
  });

  test('stays undone when an export from before the undoing is imported', async () => {
    const { store, call, run, memory, clock } = await opened(FORGETTING);
    await store({ ...OLD, id: idOf(1) });
    const { run_id } = await run('forget');
    const exported = async (query: string) => (await call(`GET /admin/export?${query}`, undefined, ADMIN)).body.records;
    const runs = async () => (await call('GET /consolidate/status')).body.history;
    const records = [...(await exported('part=nodes&after=ConsolidationRun/')), ...(await exported('part=memories'))];
    clock.advance(1_000);
    await call('POST /consolidate/undo', { run_id }, ADMIN);
    const undone = await runs();
    const { body } = await call('POST /admin/import', { records, last: true }, ADMIN);
    expect(body).toMatchObject({ memories: { updated: 0, kept: 1 }, nodes: { updated: 0, kept: 1 } });
    expect((await memory(idOf(1))).archived).toBe(false);
    expect(undone[0].undone_at).toBeDefined();
    expect(await runs()).toEqual(undone);
  });

  test('is not undone for a memory that was changed after the run', async () => {
    const { store, call, run, memory } = await opened(FORGETTING);
    await store({ ...OLD, id: idOf(1) });
    const { run_id } = await run('forget');
    await call(`PATCH /memory/${idOf(1)}`, { archived: false });
    await call(`PATCH /memory/${idOf(1)}`, { archived: true });
    const { body } = await call('POST /consolidate/undo', { run_id }, ADMIN);
    expect(body).toMatchObject({ undone: 0, skipped: 1 });
    expect((await memory(idOf(1))).archived).toBe(true);
  });

  test('can be undone only with the admin token', async () => {
    const { call } = await opened();
    expect((await call('POST /consolidate/undo', { run_id: idOf(1) })).status).toBe(401);
    expect((await call('POST /consolidate/undo', { run_id: idOf(1) }, ADMIN)).status).toBe(404);
  });
});

describe('the bin', () => {
  test('restores a deleted memory with its edges', async () => {
    const { store, call, run, engine, memory } = await opened(FORGETTING);
    await store({ ...VERY_OLD, id: idOf(1), tags: ['office'] }, { days: 1, id: idOf(2), content: 'A new note' });
    await call('POST /associate', { memory1_id: idOf(2), memory2_id: idOf(1), type: 'DERIVED_FROM', strength: 0.4 });
    await run('forget');
    expect((await call('GET /consolidate/status')).body.binned).toBe(1);
    const { body } = await call('POST /admin/restore', { ids: [idOf(1), idOf(7)] }, ADMIN);
    expect(body).toEqual({ status: 'success', restored: [idOf(1)], unknown: [idOf(7)] });
    await engine.idle();
    const restored = await memory(idOf(1));
    expect(restored).toMatchObject({ content: VERY_OLD.content, tags: expect.arrayContaining(['office']) });
    expect(restored.relations).toEqual([expect.objectContaining({ type: 'DERIVED_FROM', strength: 0.4 })]);
    expect((await call('GET /recall?query=printer jams')).body.results[0].id).toBe(idOf(1));
    expect((await call('GET /consolidate/status')).body.binned).toBe(0);
  });

  test('keeps a deleted memory for the configured number of days', async () => {
    const { store, call, run, clock } = await opened({ ...FORGETTING, BIN_DAYS: '10', ...BY_HAND });
    await store({ ...VERY_OLD, id: idOf(1) }, { days: 1, content: 'A new note', type: 'Decision' });
    await run('forget');
    clock.advance(9 * 86_400_000);
    await run('decay');
    expect((await call('GET /consolidate/status')).body.binned).toBe(1);
    clock.advance(2 * 86_400_000);
    await run('decay');
    expect((await call('GET /consolidate/status')).body.binned).toBe(0);
  });
});
