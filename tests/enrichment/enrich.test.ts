/** Tests the results of enrichment in an engine with embedded stores (docs/decisions.md, "Background work"). */
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config.js';
import type { RelationType } from '../../src/domain/relation.js';
import { axis, NOON_ISO, openForTest } from '../engine/open-engine.js';
import { startModelServer } from '../support/model-server.js';
import { openGraphOf } from '../support/test-engine.js';

type Opened = Awaited<ReturnType<typeof openForTest>>;

/** A vector between two axes. Its cosine to the first axis is `similarity`. */
function near(first: number, second: number, similarity: number): number[] {
  const other = Math.sqrt(1 - similarity ** 2);
  return axis(first).map((value, index) => value * similarity + (index === second ? other : 0));
}

async function edgesOf({ engine }: Opened, id: string, type: RelationType) {
  const { relations } = await engine.get(id);
  return relations
    .filter(relation => relation.type === type && relation.direction === 'outgoing')
    .map(({ strength, memory }) => [memory.content, Math.round(strength * 100) / 100]);
}

const withSimilarity = (changed: Partial<Config['enrichment']>) => (config: Config) => ({
  ...config,
  enrichment: { ...config.enrichment, ...changed },
});

describe('similar memories', () => {
  test('are linked above the threshold, nearest first, up to the limit', async () => {
    const opened = await openForTest({}, withSimilarity({ similarityLimit: 2 }));
    const { add, engine } = opened;
    await add({ content: 'one', embedding: near(0, 1, 0.95) });
    await add({ content: 'two', embedding: near(0, 2, 0.85) });
    await add({ content: 'three', embedding: near(0, 3, 0.9) });
    await add({ content: 'far', embedding: near(0, 4, 0.7) });
    await engine.idle();
    const id = await add({ content: 'new', embedding: axis(0) });
    await engine.idle();
    expect(await edgesOf(opened, id, 'SIMILAR_TO')).toEqual([
      ['one', 0.95],
      ['three', 0.9],
    ]);
    const related = (await engine.get(id)).relations[0];
    expect(related).toMatchObject({ type: 'SIMILAR_TO', score: expect.closeTo(0.95, 2) });
  });

  test('are found again when the content changes, and the former edges are removed', async () => {
    const opened = await openForTest({}, withSimilarity({ similarityThreshold: 0.6 }));
    const { add, engine, patch } = opened;
    await add({ content: 'green apples in the garden' });
    await add({ content: 'night trains to Vienna' });
    const id = await add({ content: 'green apples in the big garden' });
    await engine.idle();
    expect((await edgesOf(opened, id, 'SIMILAR_TO')).map(([content]) => content)).toEqual([
      'green apples in the garden',
    ]);
    await patch(id, { content: 'late night trains to Vienna' });
    await engine.idle();
    expect((await edgesOf(opened, id, 'SIMILAR_TO')).map(([content]) => content)).toEqual(['night trains to Vienna']);
  });
});

describe('preceding memories', () => {
  test('are the latest three earlier memories that share a tag', async () => {
    const opened = await openForTest();
    const { add, engine } = opened;
    const at = (day: number) => `2026-01-0${day}T00:00:00Z`;
    for (const day of [1, 2, 3, 4]) await add({ content: `day ${day}`, tags: ['trip', 'x'], timestamp: at(day) });
    await add({ content: 'of something else', tags: ['other'], timestamp: at(5) });
    await add({ content: 'later', tags: ['trip'], timestamp: at(9) });
    const id = await add({ content: 'now', tags: ['trip'], timestamp: at(6) });
    const lonely = await add({ content: 'without tags', timestamp: at(7) });
    await engine.idle();
    expect((await edgesOf(opened, id, 'PRECEDED_BY')).map(([content]) => content).sort()).toEqual([
      'day 2',
      'day 3',
      'day 4',
    ]);
    expect(await edgesOf(opened, lonely, 'PRECEDED_BY')).toEqual([]);
  });

  test('are linked more strongly the more tags they share', async () => {
    const opened = await openForTest();
    await opened.add({ content: 'a', tags: ['trip', 'rome'], timestamp: '2026-01-01T00:00:00Z' });
    await opened.add({ content: 'b', tags: ['rome'], timestamp: '2026-01-02T00:00:00Z' });
    const id = await opened.add({ content: 'c', tags: ['rome', 'trip'] });
    await opened.engine.idle();
    expect(await edgesOf(opened, id, 'PRECEDED_BY')).toEqual([
      ['a', 1],
      ['b', 0.5],
    ]);
  });
});

