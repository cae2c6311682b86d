/** Reading, updating and removing a memory (docs/decisions.md, "Reading by id"). */
import { describe, expect, test } from 'vitest';
import { readAssociation } from '../../src/api/relations.js';
import { idOf } from '../support/records.js';
import { letWorkRun } from '../support/turns.js';
import { NOON_ISO, openForTest, type TalkingEngine } from './open-engine.js';

describe('reading a memory', () => {
  test('returns every property and its relations', async () => {
    const { engine, add } = await openForTest();
    const id = await add({
      content: 'Ann likes tea.',
      tags: ['People/Ann'],
      type: 'Preference',
      importance: 0.8,
      metadata: { source: 'chat' },
      t_valid: '2026-01-01',
    });
    const stored = {
      id,
      content: 'Ann likes tea.',
      type: 'Preference',
      confidence: 0.9,
      tags: ['People/Ann', 'entity:people:ann'],
      tag_prefixes: ['people', 'people:ann', 'entity', 'entity:people', 'entity:people:ann'],
      importance: 0.8,
      metadata: { source: 'chat', entities: { people: ['Ann'] } },
      timestamp: NOON_ISO,
      updated_at: NOON_ISO,
      last_accessed: NOON_ISO,
      t_valid: '2026-01-01T00:00:00.000Z',
      enriched: false,
      archived: false,
    };
    expect(await engine.get(id)).toMatchObject({ memory: stored, relations: [] });
    await engine.idle();
    const metadata = { source: 'chat', entities: { people: ['Ann'] }, enriched_at: NOON_ISO };
    expect((await engine.get(id)).memory).toEqual({
      ...stored,
      tags: ['People/Ann', 'entity:people:ann'],
      tag_prefixes: ['people', 'people:ann', 'entity', 'entity:people', 'entity:people:ann'],
      metadata,
      enriched: true,
      embedded_by: 'hash-v3-64',
    });
  });

  test('rejects an unknown id', async () => {
    const { engine } = await openForTest();
    await expect(engine.get(idOf(1))).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(idOf(1)),
    });
  });
});

