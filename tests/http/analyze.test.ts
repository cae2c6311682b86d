/** GET /analyze describes all memories together (docs/decisions.md, "Analysis"). */
import { describe, expect, onTestFinished, test } from 'vitest';
import { idOf } from '../support/records.js';
import { openTestApp } from './test-app.js';

const NOTHING = {
  memory_types: {},
  patterns: [],
  preferences: [],
  temporal_insights: {},
  entity_frequency: {},
  confidence_distribution: { low: 0, medium: 0, high: 0 },
};

async function opened() {
  const { call, engine, close } = await openTestApp();
  onTestFinished(close);
  const store = async (...memories: object[]) => {
    for (let start = 0; start < memories.length; start += 500) {
      const { status } = await call('POST /memory/batch', { json: memories.slice(start, start + 500) });
      expect(status).toBe(201);
    }
    await engine.idle();
  };
  const analytics = async () => {
    const { status, body } = await call('GET /analyze');
    expect([status, Object.keys(body), body.status]).toEqual([200, ['status', 'analytics'], 'success']);
    return body.analytics;
  };
  return { call, store, analytics };
}

const many = (count: number, make: (index: number) => object) => Array.from({ length: count }, (_, i) => make(i));

test('GET /analyze: every part is empty when no memory is stored', async () => {
  const { analytics } = await opened();
  expect(await analytics()).toEqual(NOTHING);
});

describe('GET /analyze: types', () => {
  test('have counts and the average of their confidence, most frequent first', async () => {
    const { call, store, analytics } = await opened();
    await store(
      { content: 'one', type: 'Insight', confidence: 1 },
      { id: idOf(2), content: 'two', type: 'Decision', confidence: 0.5 },
      { content: 'three', type: 'Decision', confidence: 0.5 },
      { content: 'four', type: 'Decision', confidence: 0.6 },
    );
    await call(`PATCH /memory/${idOf(2)}`, { json: { t_invalid: '2020-01-01' } });
    const { memory_types } = await analytics();
    expect(JSON.stringify(memory_types)).toBe(
      '{"Decision":{"count":3,"average_confidence":0.533},"Insight":{"count":1,"average_confidence":1}}',
    );
  });

  test('count every memory, whereas the confidence distribution covers only 500 memories', async () => {
    const { call, store, analytics } = await opened();
    await store(...many(620, index => ({ content: `note ${index}`, type: index % 2 ? 'Style' : 'Habit' })));
    const { memory_types, confidence_distribution } = await analytics();
    const count = 310;
    expect(memory_types).toEqual({
      Habit: { count, average_confidence: 0.9 },
      Style: { count, average_confidence: 0.9 },
    });
    expect((await call('GET /health')).body.memory_count).toBe(2 * count);
    expect(confidence_distribution).toEqual({ low: 0, medium: 0, high: 500 });
  });
});

test('GET /analyze: confidences are sorted into three bands, each including its lower bound', async () => {
  const { store, analytics } = await opened();
  const confidences = [0, 0.399, 0.4, 0.699, 0.7, 1];
  await store(...confidences.map(confidence => ({ content: `sure ${confidence}`, type: 'Context', confidence })));
  expect((await analytics()).confidence_distribution).toEqual({ low: 2, medium: 2, high: 2 });
});

test('GET /analyze: a pattern is listed only above confidence 0.6, which needs six memories', async () => {
  const { store, analytics } = await opened();
  const habit = (index: number) => ({ content: `Runs the linter first, case ${index}`, type: 'Habit', tags: ['lint'] });
  await store(...many(5, habit));
  expect((await analytics()).patterns).toEqual([]);
  await store({ ...habit(5), content: 'Runs the linter first, always' });
  expect((await analytics()).patterns).toEqual([
    { type: 'Habit', description: expect.stringContaining('linter'), confidence: 0.65, observations: 6 },
  ]);
});