describe('entities', () => {
  const talk = { content: 'Met with Anna Kowalski about moving to PostgreSQL.' };

  test('become metadata, and tags by which the memory is found', async () => {
    const { add, engine } = await openForTest();
    const id = await add({ ...talk, tags: ['Work'], metadata: { source: 'chat' } });
    await engine.idle();
    const { memory: stored } = await engine.get(id);
    expect(stored.tags).toEqual(['Work', 'entity:people:anna-kowalski', 'entity:tools:postgresql']);
    expect(stored.metadata).toEqual({
      source: 'chat',
      entities: { people: ['Anna Kowalski'], tools: ['PostgreSQL'] },
      enriched_at: NOON_ISO,
    });
    expect(stored).toMatchObject({ enriched: true, updated_at: NOON_ISO });
    const page = await engine.listByTag({ tags: ['entity:tools:postgresql'], limit: 5, offset: 0 });
    expect(page.memories).toHaveLength(1);
  });

  test('of the former content are removed, and tags of the caller are kept', async () => {
    const { add, engine, patch } = await openForTest();
    const id = await add({ ...talk, tags: ['entity:people:zoe'] });
    await engine.idle();
    await patch(id, { content: 'Met with Ben Carter.' });
    await engine.idle();
    expect((await engine.get(id)).memory.tags).toEqual(['entity:people:zoe', 'entity:people:ben-carter']);
    await patch(id, { content: 'nothing to see' });
    await engine.idle();
    const { memory: stored } = await engine.get(id);
    expect(stored.tags).toEqual(['entity:people:zoe']);
    expect(stored.metadata).not.toHaveProperty('entities');
  });

  test('given by a caller are kept, and a list in metadata.entities stays unchanged', async () => {
    const { add, engine } = await openForTest();
    const named = await add({ ...talk, metadata: { entities: { projects: ['Apollo'] } } });
    const own = await add({ ...talk, metadata: { entities: ['mine'] } });
    await engine.idle();
    expect((await engine.get(named)).memory.metadata.entities).toEqual({
      people: ['Anna Kowalski'],
      tools: ['PostgreSQL'],
      projects: ['Apollo'],
    });
    expect((await engine.get(named)).memory.tags).toContain('entity:projects:apollo');
    expect((await engine.get(own)).memory.metadata.entities).toEqual(['mine']);
    expect((await engine.get(own)).memory.tags).toContain('entity:people:anna-kowalski');
  });

  test('given by a caller survive an update of the content and another enrichment', async () => {
    const { add, engine, patch } = await openForTest();
    const id = await add({ ...talk, metadata: { entities: { projects: ['Apollo'] } } });
    await engine.idle();
    await patch(id, { content: 'Met with Ben Carter.' });
    await engine.idle();
    await engine.reprocess([id]);
    await engine.idle();
    const { memory: stored } = await engine.get(id);
    expect(stored.metadata.entities).toEqual({ people: ['Ben Carter'], projects: ['Apollo'] });
    expect(stored.tags).toEqual(['entity:people:ben-carter', 'entity:projects:apollo']);
  });

  test('get or lose their tags when a caller changes the metadata', async () => {
    const { add, patch } = await openForTest();
    const id = await add({ ...talk, tags: ['Work'] });
    const tagsAfter = async (fields: Record<string, unknown>) => (await patch(id, fields)).tags;
    expect(await tagsAfter({ metadata: { entities: { people: ['Bob'] } } })).toEqual(['Work', 'entity:people:bob']);
    expect(await tagsAfter({ tags: ['Home'] })).toEqual(['Home', 'entity:people:bob']);
    expect(await tagsAfter({ metadata: { entities: null } })).toEqual(['Home']);
    expect(await tagsAfter({ content: 'Met with Ben Carter.', metadata: { entities: { people: ['Bob'] } } })).toEqual([
      'Home',
      'entity:people:ben-carter',
      'entity:people:bob',
    ]);
  });

  test('are found while no vector can be made, and similar memories are linked later', async () => {
    const server = await startModelServer();
    server.on('/v1/embeddings', 'drop');
    const { engine, storeMany, clock } = await openForTest({
      EMBEDDING_PROVIDER: 'openai',
      EMBEDDING_MODEL: 'test-model',
      EMBEDDING_MAX_RETRIES: '0',
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: `${server.url}/v1`,
      LLM_PROVIDER: 'none',
    });
    const { memories } = await storeMany([
      { ...talk, timestamp: '2026-01-01T00:00:00Z' },
      { ...talk, content: `${talk.content} Again.`, timestamp: '2026-01-02T00:00:00Z' },
    ]);
    await engine.idle();
    const later = memories[1]?.id ?? '';
    const typesOf = async () => (await engine.get(later)).relations.map(({ type }) => type);
    expect((await engine.get(later)).memory).toMatchObject({
      enriched: true,
      tags: expect.arrayContaining(['entity:tools:postgresql']),
    });
    expect(await typesOf()).toEqual(['PRECEDED_BY']);
    server.on('/v1/embeddings', ({ body }) => ({
      json: { data: body.input.map((_: string, index: number) => ({ index, embedding: axis(1) })) },
    }));
    clock.advance(600_000);
    await engine.idle();
    expect(new Set(await typesOf())).toEqual(new Set(['PRECEDED_BY', 'SIMILAR_TO']));
  });

  test('are written to the vectors as tags, so that a vector search can filter by them', async () => {
    const { add, engine, recall } = await openForTest();
    const id = await add({ ...talk, embedding: axis(3) });
    await engine.idle();
    const answer = await recall({ tags: 'entity:people:anna-kowalski', tag_match: 'exact', embedding: axis(3) });
    expect(answer.results.map(({ memory, foundBy }) => [memory.id, foundBy[0]])).toEqual([[id, 'vector']]);
  });
});