describe('updating a memory', () => {
  test('returns the changed memory, and the next read shows it', async () => {
    const { engine, add, patch, clock } = await openForTest();
    const id = await add({ content: 'old', tags: ['a'], metadata: { kept: 1, removed: 2 }, t_invalid: '2030-01-01' });
    clock.advance(60_000);
    const change = {
      content: 'new',
      tags: ['B:c'],
      importance: 1,
      confidence: 0.1,
      type: 'insight',
      metadata: { removed: null, added: [] },
      t_invalid: null,
      timestamp: '2020-01-01',
    };
    const changed = await patch(id, change);
    expect((await engine.get(id)).memory).toEqual(changed);
    expect(changed).toMatchObject({
      id,
      content: 'new',
      tags: ['B:c'],
      tag_prefixes: ['b', 'b:c'],
      importance: 1,
      confidence: 0.1,
      type: 'Insight',
      metadata: { kept: 1, added: [] },
      timestamp: '2020-01-01T00:00:00.000Z',
      updated_at: '2026-03-01T12:01:00.000Z',
    });
    expect(changed).not.toHaveProperty('t_invalid');
  });

  test('keeps the id and all fields that are not given', async () => {
    const { engine, add, patch } = await openForTest();
    const id = await add({ content: 'kept', importance: 0.7 });
    await patch(id, { id: idOf(9), last_accessed: '2026-04-01' });
    expect((await engine.get(id)).memory).toMatchObject({
      content: 'kept',
      importance: 0.7,
      last_accessed: '2026-04-01T00:00:00.000Z',
    });
    await expect(engine.get(idOf(9))).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each(['t_valid', 't_invalid'])('rejects an unreadable %s and says that null removes it', async field => {
    const { add, patch } = await openForTest();
    const id = await add({ content: 'kept' });
    const message = expect.stringMatching(/cannot be read: 'x'.*, or null to remove it$/);
    await expect(patch(id, { [field]: 'x' })).rejects.toMatchObject({ field, message });
  });

  test('rejects a validity that ends before it begins, and changes nothing', async () => {
    const { engine, add, patch } = await openForTest();
    const id = await add({ content: 'kept', t_valid: '2026-01-01' });
    await expect(patch(id, { content: 'new', t_invalid: '2025-01-01' })).rejects.toMatchObject({ field: 't_invalid' });
    expect((await engine.get(id)).memory).toMatchObject({ content: 'kept' });
  });

  test('rejects an unknown id', async () => {
    const { patch } = await openForTest();
    await expect(patch(idOf(1), { importance: 1 })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('in parallel keeps the change of each update', async () => {
    const { engine, add, patch } = await openForTest();
    const id = await add({ content: 'shared' });
    const keys = Array.from({ length: 25 }, (_, index) => `key${index}`);
    await Promise.all(keys.map(key => patch(id, { metadata: { [key]: key } })));
    expect(Object.keys((await engine.get(id)).memory.metadata).sort()).toEqual(keys.sort());
  });
});

describe('removing a memory', () => {
  test('succeeds once and then fails', async () => {
    const { engine, add } = await openForTest();
    const id = await add({ content: 'gone' });
    await engine.remove(id);
    await expect(engine.remove(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(engine.get(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('succeeds for only one of two parallel requests', async () => {
    const { engine, add } = await openForTest();
    const id = await add({ content: 'gone' });
    const outcomes = await Promise.allSettled([engine.remove(id), engine.remove(id)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the access time of a memory', () => {
  const HOUR_MS = 3_600_000;
  const DAY_MS = 24 * HOUR_MS;
  const NEXT_DAY_ISO = '2026-03-02T13:00:00.000Z';

  const accessedOf = async ({ engine }: TalkingEngine, id: string) => (await engine.get(id)).memory.last_accessed;

  test('is recorded after the answer of a recall', async () => {
    const test = await openForTest();
    const id = await test.add({ content: 'seen', tags: ['t'] });
    const unseen = await test.add({ content: 'other' });
    test.clock.advance(DAY_MS + HOUR_MS - 1_000);
    expect(JSON.stringify(await test.recall({ query: 'seen', limit: 1 }))).toContain(`"last_accessed":"${NOON_ISO}"`);
    test.clock.advance(1_000);
    await letWorkRun();
    expect(await accessedOf(test, id)).toBe(NEXT_DAY_ISO);
    expect(await accessedOf(test, unseen)).toBe(NOON_ISO);
  });

  test('is written once a day, however often the memory is recalled', async () => {
    const test = await openForTest();
    const id = await test.add({ content: 'seen', tags: ['t'] });
    await test.engine.idle();
    const written = new Set<string>();
    for (let hour = 0; hour < 60; hour++) {
      // Parallel recalls all read the access time before one of them writes it.
      await Promise.all([test.recall({ query: 'seen' }), test.recall({ query: 'seen' })]);
      await test.engine.idle();
      written.add(await accessedOf(test, id));
      test.clock.advance(HOUR_MS);
    }
    expect([...written]).toEqual([NOON_ISO, '2026-03-02T12:00:00.000Z', '2026-03-03T12:00:00.000Z']);
  });

  test.each<[string, (test: TalkingEngine, id: string, other: string) => Promise<unknown>]>([
    ['by id', ({ engine }, id) => engine.get(id)],
    ['by tag', ({ engine }) => engine.listByTag({ tags: ['t'], limit: 10, offset: 0 })],
    ['by a recall of a tag', ({ recall }) => recall({ tags: 't' })],
    ['by a recall of a time', ({ recall }) => recall({ start: '2026-02-01', end: '2026-04-01' })],
    ['by a recall of everything', ({ recall }) => recall({ query: '*' })],
    ['by a recall with hints but without a question', ({ recall }) => recall({ context_tags: 't', context: 'seen' })],
    [
      'by a recall that finds it through an edge',
      ({ recall }) => recall({ query: 'walrus', limit: 1, expand_relations: true }),
    ],
    ['through an edge', ({ engine }, _, id) => engine.related({ id, types: ['RELATES_TO'], maxDepth: 1, limit: 5 })],
    ['by the startup recall', ({ engine }) => engine.startupRecall()],
    ['by an untraced recall', ({ engine }) => engine.untracedRecall({ query: 'seen' })],
  ])('is not changed by reading the memory %s', async (_, look) => {
    const test = await openForTest();
    const id = await test.add({ content: 'seen', tags: ['t', 'critical'] });
    const other = await test.add({ content: 'a walrus' });
    await test.engine.associate(readAssociation({ memory1_id: other, memory2_id: id, type: 'RELATES_TO' }));
    await test.engine.idle();
    test.clock.advance(2 * DAY_MS);
    expect(JSON.stringify(await look(test, id, other))).toContain(id);
    await test.engine.idle();
    expect(await accessedOf(test, id)).toBe(NOON_ISO);
  });

  test('decides recency; for an import without last_accessed, it equals the timestamp', async () => {
    const { storeMany, recall } = await openForTest();
    const timestamps = { new: '2026-02-27T12:00:00Z', older: '2025-12-01T12:00:00Z', oldest: '2020-01-01T00:00:00Z' };
    await storeMany(
      Object.entries(timestamps).map(([age, timestamp]) => ({ content: `herons, the ${age} note`, timestamp })),
    );
    const used = { content: 'herons, the used note', timestamp: '2020-01-01', last_accessed: '2026-03-01T12:00:00Z' };
    await storeMany([used]);
    const { results } = await recall({ query: 'herons' });
    const recencyOf = (age: string) =>
      results.find(({ memory }) => memory.content.includes(` ${age} `))?.components.recency;
    expect(recencyOf('new')).toBeCloseTo(1 - 2 / 180, 3);
    expect(recencyOf('older')).toBeCloseTo(1 - 90 / 180, 3);
    expect([recencyOf('oldest'), recencyOf('used')]).toEqual([0, 1]);
  });

  test('is written without changing another time or starting work', async () => {
    const { engine, add, clock, recall } = await openForTest();
    const id = await add({ content: 'seen' });
    await engine.idle();
    clock.advance(DAY_MS + HOUR_MS);
    await recall({ query: 'seen' });
    await engine.idle();
    expect((await engine.get(id)).memory).toMatchObject({
      last_accessed: NEXT_DAY_ISO,
      updated_at: NOON_ISO,
      embedded_by: 'hash-v3-64',
    });
    expect(await engine.workStatus()).toMatchObject({ pending: 0, inFlight: 0 });
  });

  test('is written when the engine closes', async () => {
    const { add, clock, recall, reopen } = await openForTest();
    const id = await add({ content: 'seen' });
    clock.advance(DAY_MS + HOUR_MS);
    await recall({ query: 'seen' });
    expect((await (await reopen()).get(id)).memory).toMatchObject({ last_accessed: NEXT_DAY_ISO });
  });
});
