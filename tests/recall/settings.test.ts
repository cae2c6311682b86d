/** Recall settings from the environment are read, applied and reported in answers. */
import { beforeAll, describe, expect, test } from 'vitest';
import { OWN_WEIGHTS } from '../../src/domain/settings.js';
import { type Answered, openRecallApp } from './recall-app.js';

type App = Awaited<ReturnType<typeof openRecallApp>>;

/** Three memories mention the copper kettle, three mention other copper. A gap separates the scores of the groups. */
const KETTLES = {
  kettle1: { content: 'The copper kettle whistles', timestamp: '2026-02-01' },
  kettle2: { content: 'The copper kettle is old', timestamp: '2026-01-01' },
  kettle3: { content: 'The copper kettle boils', timestamp: '2025-12-01' },
  copper1: { content: 'Wires on the roof are made of copper and run to the ground', timestamp: '2025-11-01' },
  copper2: { content: 'Prices of copper in the market rise in every spring of the year', timestamp: '2025-10-01' },
  copper3: { content: 'Miners who dig for copper live in a valley far from the sea', timestamp: '2025-09-01' },
};
const KETTLE_QUERY = { query: 'copper kettle', limit: '10' };

/** @param env settings by the name of their variable */
async function openKettles(env: Record<string, string>): Promise<App> {
  const app = await openRecallApp(env);
  await app.store(KETTLES);
  return app;
}

describe('RECALL_MIN_SCORE', () => {
  test('leaves out lower scores, unless the caller sets another minimum', async () => {
    const plain = await (await openKettles({})).ask(KETTLE_QUERY);
    expect(plain).not.toHaveProperty('score_filter');
    const least = plain.results[2].final_score - 0.01;
    const { ask } = await openKettles({ RECALL_MIN_SCORE: String(least) });
    const answer = await ask(KETTLE_QUERY);
    expect(answer.count).toBe(3);
    expect(answer.score_filter).toMatchObject({ min_score: least, filtered_count: 3 });
    expect((await ask({ ...KETTLE_QUERY, min_score: '0' })).count).toBe(6);
  });
});

test('RECALL_ADAPTIVE_FLOOR cuts at a gap in scores and reports the floor, unless the caller disables it', async () => {
  const { ask, idOf } = await openKettles({ RECALL_ADAPTIVE_FLOOR: 'true' });
  const answer = await ask(KETTLE_QUERY);
  expect(idsOf(answer).sort()).toEqual(['kettle1', 'kettle2', 'kettle3'].map(idOf).sort());
  expect(answer.score_filter.adaptive_floor).toBeCloseTo(answer.results[2].final_score, 5);
  expect(answer.score_filter.filtered_count).toBe(3);
  const whole = await ask({ ...KETTLE_QUERY, adaptive_floor: 'false' });
  expect([whole.count, whole.score_filter]).toEqual([6, undefined]);
});

describe('the recency bias', () => {
  test('boosts the newest memory by 0.1, and does not boost the oldest memory', async () => {
    const { ask } = await openKettles({});
    const answer = await ask({ ...KETTLE_QUERY, recency_bias: 'on' });
    const bonus = bonusByContent(answer);
    expect(answer.recency_bias).toBe('on');
    expect(bonus[KETTLES.kettle1.content]).toBeCloseTo(0.1);
    expect(bonus[KETTLES.copper3.content]).toBe(0);
    expect(await ask(KETTLE_QUERY)).not.toHaveProperty('recency_bias');
  });
  test('auto boosts newer memories only if the query asks for the latest', async () => {
    const { ask } = await openKettles({});
    expect(await ask({ ...KETTLE_QUERY, recency_bias: 'auto' })).not.toHaveProperty('recency_bias');
    const answer = await ask({ ...KETTLE_QUERY, query: 'latest copper kettle', recency_bias: 'auto' });
    expect(answer.recency_bias).toBe('on');
    expect(bonusByContent(answer)[KETTLES.kettle1.content]).toBeCloseTo(0.1);
  });
});

