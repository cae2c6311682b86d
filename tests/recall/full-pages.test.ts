/** A page is full as long as more memories match, even with versions, duplicates, limits and thresholds. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, associate, idOf } = await openRecallApp();

/** `count` memories, named by the `prefix` and a number. */
function many(prefix: string, count: number, memory: (index: number) => object) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${prefix}${index}`, memory(index)]),
  ) as Parameters<typeof store>[0];
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe('recall with many versions or copies of one memory', () => {
  beforeAll(async () => {
    await store(many('port', 90, index => ({ content: `The quokka service listens on port ${8000 + index}` })));
    await store(many('about', 6, index => ({ content: `Quokka service note ${index}: keep the logs` })));
    for (let index = 1; index < 90; index++) await associate(`port${index - 1}`, 'EVOLVED_INTO', `port${index}`);
    await store(many('copy', 90, index => ({ content: `The wombat cron job fails${'!'.repeat(index % 3)}` })));
    await store(many('wombat', 6, index => ({ content: `Wombat runbook, chapter ${index}` })));
  });
  test('shows one version and fills the page', async () => {
    const found = await recall({ query: 'quokka service port', limit: '5' });
    expect(found).toHaveLength(5);
    expect(found.filter(name => name.startsWith('port'))).toEqual(['port89']);
  });
  test('fills the page, with at least two memories that are not copies', async () => {
    const found = await recall({ query: 'wombat cron job', limit: '5' });
    expect(found).toHaveLength(5);
    expect(found.filter(name => name.startsWith('wombat')).length).toBeGreaterThanOrEqual(2);
  });
});

describe('recall limits', () => {
  beforeAll(async () => {
    await store(many('dugong', 30, index => ({ content: `Dugong note ${index}` })));
  });
  test('per_query_limit can lower the number of results, but cannot raise it above limit', async () => {
    expect(await recall({ query: 'dugong note', limit: '2', per_query_limit: '50' })).toHaveLength(2);
    expect(await recall({ queries: 'dugong note', limit: '2', per_query_limit: '50' })).toHaveLength(2);
    expect(await recall({ query: 'dugong note', limit: '5', per_query_limit: '3' })).toHaveLength(3);
  });
});

describe('recall with a minimum score', () => {
  beforeAll(async () => {
    // Memories accessed long ago have low scores. Sorting by importance puts them first nevertheless.
    await store(
      many('stale', 6, () => ({
        content: 'Stale',
        tags: ['minimum'],
        importance: 0.8,
        last_accessed: '2020-01-01T00:00:00Z',
      })),
    );
    await store(many('fresh', 6, () => ({ content: 'Fresh', tags: ['minimum'], importance: 0.7 })));
    await store(many('old', 6, index => ({ content: 'kinkajou diet', timestamp: `2024-01-0${index + 1}T00:00:00Z` })));
    await store(
      many('new', 6, index => ({
        content: 'the kinkajou and its neighbours in the tree',
        timestamp: `2025-01-0${index + 1}T00:00:00Z`,
      })),
    );
  });
  test('applies the minimum before the limit of a listing', async () => {
    const { results } = await ask({ tags: 'minimum', limit: '12', sort: 'score' });
    const least = Math.min(...results.slice(0, 6).map((result: { final_score: number }) => result.final_score));
    const found = await recall({ tags: 'minimum', min_score: String(least - 0.001), limit: '5' });
    expect(found).toHaveLength(5);
    expect(found.every(name => name.startsWith('fresh'))).toBe(true);
  });
  test('applies the minimum before the limit of a search sorted by time', async () => {
    const all = await ask({ query: 'kinkajou diet', sort: 'time_desc', limit: '20' });
    const scores = all.results.map((result: { final_score: number }) => result.final_score);
    const minimum = Math.max(...scores) - 0.05;
    const some = await ask({ query: 'kinkajou diet', sort: 'time_desc', min_score: String(minimum), limit: '1' });
    expect(some.count).toBe(1);
    expect(some.results[0].final_score).toBeGreaterThanOrEqual(minimum);
    expect(some.score_filter.filtered_count).toBeGreaterThan(0);
  });
});

describe('recall with expansion', () => {
  beforeAll(async () => {
    await store({
      seed: { content: 'The axolotl tank is filtered', tags: ['tank'] },
      open: { content: 'Open to all', tags: ['public'], importance: 0.9 },
      outdated: { content: 'Feed it on Mondays' },
      current: { content: 'Feed it on Fridays' },
      ...many('secret', 6, () => ({ content: 'Closed', tags: ['secret'] })),
      ...many('minor', 6, () => ({ content: 'Of no weight', importance: 0.1 })),
      ...many('hub', 14, index => ({
        content: `Ottoline, part ${index}`,
        tags: ['entity:people:ottoline'],
        importance: 0.9,
      })),
      hubInZone: { content: 'Within', tags: ['entity:people:ottoline', 'zone:in'], importance: 0.2 },
      zoneSeed: { content: 'The zebu stands here', tags: ['zone:in', 'entity:people:ottoline'] },
      tea: { content: 'Likes green tea in the morning', tags: ['entity:people:winifred-moss'] },
    });
    for (const name of names('secret', 6)) await associate('seed', 'RELATES_TO', name, { strength: 0.9 });
    for (const name of names('minor', 6)) await associate('seed', 'RELATES_TO', name, { strength: 0.8 });
    await associate('seed', 'RELATES_TO', 'open', { strength: 0.5 });
    await associate('seed', 'RELATES_TO', 'outdated', { strength: 0.4 });
    await associate('outdated', 'INVALIDATED_BY', 'current');
  });
  const related = { query: 'axolotl tank', limit: '1', expand_relations: 'true' };
  test('does not count edges to excluded memories towards relation_limit', async () => {
    expect(await recall({ ...related, exclude_tags: 'secret', expand_min_importance: '0.6' })).toContain('open');
    const answer = await ask({ ...related, exclude_tags: 'secret', expand_min_importance: '0.6' });
    expect(answer.expansion.expanded_count).toBe(answer.count - 1);
  });
  test('follows at most relation_limit edges from one seed', async () => {
    expect(await recall({ ...related, relation_limit: '2' })).toHaveLength(3);
  });
  test('adds the current successor instead of an outdated memory', async () => {
    const answer = await ask({ ...related, relation_limit: '20', state_debug: 'true' });
    const found = answer.results.find(({ id }: { id: string }) => id === idOf('current'));
    expect(found.state_replaces).toBe(idOf('outdated'));
    expect(answer.state_filter.replacements).toContainEqual({
      id: idOf('current'),
      replaces_id: idOf('outdated'),
      relation_type: 'INVALIDATED_BY',
    });
  });
  test('leaves out expanded memories below the minimum score', async () => {
    const answer = await ask({ ...related, relation_limit: '20', min_score: '0.5' });
    expect(answer.count).toBe(1);
    expect(answer.expansion.expanded_count).toBe(0);
  });
  test('finds an entity that the query names, even if no other result has this entity', async () => {
    const answer = await ask({ query: 'axolotl for Winifred Moss', limit: '1', expand_entities: 'true' });
    expect(answer.entity_expansion.entities_found).toContain('winifred-moss');
    expect(answer.results.map(({ id }: { id: string }) => id)).toContain(idOf('tea'));
    expect((await recall({ query: 'Winifred', limit: '3' }))[0]).toBe('tea');
  });
  test('adds memories of a frequent entity that are not yet among the results', async () => {
    const answer = await ask({ query: 'Ottoline part', limit: '12', expand_entities: 'true' });
    expect(answer.entity_expansion.expanded_count).toBeGreaterThanOrEqual(3);
  });
  test('adds at most ten memories of a frequent entity', async () => {
    const answer = await ask({ query: 'Ottoline', limit: '1', expand_entities: 'true' });
    expect(answer.entity_expansion).toMatchObject({ expanded_count: 10, entities_found: ['ottoline'] });
  });
  test('with expand_respect_tags finds the one memory with the tags among many memories of an entity', async () => {
    const asked = { query: 'zebu', tags: 'zone:in', limit: '1', expand_entities: 'true', expand_respect_tags: 'true' };
    expect(await recall(asked)).toEqual(['zoneSeed', 'hubInZone']);
  });
});

describe('recall with versions that are joined by several edges', () => {
  test('follows each version once, so that the cost stays proportional to the number of versions', async () => {
    const gone = { tags: ['layers'], t_invalid: '2025-01-01T00:00:00Z' };
    await store({ start: { content: 'The capybara pond is drained', tags: ['layers'] } });
    const layers = Array.from({ length: 6 }, (_, layer) => names(`layer${layer}-`, 6));
    for (const layer of layers) await store(Object.fromEntries(layer.map(name => [name, { content: name, ...gone }])));
    await store({ end: { content: 'The pond is full again', tags: ['layers'] } });
    for (const [index, layer] of [['start'], ...layers].entries()) {
      for (const from of layer) {
        for (const to of layers[index] ?? ['end']) await associate(from, 'INVALIDATED_BY', to);
        for (const to of layers[index] ?? ['end']) await associate(from, 'EVOLVED_INTO', to);
      }
    }
    expect(await recall({ query: 'capybara pond drained', tags: 'layers', limit: '2' })).toEqual(['end']);
  });
  test('counts all versions as one memory, both in the expansion by an entity and for relation_limit', async () => {
    const tagged = { tags: ['entity:people:alma'], importance: 0.9 };
    await store({
      ...many('alma', 12, index => ({ content: `Alma lives at number ${index}`, ...tagged })),
      other: { content: 'Prefers the aisle', tags: ['entity:people:alma'], importance: 0.2 },
      tapir: { content: 'The tapir enclosure' },
      rule: { content: 'Closed at noon' },
    });
    for (let index = 1; index < 12; index++) await associate(`alma${index - 1}`, 'EVOLVED_INTO', `alma${index}`);
    const asked = { query: 'Where does Alma live?', limit: '1', expand_entities: 'true' };
    expect(await recall(asked)).toEqual(['alma11', 'other']);
    for (const name of names('alma', 6)) await associate('tapir', 'RELATES_TO', name, { strength: 0.9 });
    await associate('tapir', 'RELATES_TO', 'rule', { strength: 0.3 });
    const related = await recall({
      query: 'tapir enclosure',
      limit: '1',
      expand_relations: 'true',
      relation_limit: '2',
    });
    expect(related).toEqual(['tapir', 'alma11', 'rule']);
  });
});

describe('recall with several queries', () => {
  test('shows two copies of one text once when two queries find them', async () => {
    await store({
      vole: { content: 'The vole sleeps in winter', tags: ['burrow'], timestamp: '2025-01-01T00:00:00Z' },
      voleCopy: { content: 'The vole sleeps in winter', tags: ['burrow'], timestamp: '2025-01-02T00:00:00Z' },
    });
    const { results } = await ask({ queries: ['vole winter', 'vole sleeps'], tags: 'burrow', limit: '5' });
    expect(results).toHaveLength(1);
  });
});
