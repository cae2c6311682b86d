/** The fields of the whole answer are correct in every order, after supersession and with several queries. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, associate, idOf, nameOf, request } = await openRecallApp();

interface Result {
  id: string;
  final_score: number;
  match_type: string;
}

const whyNot = (name: string, query: string) => request(`GET /recall/why-not?id=${idOf(name)}&${query}`);

beforeAll(async () => {
  await store({
    exact: {
      content: 'Keep the zebrafish tank heater at 26 degrees celsius',
      tags: ['fish'],
      timestamp: '2024-01-01T00:00:00Z',
      last_accessed: '2024-01-01T00:00:00Z',
    },
    food: { content: 'The zebrafish eat flakes', tags: ['fish'], timestamp: '2025-01-01T00:00:00Z' },
    light: { content: 'The tank light goes off at ten', tags: ['fish'], timestamp: '2025-02-01T00:00:00Z' },
    plants: { content: 'Two degrees of hardness for the plants', tags: ['fish'], timestamp: '2025-03-01T00:00:00Z' },
    geckoOld: { content: 'The gecko printer is on floor two' },
    geckoNew: { content: 'It moved to floor seven' },
    weighty: { content: 'Weighty', tags: ['list'], importance: 0.9, last_accessed: '2020-01-01T00:00:00Z' },
    recent: { content: 'Recent', tags: ['list'], importance: 0.8 },
    outside: { content: 'Chosen', tags: ['list'], importance: 0.1 },
    kiwi: { content: 'The kiwi harvest begins in April' },
    root: { content: 'The ibex trail is closed', tags: ['ibex'] },
    deadEnd: { content: 'Superseded and gone', tags: ['ibex'], t_invalid: '2025-01-01T00:00:00Z' },
    viaDead: { content: 'Superseded and gone too', tags: ['ibex'], t_invalid: '2025-01-01T00:00:00Z' },
    alive: { content: 'The trail is open again', tags: ['ibex'] },
  });
  await associate('geckoOld', 'INVALIDATED_BY', 'geckoNew');
  await associate('root', 'INVALIDATED_BY', 'deadEnd', { strength: 0.9 });
  await associate('root', 'INVALIDATED_BY', 'viaDead', { strength: 0.5 });
  await associate('viaDead', 'EVOLVED_INTO', 'alive');
});

describe('recall sorted by time', () => {
  const asked = { query: 'zebrafish tank heater degrees celsius', tags: 'fish', limit: '4' };
  test('reports the same confidence as recall sorted by score', async () => {
    const { confidence } = await ask(asked);
    expect(confidence).toBe('high');
    expect((await ask({ ...asked, sort: 'time_asc' })).confidence).toBe(confidence);
    expect((await ask({ ...asked, sort: 'time_desc' })).confidence).toBe(confidence);
  });
  test('keeps the results with the best scores within a token budget, not the first in time', async () => {
    const { results, truncation } = await ask({ ...asked, sort: 'time_desc', max_tokens: '70' });
    expect(results.map(({ id }: Result) => nameOf(id))).toEqual(['exact']);
    expect(truncation).toMatchObject({ applied: true, omitted_results: expect.any(Number) });
  });
});

describe('recall without a matching query', () => {
  test('sorts by final score with sort=score, and by importance by default', async () => {
    expect(await recall({ tags: 'list', limit: '3' })).toEqual(['weighty', 'recent', 'outside']);
    const { results } = await ask({ tags: 'list', sort: 'score', limit: '3' });
    expect(results.map(({ id }: Result) => nameOf(id))).toEqual(['recent', 'outside', 'weighty']);
    const scores = results.map(({ final_score }: Result) => final_score);
    expect(scores).toEqual([...scores].sort((a: number, b: number) => b - a));
  });
  test('applies context hints, with and without sort=score', async () => {
    const asked = { tags: 'list', limit: '1', priority_ids: idOf('outside') };
    expect(await recall(asked)).toEqual(['outside']);
    expect(await recall({ ...asked, sort: 'score' })).toEqual(['outside']);
  });
  test('within a token budget keeps the most important memory, even if its score is the lowest', async () => {
    expect(await recall({ tags: 'list', limit: '3', max_tokens: '60' })).toEqual(['weighty']);
  });
  test('is empty when no score reaches the minimum, and counts the memories below it', async () => {
    const { count, score_filter } = await ask({ tags: 'list', min_score: '0.9' });
    expect([count, score_filter.filtered_count]).toEqual([0, 3]);
    expect(await whyNot('weighty', 'tags=list&min_score=0.9')).toMatchObject({ reason: 'below_threshold' });
  });
  test('reports the match type "tag", also for successors of superseded memories', async () => {
    const { results } = await ask({ tags: 'ibex', limit: '3' });
    for (const { match_type } of results) expect(match_type).toBe('tag');
  });
  test('reports the match type "tag" when the query matches nothing within the tags', async () => {
    const { results } = await ask({ query: 'qwertyuiop', tags: 'list', limit: '3' });
    for (const result of results) {
      if (result.score_components.vector === 0) expect(result.match_type).toBe('tag');
    }
  });
});

describe('recall: a superseded memory', () => {
  test('gives its successor its score, but not its words', async () => {
    const asked = { query: 'gecko printer floor two', explain: 'true', limit: '5' };
    const { results } = await ask(asked);
    const found = results.find(({ id }: Result) => nameOf(id) === 'geckoNew');
    expect(found.state_replaces).toBe(idOf('geckoOld'));
    const gecko = found.explanation.terms.find(({ term }: { term: string }) => term === 'gecko');
    expect(gecko.in_content).toBe(0);
    const history = await ask({ ...asked, state_mode: 'history' });
    const old = history.results.find(({ id }: Result) => nameOf(id) === 'geckoOld');
    expect(old.final_score).toBe(found.final_score);
  });
  test('is replaced by its successor, which ranks where it would, even if it does not match the query', async () => {
    const restic = { content: 'Mosskit backs up with restic', timestamp: '2025-05-01', importance: 0.9 };
    await store({
      restic,
      rust: { content: 'Building needs Rust 1.81', importance: 1 },
      support: { content: 'Borg and restic are supported by Mosskit since March', importance: 0.1 },
    });
    await associate('restic', 'EVOLVED_INTO', 'rust');
    const { results } = await ask({ query: 'Is restic supported by Mosskit?', limit: '5' });
    const names = results.map(({ id }: Result) => nameOf(id));
    expect(names.slice(0, 2)).toEqual(['support', 'rust']);
    expect(results[1]).toMatchObject({ state_replaces: idOf('restic'), inherited_from: idOf('restic') });
  });
  test('is replaced by its current successor, even if another branch ends at an expired memory', async () => {
    const found = await recall({ query: 'ibex trail closed', limit: '5' });
    expect(found).toContain('alive');
    expect(found).not.toContain('root');
  });
});

describe('why not', () => {
  beforeAll(async () => {
    await store(
      Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [`okapi${index}`, { content: `Okapi sighting number ${index}` }]),
      ),
    );
    await store({
      hub: { content: 'The lemur house' },
      far: { content: 'Heating bill', importance: 0.2 },
      near: { content: 'Opening hours', importance: 0.8 },
    });
    await associate('hub', 'RELATES_TO', 'near', { strength: 0.9 });
    await associate('hub', 'RELATES_TO', 'far', { strength: 0.3 });
  });
  test('gives the reason ranked_too_low, not no_evidence, for a match that is not among the candidates', async () => {
    const verdicts = await Promise.all([0, 60, 120, 199].map(index => whyNot(`okapi${index}`, 'query=okapi&limit=1')));
    for (const { reason } of verdicts) expect(['ranked_too_low', 'returned']).toContain(reason);
    expect(await whyNot('kiwi', 'query=okapi&limit=1')).toMatchObject({ reason: 'no_evidence' });
  });
  test.each([
    ['expand_min_strength=0.5', 'expand_min_strength'],
    ['expand_min_importance=0.5', 'expand_min_importance'],
    ['relation_limit=1', 'relation_limit'],
    ['expansion_limit=1', 'expansion_limit'],
  ])('names the parameter %s when it keeps a memory out of the expansion', async (parameter, named) => {
    const asked = `query=lemur&limit=1&expand_relations=true&${parameter}`;
    expect(await whyNot('near', asked)).toMatchObject({ returned: true });
    const verdict = await whyNot('far', asked);
    expect(verdict).toMatchObject({ returned: false, reason: 'kept_out_of_expansion' });
    expect(verdict.message).toContain(named);
  });
  test('distinguishes memories that are not yet valid from memories that are no longer valid', async () => {
    await store({
      planned: { content: 'The numbat house opens', t_valid: '2999-01-01T00:00:00Z' },
      past: { content: 'The numbat house is closed', t_invalid: '2020-01-01T00:00:00Z' },
    });
    expect(await whyNot('planned', 'query=numbat')).toMatchObject({ reason: 'not_yet_valid', returned: false });
    expect(await whyNot('past', 'query=numbat')).toMatchObject({ reason: 'expired', returned: false });
  });
  test('reports that an expanded memory is below the minimum score', async () => {
    const asked = 'query=lemur&limit=1&expand_relations=true&min_score=0.6';
    expect(await whyNot('near', asked)).toMatchObject({ returned: false, reason: 'below_threshold' });
  });
  test('explains the score by the query that found the memory', async () => {
    const { explanation } = await whyNot('exact', 'queries=kiwi+harvest&queries=zebrafish+tank+heater&limit=1');
    expect(explanation.terms.map(({ term }: { term: string }) => term)).toContain('zebrafish');
  });
});

test('recall rejects a start that is after the end of the time expression', async () => {
  expect(await ask({ time_query: 'yesterday', start: '2030-01-01' }, 400)).toMatchObject({ field: 'time_query' });
});