describe('RECALL_RELATION_LIMIT and RECALL_EXPANSION_LIMIT', () => {
  const SEED = { query: 'lighthouse keeper', tags: 'seed', limit: '1' };
  const open = async (env: Record<string, string>) => {
    const app = await openRecallApp(env);
    await app.store({ seed: { content: 'The lighthouse keeper retires', tags: ['seed'] } });
    for (const number of [1, 2, 3, 4]) {
      await app.store({ [`next${number}`]: { content: `A boat with ${number} sails`, tags: ['boats'] } });
      await app.associate('seed', 'LEADS_TO', `next${number}`, { strength: number / 10 });
    }
    return app;
  };

  test('RECALL_RELATION_LIMIT limits the attached edges and the followed edges of a result', async () => {
    const { ask, idOf } = await open({ RECALL_RELATION_LIMIT: '2' });
    expect((await ask(SEED)).results[0].relations).toHaveLength(2);
    const expanded = await ask({ ...SEED, expand_relations: 'true' });
    expect(expanded.expansion).toMatchObject({ relation_limit: 2, expanded_count: 2 });
    expect(idsOf(expanded)).toEqual(['seed', 'next4', 'next3'].map(idOf));
    expect((await ask({ ...SEED, relation_limit: '3' })).results[0].relations).toHaveLength(3);
  });
  test('RECALL_EXPANSION_LIMIT limits the memories that expansion adds', async () => {
    const { ask } = await open({ RECALL_EXPANSION_LIMIT: '3' });
    const expanded = await ask({ ...SEED, expand_relations: 'true' });
    expect(expanded.expansion).toMatchObject({ expansion_limit: 3, expanded_count: 3 });
    expect(expanded.count).toBe(4);
    expect((await ask({ ...SEED, expand_relations: 'true', expansion_limit: '1' })).count).toBe(2);
  });
});

describe('SEARCH_WEIGHT_*', () => {
  const WEIGHTS = {
    vector: 0.31,
    keyword: 0.37,
    exact: 0.23,
    importance: 0.13,
    confidence: 0.07,
    recency: 0.11,
    tag: 0.19,
    relation: 0.29,
    relevance: 0.17,
  };
  const NAMES = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
  let results: Answered[];

  beforeAll(async () => {
    const { ask, store, associate } = await openRecallApp(
      Object.fromEntries(NAMES.map(name => [`SEARCH_WEIGHT_${name.toUpperCase()}`, String(WEIGHTS[name])])),
    );
    await store({
      kettle: { content: 'The copper kettle whistles', tags: ['copper'], importance: 0.8, confidence: 0.6 },
      stove: { content: 'The stove is lit in the morning', importance: 0.4 },
    });
    await associate('kettle', 'LEADS_TO', 'stove');
    ({ results } = await ask({ query: 'copper kettle', limit: '1', expand_relations: 'true', explain: 'true' }));
  });

  test.each(NAMES)('%s sets the weight of its component', name => {
    const weighed = results.filter(({ score_components }) => score_components[name] > 0);
    expect(weighed.length).toBeGreaterThan(0);
    for (const { explanation } of weighed) expect(explanation.components[name].weight).toBe(WEIGHTS[name]);
  });
  test('leave the score equal to the weighted sum of its components', () => {
    expect(results).toHaveLength(2);
    for (const { score_components: components, final_score } of results) {
      expect(components).toMatchObject({ meaning: 0, neighbour: 0 });
      const fixed = components.context + components.lexical * OWN_WEIGHTS.lexical;
      const sum = NAMES.reduce((total, name) => total + components[name] * WEIGHTS[name], fixed);
      expect(final_score).toBeCloseTo(sum, 4);
    }
  });
});

function idsOf({ results }: Answered): string[] {
  return results.map(({ id }: { id: string }) => id);
}

function bonusByContent({ results }: Answered): Record<string, number> {
  return Object.fromEntries(
    results.map((result: Answered) => [result.memory.content, result.score_components.context]),
  );
}
