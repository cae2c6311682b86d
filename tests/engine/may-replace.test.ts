/** The memories that a written memory may replace, in answers, and as suggestions beside the older memories. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecalledMemory } from '../../src/domain/recall.js';
import type { Engine } from '../../src/engine/engine.js';
import { startLaterVectors } from '../support/later-vectors.js';
import { openForTest, type TalkingEngine } from './open-engine.js';

const JANUARY = '2026-01-05T09:00:00Z';
const FEBRUARY = '2026-02-05T09:00:00Z';
const OLD = { content: 'Trailhead costs 29 euros a year, with a 14 day trial.', timestamp: JANUARY };
const NEW = { content: 'Trailhead costs 39 euros a year, with a 14 day trial.', timestamp: FEBRUARY };

async function found(engine: Engine, ...ids: string[]) {
  const memories = await Promise.all(ids.map(async id => (await engine.get(id)).memory));
  return (await engine.mayReplace(memories)).map(({ memory, newerId }) => [memory.id, newerId]);
}

async function resultOf({ recall }: TalkingEngine, id: string): Promise<RecalledMemory | undefined> {
  const { results } = await recall({ query: 'What does Trailhead cost a year?', limit: 20 });
  return results.find(({ memory }) => memory.id === id);
}

const newerOf = async (test: TalkingEngine, id: string) => (await resultOf(test, id))?.maybeOutdatedBy?.id;

async function withBoth(env: Record<string, string> = {}) {
  const test = await openForTest(env);
  const older = await test.add(OLD);
  const newer = await test.add(NEW);
  await test.engine.idle();
  return { test, engine: test.engine, older, newer };
}

describe('an older memory that a new one may replace', () => {
  test('is found when the new one is stored, with a reason, and not the other way round', async () => {
    const { engine, older, newer } = await withBoth();
    const { memory } = await engine.get(newer);
    const [first, ...others] = await engine.mayReplace([memory]);
    expect([first?.memory.id, first?.newerId, others]).toEqual([older, newer, []]);
    expect(first?.why).toMatch(/^shares .*trailhead/);
    expect(await found(engine, older)).toEqual([]);
  });

  test('is found with the same timestamp if it was stored before, but not within one batch', async () => {
    const { engine, add, storeMany } = await openForTest();
    const older = await add({ content: OLD.content });
    expect(await found(engine, await add({ content: NEW.content }))).toEqual([[older, expect.any(String)]]);
    const lists = ['The key list has 4 names.', 'The key list has 9 names.'].map(content => ({ content }));
    const { memories } = await storeMany(lists);
    expect(await engine.mayReplace(memories)).toEqual([]);
  });

  test('is found for the memories of a small batch, which may also replace each other, but not for a large one', async () => {
    const { engine, add, storeMany } = await openForTest();
    const older = await add(OLD);
    const batch = [NEW, { content: 'Ines waters the ferns.', timestamp: JANUARY }];
    const { memories } = await storeMany([...batch, { content: 'Ines waters the palms.', timestamp: FEBRUARY }]);
    const [first, ferns, palms] = memories;
    expect((await engine.mayReplace(memories)).map(({ memory, newerId }) => [memory.id, newerId])).toEqual([
      [older, first?.id],
      [ferns?.id, palms?.id],
    ]);
    const many = Array.from({ length: 11 }, (_, index) => ({ ...NEW, content: `${NEW.content} ${index}` }));
    expect(await engine.mayReplace((await storeMany(many)).memories)).toEqual([]);
  });

  test('is found after an update with new content', async () => {
    const { engine, add, patch } = await openForTest();
    const older = await add(OLD);
    const other = await add({ content: 'Something about the garden.', timestamp: FEBRUARY });
    expect(await found(engine, other)).toEqual([]);
    await patch(other, { content: NEW.content });
    expect(await found(engine, other)).toEqual([[older, other]]);
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['is about another project', { tags: ['project:a'] }, { tags: ['project:b'] }],
    ['is about another project of the same owner', { tags: ['project:acme/a'] }, { tags: ['project:acme/b'] }],
    ['is a turn of the same conversation', { tags: ['session:1'] }, { tags: ['session:1'] }],
    ['has ended', { t_invalid: '2026-02-01T00:00:00Z' }, {}],
    ['is not valid yet', { t_valid: '2027-02-01T00:00:00Z' }, {}],
    ['is newer', { timestamp: '2026-02-20T09:00:00Z' }, {}],
  ])('is not found if it %s', async (_, ofOld, ofNew) => {
    const { engine, add } = await openForTest();
    await add({ ...OLD, ...ofOld });
    expect(await found(engine, await add({ ...NEW, ...ofNew }))).toEqual([]);
  });

  test('is found under the former name of its project', async () => {
    const { engine, add } = await openForTest();
    const older = await add({ ...OLD, tags: ['project:shop'] });
    const newer = await add({ ...NEW, tags: ['project:acme/shop'] });
    expect(await found(engine, newer)).toEqual([[older, newer]]);
  });

  test('is not found if a caller has joined the two, or another memory has replaced it', async () => {
    const { engine, older, newer } = await withBoth();
    const since = { content: `${NEW.content} Since spring.`, timestamp: '2026-02-20T09:00:00Z', metadata: {} };
    const third = await engine.store(since);
    await engine.associate({ memory1_id: older, memory2_id: newer, type: 'RELATES_TO', strength: 1, properties: {} });
    expect(await found(engine, newer)).toEqual([]);
    expect(await found(engine, third.memory.id)).toContainEqual([older, third.memory.id]);
    await engine.associate({ memory1_id: older, memory2_id: newer, type: 'EVOLVED_INTO', strength: 1, properties: {} });
    expect(await found(engine, third.memory.id)).not.toContainEqual([older, third.memory.id]);
  });

  test('is not found in a series of like memories, unless it is repeated', async () => {
    const { engine, add } = await openForTest();
    const day = (index: number) => `2026-01-${String(index + 10)}T09:00:00Z`;
    const entry = (index: number) => ({ content: `Visitors of the garden: ${100 + index}`, timestamp: day(index) });
    const ids: string[] = [];
    for (let index = 0; index < 8; index++) ids.push(await add(entry(index)));
    expect(await found(engine, await add({ ...entry(9) }))).toEqual([]);
    expect(await found(engine, await add({ ...entry(3), timestamp: FEBRUARY }))).toEqual([
      [ids[3], expect.any(String)],
    ]);
  });
});

describe('the answer to a write', () => {
  test('waits at most 150 ms for a model, and the suggestion follows in the background', async () => {
    const { server, settings } = await startLaterVectors();
    const test = await openForTest({ ...settings, EMBEDDING_TIMEOUT_SECONDS: '1' });
    const older = await test.add(OLD);
    await test.engine.idle();
    server.on('/v1/embeddings', 'hang');
    const { memory } = await test.store(NEW);
    let hasAnswered = false;
    const answer = test.engine.mayReplace([memory]).then(all => {
      hasAnswered = true;
      return all;
    });
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(hasAnswered).toBe(false);
    test.clock.advance(150);
    // Without vectors, words are compared.
    expect((await answer).every(each => each.memory.id === older)).toBe(true);
  });

  test('is empty, and no error, when the search fails', async () => {
    const { engine, store, close } = await openForTest();
    const { memory } = await store(NEW);
    onTestFinished(close);
    await engine.close();
    expect(await engine.mayReplace([memory])).toEqual([]);
  });
});

describe('a suggestion', () => {
  test('is shown beside the older memory, even if the newer one is not on the page', async () => {
    const { test, older, newer } = await withBoth();
    const page = await test.recall({ query: '29 euros a year Trailhead', limit: 1 });
    expect(page.results.map(({ memory, maybeOutdatedBy }) => [memory.id, maybeOutdatedBy?.id])).toEqual([
      [older, newer],
    ]);
    expect((await resultOf(test, newer))?.maybeOutdatedBy).toBeUndefined();
  });

  test('is kept after a restart, and names the newest of several memories', async () => {
    const { test, older } = await withBoth();
    const newest = await test.add({
      ...NEW,
      content: 'Trailhead costs 49 euros a year.',
      timestamp: '2026-02-20T09:00:00Z',
    });
    await test.engine.idle();
    await test.reopen();
    expect(await newerOf(test, older)).toBe(newest);
  });

  test('of the newest memory stays when an earlier one is enriched again', async () => {
    const { test, engine, older, newer } = await withBoth();
    const newest = await test.add({
      ...NEW,
      content: 'Trailhead costs 49 euros a year.',
      timestamp: '2026-02-20T09:00:00Z',
    });
    await engine.idle();
    await engine.reprocess([newer]);
    await engine.idle();
    expect(await newerOf(test, older)).toBe(newest);
  });

  test.each<[string, (given: Awaited<ReturnType<typeof withBoth>>) => Promise<unknown>]>([
    [
      'is answered by an edge',
      ({ engine, older, newer }) =>
        engine.associate({ memory1_id: newer, memory2_id: older, type: 'RELATES_TO', strength: 1, properties: {} }),
    ],
    [
      'is answered by one of several edges',
      ({ engine, older, newer }) =>
        engine.associateMany([{ memory1_id: older, memory2_id: newer, type: 'PART_OF', strength: 1, properties: {} }]),
    ],
    [
      'ends with an edit of the older memory',
      ({ test, older }) => test.patch(older, { content: 'Trailhead costs 29 euros.' }),
    ],
    [
      'ends with an edit of the newer memory',
      ({ test, newer }) => test.patch(newer, { content: 'Trailhead is green.' }),
    ],
    ['ends when the newer memory is deleted', ({ engine, newer }) => engine.remove(newer)],
    ['ends when the newer memory is no longer valid', ({ test, newer }) => test.patch(newer, { t_invalid: FEBRUARY })],
    [
      'ends when the newer memory is superseded',
      ({ engine, newer }) =>
        engine.store({ content: 'The price is unknown.', metadata: {} }, { oldId: newer, type: 'INVALIDATED_BY' }),
    ],
  ])('%s', async (_, change) => {
    const given = await withBoth();
    expect(await newerOf(given.test, given.older)).toBe(given.newer);
    await change(given);
    // Only what is stored counts, so background work must not be needed.
    expect(await newerOf(given.test, given.older)).toBeUndefined();
  });

  test('is not shown beside a memory that is marked as superseded', async () => {
    const { test, engine, older } = await withBoth();
    await engine.store({ content: 'Trailhead is free.', metadata: {} }, { oldId: older, type: 'INVALIDATED_BY' });
    await engine.idle();
    const { results } = await test.recall({ query: 'What does Trailhead cost?', state_mode: 'history' });
    const shown = results.find(({ memory }) => memory.id === older);
    expect(shown?.supersededBy).toBeDefined();
    expect(shown?.maybeOutdatedBy).toBeUndefined();
  });

  test('ends when the proposal for the two is dismissed, and is never made again', async () => {
    const { test, engine, older, newer } = await withBoth({ CONSOLIDATION_ENABLED: 'true' });
    for (const content of [
      'Ferns want shade.',
      'The lamp in the hall is brass.',
      'The ferry to Texel takes a while.',
    ]) {
      await test.add({ content, timestamp: JANUARY });
    }
    await engine.idle();
    await engine.consolidation.run({ mode: 'cluster', isDryRun: false });
    const [proposal] = await engine.consolidation.proposals(10);
    expect(proposal).toMatchObject({ kind: 'replaced', olderId: older, newerId: newer });
    await engine.consolidation.settleProposal(proposal?.id ?? '', 'dismiss');
    expect(await newerOf(test, older)).toBeUndefined();
    await engine.reprocess([newer]);
    await engine.idle();
    expect(await newerOf(test, older)).toBeUndefined();
    expect(await found(engine, newer)).toEqual([]);
  });
});

test('a memory that a longer chain of corrections ends with is still found', async () => {
  const test = await openForTest();
  let before: string | undefined;
  for (let version = 1; version <= 8; version++) {
    const content = `Trailhead costs ${version * 10} euros a year, with a 14 day trial.`;
    const id = await test.add({ content, timestamp: `2026-01-0${version}T09:00:00Z` });
    if (before) {
      const edge = { memory1_id: before, memory2_id: id, type: 'INVALIDATED_BY', strength: 1, properties: {} } as const;
      await test.engine.associate(edge);
    }
    before = id;
  }
  const newest = await test.add(NEW);
  expect(await found(test.engine, newest)).toEqual([[before, newest]]);
});

test('a suggestion is not shown after the newer memory got an earlier time or another subject', async () => {
  const test = await withBoth();
  expect(await newerOf(test.test, test.older)).toBe(test.newer);
  await test.engine.update(test.newer, { timestamp: '2020-01-01T00:00:00Z' });
  expect(await newerOf(test.test, test.older)).toBeUndefined();
  await test.engine.update(test.newer, { timestamp: FEBRUARY });
  expect(await newerOf(test.test, test.older)).toBe(test.newer);
  await test.engine.update(test.newer, { tags: ['project:a'] });
  await test.engine.update(test.older, { tags: ['project:b'] });
  expect(await newerOf(test.test, test.older)).toBeUndefined();
});
