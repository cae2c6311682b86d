/** Storing one or many memories. */
import { describe, expect, test } from 'vitest';
import { startLaterVectors } from '../support/later-vectors.js';
import { idOf } from '../support/records.js';
import { axis, NOON_ISO, openForTest } from './open-engine.js';

/** A UUID of version 7 (RFC 9562). Its first 12 digits are the time. */
const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('storing one memory', () => {
  test('returns the memory with all derived fields', async () => {
    const { store, config } = await openForTest();
    expect(
      await store({ content: ' Ann likes tea. ', tags: 'People, people:ann', metadata: { source: 'chat' } }),
    ).toEqual({
      memory: {
        id: expect.stringMatching(UUID),
        content: 'Ann likes tea.',
        type: 'Preference',
        confidence: 0.6,
        tags: ['People', 'people:ann', 'entity:people:ann'],
        tag_prefixes: ['people', 'people:ann', 'entity', 'entity:people', 'entity:people:ann'],
        importance: 0.5,
        metadata: { source: 'chat', entities: { people: ['Ann'] } },
        timestamp: NOON_ISO,
        updated_at: NOON_ISO,
        last_accessed: NOON_ISO,
        enriched: false,
        archived: false,
        // With FalkorDB, the worker sets `embedded_by` later, when it settles the work.
        ...(!config.stores.falkordb && { embedded_by: 'hash-v3-64' }),
      },
      vector: 'stored',
      isVectorSupplied: false,
      storedAtMs: Date.parse(NOON_ISO),
      durationMs: 0,
    });
  });

  test('gives memories ids that begin with the time and differ, so that new ids are next to each other', async () => {
    const { storeMany, clock } = await openForTest();
    const contents = Array.from({ length: 200 }, (_, index) => ({ content: `Note ${index}` }));
    const ids = (await storeMany(contents)).memories.map(({ id }) => id);
    const times = ids.map(id => Number.parseInt(id.replace(UUID, '$1$2'), 16));
    expect(new Set(times)).toEqual(new Set([clock.nowMs()]));
    expect(new Set(ids).size).toBe(200);
  });

  test('keeps all fields that the caller gives', async () => {
    const { store, clock } = await openForTest();
    clock.advance(1_000);
    const stated = { type: 'style', confidence: '0.4', timestamp: '2020-01-01', id: idOf(7).toUpperCase() };
    expect(await store({ content: 'Tabs, not blanks.', ...stated })).toMatchObject({
      memory: {
        id: idOf(7),
        type: 'Style',
        confidence: 0.4,
        timestamp: '2020-01-01T00:00:00.000Z',
        updated_at: '2020-01-01T00:00:00.000Z',
        last_accessed: '2020-01-01T00:00:00.000Z',
      },
      storedAtMs: Date.parse('2026-03-01T12:00:01.000Z'),
    });
  });

  test('reports a supplied vector as stored', async () => {
    const { store } = await openForTest();
    expect(await store({ content: 'With a vector.', embedding: axis(3) })).toMatchObject({
      vector: 'stored',
      isVectorSupplied: true,
    });
  });

  test('reports a vector as queued when a remote model makes it', async () => {
    const { settings } = await startLaterVectors();
    const { engine, store } = await openForTest(settings);
    const fields = { content: 'Ann likes tea.', id: idOf(1) };
    expect(await store(fields)).toMatchObject({ vector: 'queued', isVectorSupplied: false });
    expect(await store(fields)).toMatchObject({ vector: 'queued' });
    await engine.idle();
    expect(await store(fields)).toMatchObject({ vector: 'stored' });
  });

  test('gives every memory a distinct id', async () => {
    const { add } = await openForTest();
    const ids = await Promise.all(Array.from({ length: 20 }, () => add({ content: 'The same.' })));
    expect(new Set(ids).size).toBe(20);
  });
});

describe('storing a memory with an existing id', () => {
  test('and the same content is a replay: it writes nothing and returns the stored memory', async () => {
    const { engine, store, clock } = await openForTest();
    const first = await store({ id: idOf(1), content: 'Once.', tags: ['kept'], importance: 0.9, type: 'Habit' });
    clock.advance(5_000);
    const again = await store({ id: idOf(1), content: ' Once. ', tags: ['KEPT'] });
    expect(again).toMatchObject({
      memory: {
        id: idOf(1),
        type: 'Habit',
        confidence: 0.9,
        tags: ['kept'],
        timestamp: first.memory.timestamp,
        updated_at: first.memory.updated_at,
      },
      storedAtMs: Date.parse('2026-03-01T12:00:05.000Z'),
    });
    expect((await engine.get(idOf(1))).memory).toMatchObject({ importance: 0.9, tags: ['kept'], updated_at: NOON_ISO });
    expect(await engine.health()).toMatchObject({ graph: { memoryCount: 1 } });
  });

  test('and other content is a conflict', async () => {
    const { engine, store } = await openForTest();
    await store({ id: idOf(1), content: 'Once.' });
    await expect(store({ id: idOf(1), content: 'Otherwise.' })).rejects.toMatchObject({
      code: 'conflict',
      status: 409,
    });
    expect((await engine.get(idOf(1))).memory).toMatchObject({ content: 'Once.' });
  });
});

test.each([
  ['content', { content: 'before\0after' }],
  ['tags', { tags: ['before\0after'] }],
])('a NUL character in %s is refused, also for a program that uses the engine', async (field, change) => {
  const { engine, add } = await openForTest();
  const id = await add({ content: 'apples' });
  const error = { code: 'invalid', field };
  await expect(engine.store({ content: 'pears', metadata: {}, ...change })).rejects.toMatchObject(error);
  await expect(engine.storeMany([{ content: 'pears', metadata: {}, ...change }])).rejects.toMatchObject(error);
  await expect(engine.update(id, change)).rejects.toMatchObject(error);
  expect(await engine.health()).toMatchObject({ graph: { memoryCount: 1 } });
});