test('GET /analyze: the ten strongest preferences are listed in order, with the content of both memories', async () => {
  const { call, store, analytics } = await opened();
  await store(...many(13, index => ({ id: idOf(index), content: `choice ${index}` })));
  for (let index = 1; index < 13; index++) {
    const ends = { memory1_id: idOf(index), memory2_id: idOf(0) };
    const context = index === 12 ? { context: 'at home' } : {};
    await call('POST /associate', { json: { ...ends, type: 'PREFERS_OVER', strength: index / 20, ...context } });
    await call('POST /associate', { json: { ...ends, type: 'LEADS_TO', strength: 1 } });
  }
  const { preferences } = await analytics();
  expect(preferences).toHaveLength(10);
  expect(preferences.slice(0, 2)).toEqual([
    { prefers: 'choice 12', over: 'choice 0', context: 'at home', strength: 0.6 },
    { prefers: 'choice 11', over: 'choice 0', context: null, strength: 0.55 },
  ]);
});

test('GET /analyze: hours cover the hundred oldest memories, in UTC', async () => {
  const { store, analytics } = await opened();
  const early = many(99, index => ({
    content: `early ${index}`,
    timestamp: `2026-01-01T09:${String(index % 60).padStart(2, '0')}:00+00:00`,
    importance: index % 3 === 0 ? 1 : 0,
  }));
  const offset = { content: 'at five in Delhi', timestamp: '2026-01-02T05:00:00+05:30', importance: 0.25 };
  const late = many(30, index => ({ content: `late ${index}`, timestamp: '2026-02-01T20:00:00Z' }));
  await store(...late, offset, ...early);
  expect(JSON.stringify((await analytics()).temporal_insights)).toBe(
    '{"hour_09":{"count":99,"avg_importance":0.333},"hour_23":{"count":1,"avg_importance":0.25}}',
  );
});

describe('GET /analyze: entities', () => {
  test('are read from metadata in any form, without their kinds, and counted once per memory', async () => {
    const { store, analytics } = await opened();
    await store(
      { content: 'a', metadata: { entities: { tools: ['Redis', 'Go'], people: ['Ann Lee'] }, topics: ['redis'] } },
      { content: 'b', metadata: { keywords: ['Redis', ' caching ', ''], entities: ['Ann Lee'] } },
      { content: 'c', metadata: { topics: 'caching, Redis', entities: { tools: 'Go' } } },
      { content: 'd', metadata: { entities: [1, null, { name: 'x' }], keywords: 7, topics: { deep: { er: ['y'] } } } },
      { content: 'e', metadata: { entities: null, keywords: ['__proto__', 'constructor'], tags: ['not counted'] } },
    );
    const { entity_frequency } = await analytics();
    expect(JSON.parse(JSON.stringify(entity_frequency))).toEqual(
      JSON.parse('{"Redis":3,"Ann Lee":2,"Go":2,"caching":2,"__proto__":1,"constructor":1}'),
    );
    expect(Object.keys(entity_frequency).slice(0, 4)).toEqual(['Redis', 'Ann Lee', 'Go', 'caching']);
  });

  test('include the entities that are recognised while a memory is stored or enriched', async () => {
    const { store, analytics } = await opened();
    await store({ content: 'Ann Lee moved the queue to PostgreSQL.' });
    const { entity_frequency } = await analytics();
    expect(entity_frequency).toMatchObject({ PostgreSQL: 1, 'Ann Lee': 1 });
    expect(entity_frequency).not.toHaveProperty('tools');
  });

  test('are the fifty most frequent of the two hundred newest memories', async () => {
    const { store, analytics } = await opened();
    const day = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
    await store(
      ...many(210, index => ({
        content: `note ${index}`,
        timestamp: day(index),
        metadata: { keywords: [index < 10 ? 'too old' : 'recent', `k${index % 60}`] },
      })),
    );
    const { entity_frequency } = await analytics();
    expect(entity_frequency.recent).toBe(200);
    expect(entity_frequency).not.toHaveProperty('too old');
    expect(Object.keys(entity_frequency)).toHaveLength(50);
  });
});