describe('patterns', () => {
  test('represent the memories of one type about the same theme, and do not count as memories', async () => {
    const { add, engine, config, close } = await openForTest();
    const habit = (content: string) => ({ content, type: 'Habit', tags: ['running'] });
    await add(habit('Goes running before breakfast'));
    await add(habit('Runs along the river before breakfast'));
    await add({ content: 'The running shoes are old', type: 'Context', tags: ['running'] });
    await engine.idle();
    const third = await add(habit('Runs ten kilometres before breakfast'));
    await engine.idle();
    const fourth = await add(habit('Always stretches before breakfast'));
    await engine.idle();
    await engine.reprocess([third, fourth]);
    await engine.idle();
    expect((await engine.health()).graph.memoryCount).toBe(5);
    expect((await engine.get(fourth)).relations.map(({ type }) => type)).not.toContain('EXEMPLIFIES');
    await engine.close();
    const graph = openGraphOf(config);
    const [pattern, ...others] = await graph.listNodes('Pattern', 10);
    expect(others).toEqual([]);
    expect(pattern?.properties).toMatchObject({
      type: 'Habit',
      theme: 'running',
      observations: 4,
      confidence: expect.closeTo(0.55, 5),
      key_terms: expect.arrayContaining(['breakfast']),
    });
    expect(await graph.countNodeLinks('Pattern', pattern?.id ?? '', { exceptId: '', max: 10 })).toBe(4);
    await graph.close();
    await close();
  });
});

describe('the summary', () => {
  test.each([
    ['One sentence only.', undefined],
    ['The first one. And a second.', 'The first one.'],
    ['We met Dr. Smith at 3 p.m. today. He agreed.', 'We met Dr. Smith at 3 p.m. today.'],
    ['昨日は会議でした。明日も会議です。', '昨日は会議でした。'],
    [`${'word '.repeat(100)}end`, `${'word '.repeat(47).trimEnd()}…`],
  ])('of %j is %j', async (content, summary) => {
    const { add, engine } = await openForTest();
    const id = await add({ content });
    await engine.idle();
    expect((await engine.get(id)).memory.summary).toBe(summary);
  });
});

test('repeated enrichment changes nothing', async () => {
  const { add, engine } = await openForTest();
  const ids = [
    await add({ content: 'Anna prefers tea. She hates coffee.', tags: ['a'], timestamp: '2026-01-01T00:00:00Z' }),
    await add({ content: 'Anna prefers tea. She hates cocoa.', tags: ['a'] }),
  ];
  await engine.idle();
  const before = await Promise.all(ids.map(async id => [await engine.get(id)]));
  await engine.reprocess(ids);
  await engine.idle();
  expect(await Promise.all(ids.map(async id => [await engine.get(id)]))).toEqual(before);
});