test('three parallel requests with the same id store one memory', async () => {
  const { engine, store } = await openForTest();
  const outcomes = await Promise.all([1, 2, 3].map(() => store({ id: idOf(1), content: 'Once.' })));
  expect(new Set(outcomes.map(({ memory }) => memory.id))).toEqual(new Set([idOf(1)]));
  await engine.idle();
  expect(await engine.health()).toMatchObject({ graph: { memoryCount: 1 }, vectors: { vectorCount: 1 } });
});

describe('storing many memories', () => {
  test('returns them in the order of the input', async () => {
    const { engine, storeMany } = await openForTest();
    const items = Array.from({ length: 500 }, (_, index) => ({ content: `memory ${index}`, id: idOf(1_000 - index) }));
    const stored = await storeMany(items);
    expect(stored).toMatchObject({ memories: items, vectors: 'stored', durationMs: 0 });
    await engine.reembed({ batchSize: 500, force: false });
    expect(await engine.health()).toMatchObject({
      graph: { memoryCount: 500 },
      vectors: { vectorCount: 500 },
      consistency: 'inSync',
    });
  });

  test('reports whether every vector is stored', async () => {
    const { settings } = await startLaterVectors();
    const { storeMany } = await openForTest(settings);
    const supplied = { content: 'a', embedding: axis(1) };
    expect(await storeMany([supplied, { ...supplied, content: 'b' }])).toMatchObject({ vectors: 'stored' });
    expect(await storeMany([supplied, { content: 'b' }])).toMatchObject({ vectors: 'queued' });
  });

  test('stores nothing when one of them conflicts with a stored memory', async () => {
    const { engine, add, storeMany } = await openForTest();
    await add({ id: idOf(2), content: 'There.' });
    const batch = [{ content: 'new', id: idOf(1) }, { content: 'Not there.', id: idOf(2) }, { content: 'new too' }];
    await expect(storeMany(batch)).rejects.toMatchObject({ code: 'conflict', index: 1, field: 'id' });
    await engine.idle();
    expect(await engine.health()).toMatchObject({ graph: { memoryCount: 1 }, vectors: { vectorCount: 1 } });
    await expect(engine.get(idOf(1))).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['tags', { tags: ['other'] }],
    ['type', { type: 'Decision' }],
    ['importance', { importance: 0.9 }],
  ])('stores nothing when one of them occurs twice with different %s', async (field, change) => {
    const { engine, storeMany } = await openForTest();
    const first = { id: idOf(1), content: 'New.', tags: ['own'], type: 'Habit', importance: 0.2 };
    await expect(storeMany([first, { ...first, ...change }])).rejects.toMatchObject({
      code: 'conflict',
      index: 1,
      field,
    });
    expect(await engine.health()).toMatchObject({ graph: { memoryCount: 0 } });
  });

  describe.each([2, 12])('two batches with %i memories that are stored at the same time', count => {
    const shared = { content: 'shared', id: idOf(1), tags: ['own'], importance: 0.2 };
    const batchOf = (first: number, last = shared) => [
      ...Array.from({ length: count - 1 }, (_, index) => ({ content: `of ${first + index}`, id: idOf(first + index) })),
      last,
    ];

    test.each([
      ['tags', { tags: ['other'] }],
      ['importance', { importance: 0.9 }],
      ['id', { content: 'not shared' }],
    ])('differ in the %s of a shared memory: one batch is stored, and the other is refused', async (field, change) => {
      const { engine, storeMany } = await openForTest();
      const given = [shared, { ...shared, ...change }];
      const outcomes = await Promise.allSettled([storeMany(batchOf(101)), storeMany(batchOf(201, given[1]))]);
      const refused = outcomes.findIndex(({ status }) => status === 'rejected');
      expect(outcomes[refused]).toMatchObject({ reason: { code: 'conflict', index: count - 1, field } });
      expect(outcomes[1 - refused]).toMatchObject({ status: 'fulfilled' });
      await engine.idle();
      expect(await engine.health()).toMatchObject({ graph: { memoryCount: count } });
      expect(await engine.get(idOf(1))).toMatchObject({ memory: { ...given[1 - refused] } });
    });

    test('share an equal memory: both are stored', async () => {
      const { engine, storeMany } = await openForTest();
      await Promise.all([storeMany(batchOf(101)), storeMany(batchOf(201))]);
      await engine.idle();
      expect(await engine.health()).toMatchObject({ graph: { memoryCount: 2 * count - 1 } });
    });
  });

  test('accepts replays among new memories, and a memory that occurs twice', async () => {
    const { engine, add, storeMany } = await openForTest();
    await add({ id: idOf(1), content: 'There.' });
    const decision = { id: idOf(2), content: 'We decided to use PostgreSQL.' };
    const tagged = { ...decision, tags: ['database'] };
    const batch = [
      { id: idOf(1), content: 'There.' },
      tagged,
      { ...decision, type: 'Decision', importance: 0.5 },
      tagged,
    ];
    expect((await storeMany(batch)).memories.map(({ id }) => id)).toEqual([
      idOf(1),
      ...batch.slice(1).map(({ id }) => id),
    ]);
    expect(await engine.health()).toMatchObject({ graph: { memoryCount: 2 } });
  });
});
