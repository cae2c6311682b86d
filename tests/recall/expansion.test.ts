/** Expansion of results along edges and along entities (specification, recall rules 8 and 9). */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, associate, idOf, nameOf } = await openRecallApp();

beforeAll(async () => {
  await store({
    seed: { content: 'The outage of the payment gateway', tags: ['ops', 'entity:project:gateway'], importance: 0.8 },
    cause: { content: 'A certificate had run out', tags: ['tls'], importance: 0.6, timestamp: '2026-01-01' },
    fix: { content: 'Renewal now runs every night', tags: ['tls', 'entity:person:ruth'], importance: 0.3 },
    faint: { content: 'Somebody mentioned lunch', importance: 0.9 },
    ruth: { content: 'She leads the platform group', tags: ['entity:person:ruth', 'people'], importance: 0.5 },
    hop: {
      content: 'The platform group sits in Lyon',
      tags: ['entity:place:lyon', 'entity:person:ruth'],
      importance: 0.4,
    },
    lyon: { content: 'There is a good bakery', tags: ['entity:place:lyon'], importance: 0.4 },
    gone: { content: 'An old workaround', importance: 0.9, t_invalid: '2026-01-01' },
  });
  await associate('cause', 'LEADS_TO', 'seed', { strength: 0.9 });
  await associate('seed', 'RELATES_TO', 'fix', { strength: 0.6 });
  await associate('seed', 'RELATES_TO', 'faint', { strength: 0.1 });
  await associate('seed', 'DERIVED_FROM', 'gone', { strength: 1 });
});

const QUERY = { query: 'payment gateway outage', limit: '1' };

describe('expand_relations', () => {
  test('follows edges of every type in both directions, and puts the found memories after the seeds', async () => {
    const { results, expansion } = await ask({ ...QUERY, expand_relations: 'true' });
    expect(results.map((result: { id: string }) => nameOf(result.id))).toEqual(['seed', 'cause', 'fix', 'faint']);
    expect(expansion).toEqual({
      enabled: true,
      seed_count: 1,
      expanded_count: 3,
      relation_limit: 5,
      expansion_limit: 25,
      respect_tags: false,
    });
    expect(results[1]).toMatchObject({
      match_type: 'relation',
      from: { id: idOf('seed'), type: 'LEADS_TO', strength: 0.9 },
    });
    expect(results[1].score_components.relation).toBeCloseTo(0.9);
  });
  test('adds outdated memories only with history', async () => {
    expect(await recall({ ...QUERY, expand: 'true', state_mode: 'history' })).toContain('gone');
  });
  test.each([
    ['expand_min_strength', '0.5', ['seed', 'cause', 'fix']],
    ['expand_min_importance', '0.5', ['seed', 'cause', 'faint']],
    ['expansion_limit', '1', ['seed', 'cause']],
    ['relation_expansion_limit', '2', ['seed', 'cause', 'fix']],
    ['exclude_tags', 'tls', ['seed', 'faint']],
    ['start', '2026-02-01', ['seed', 'fix', 'faint']],
  ])('is limited by %s=%s', async (parameter, value, expected) => {
    expect(await recall({ ...QUERY, expand_associations: 'true', [parameter]: value })).toEqual(expected);
  });
  test('follows and attaches at most relation_limit edges per seed', async () => {
    const { results } = await ask({ ...QUERY, expand_relations: 'true', relation_limit: '2', state_mode: 'history' });
    expect(results.map((result: { id: string }) => nameOf(result.id))).toEqual(['seed', 'gone', 'cause']);
    expect(results[0].relations).toHaveLength(2);
  });
  test('ignores the tags for added memories, unless expand_respect_tags is set', async () => {
    expect(await recall({ ...QUERY, tags: 'ops', expand_relations: 'true' })).toEqual([
      'seed',
      'cause',
      'fix',
      'faint',
    ]);
    expect(await recall({ ...QUERY, tags: 'ops', expand_relations: 'true', expand_respect_tags: 'true' })).toEqual([
      'seed',
    ]);
  });
});

describe('expand_entities', () => {
  test('follows entities of the query over two hops', async () => {
    const answer = await ask({ query: 'what did Ruth set up for renewal', limit: '1', expand_entities: 'true' });
    const names = answer.results.map((result: { id: string }) => nameOf(result.id));
    expect(names[0]).toBe('fix');
    expect(names.slice(1).sort()).toEqual(['hop', 'lyon', 'ruth']);
    expect(answer.entity_expansion).toMatchObject({ enabled: true, expanded_count: 3 });
    expect(answer.entity_expansion.entities_found).toEqual(expect.arrayContaining(['ruth', 'lyon']));
    const lyon = answer.results.find((result: { id: string }) => nameOf(result.id) === 'lyon');
    expect(lyon).toMatchObject({ match_type: 'entity', expanded_from_entity: 'lyon' });
  });
  test('shares the expansion limit with relations', async () => {
    const answer = await ask({
      query: 'Ruth renewal',
      limit: '1',
      expand_entities: 'true',
      expand_relations: 'true',
      expansion_limit: '2',
    });
    expect(answer.expansion.expanded_count + answer.entity_expansion.expanded_count).toBeLessThanOrEqual(2);
  });
});

test('recall attaches the edges of every result, with their direction as seen from that result', async () => {
  const { results } = await ask(QUERY);
  expect(results[0].relations).toHaveLength(4);
  expect(results[0].relations).toContainEqual(
    expect.objectContaining({
      type: 'LEADS_TO',
      strength: 0.9,
      direction: 'incoming',
      memory: expect.objectContaining({ id: idOf('cause'), content: 'A certificate had run out' }),
    }),
  );
});
