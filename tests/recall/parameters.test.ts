/** The effect and the validation of every recall parameter of the specification and of AutoMem's clients. */
import { beforeAll, describe, expect, test } from 'vitest';
import { openRecallApp } from './recall-app.js';

const { ask, recall, store, idOf } = await openRecallApp({ RECALL_MAX_LIMIT: '6' });
const VECTOR = Array.from({ length: 64 }, (_, index) => (index === 7 ? 1 : 0));

beforeAll(() =>
  store({
    postgres: {
      content: 'We decided to use PostgreSQL for the billing database',
      tags: ['project:billing:db', 'decision'],
      importance: 0.9,
      type: 'Decision',
      timestamp: '2026-02-10',
    },
    invoices: {
      content: 'Invoices of the billing service are sent on Mondays',
      tags: ['project:billing'],
      importance: 0.6,
      timestamp: '2026-02-20',
    },
    tabs: {
      content: 'Prefer two spaces over tabs in Python files',
      tags: ['style', 'lang:python'],
      importance: 0.7,
      type: 'Style',
      timestamp: '2026-01-05',
    },
    go: {
      content: 'Go to the market and buy food for the party',
      tags: ['category:food'],
      importance: 0.3,
      timestamp: '2026-02-25',
    },
    kites: {
      content: 'Alice flies kites at the lake',
      tags: ['Alice', 'hobby'],
      importance: 0.5,
      timestamp: '2025-11-30',
    },
    vectored: { content: 'Something quite different', importance: 0.1, embedding: VECTOR, timestamp: '2026-02-28' },
    cranes: {
      content: 'Alice folds paper cranes in winter',
      tags: ['alice', 'hobby/paper'],
      importance: 0.4,
      timestamp: '2025-12-24',
    },
  }),
);

describe('query', () => {
  test.each([[{}], [{ query: '*' }], [{ query: '' }], [{ query: '   ' }]])(
    'when empty, lists the most important memories first: %j',
    async parameters => {
      expect(await recall({ ...parameters, limit: '3' })).toEqual(['postgres', 'tabs', 'invoices']);
    },
  );
  test('finds memories by words and stems', async () => {
    expect((await recall({ query: 'which databases did we decide on' }))[0]).toBe('postgres');
  });
  test('is rejected when given twice', async () => {
    expect(await ask({ query: ['a', 'b'] }, 400)).toMatchObject({ field: 'query' });
  });
});

test('queries: all queries are run and merged, and each memory is returned once with its best score', async () => {
  const answer = await ask({ queries: ['billing invoices', 'paper cranes', 'cranes of paper'], limit: '4' });
  expect(answer.queries).toHaveLength(3);
  expect(
    answer.results
      .slice(0, 2)
      .map((result: { id: string }) => result.id)
      .sort(),
  ).toEqual([idOf('cranes'), idOf('invoices')].sort());
  expect(answer.dedup_removed).toBeGreaterThan(0);
  expect(new Set(answer.results.map((result: { id: string }) => result.id)).size).toBe(answer.count);
  const alone = await ask({ query: 'paper cranes' });
  const merged = answer.results.find((result: { id: string }) => result.id === idOf('cranes'));
  expect(merged.final_score).toBeGreaterThanOrEqual(alone.results[0].final_score);
});

test('queries: one value is split at commas, and per_query_limit limits the results of each query', async () => {
  expect((await recall({ queries: 'invoices,cranes', per_query_limit: '1' })).sort()).toEqual(['cranes', 'invoices']);
  expect(await ask({ queries: Array.from({ length: 21 }, (_, index) => `q${index}`) }, 400)).toMatchObject({
    field: 'queries',
  });
});

describe('embedding', () => {
  test('replaces the query', async () => {
    const answer = await ask({ embedding: VECTOR.join(',') });
    expect(answer.results[0]).toMatchObject({ id: idOf('vectored'), match_type: 'semantic', source: 'qdrant' });
    expect(answer.results[0].score_components.vector).toBeCloseTo(1, 2);
    expect(answer.vector_search).toEqual({ enabled: true, matched: true });
  });
  test.each(['1,2,3', 'x', `${VECTOR.join(',')},1`, VECTOR.map(() => 'nan').join(',')])(
    'is rejected unless it is a list of 64 numbers: %s',
    async embedding => {
      const { field, message } = await ask({ embedding }, 400);
      expect([field, message]).toEqual(['embedding', expect.stringMatching(/exactly 64 values/)]);
    },
  );
});

describe('limit', () => {
  test('is 5 by default, and values out of range are clamped', async () => {
    expect(await recall({})).toHaveLength(5);
    expect(await recall({ limit: '1000' })).toHaveLength(6);
    expect(await recall({ limit: '0' })).toHaveLength(1);
  });
  test.each(['x', '1.5', 'NaN'])('is rejected when it is not a whole number: %s', async limit => {
    expect(await ask({ limit }, 400)).toMatchObject({ field: 'limit', code: 400 });
  });
});

describe('sort and order_by', () => {
  test('sort by the time of the last change, newest or oldest first', async () => {
    expect(await recall({ sort: 'time_desc', limit: '3' })).toEqual(['vectored', 'go', 'invoices']);
    expect(await recall({ order_by: 'updated_asc', limit: '2' })).toEqual(['kites', 'cranes']);
    expect(await recall({ query: 'billing', sort: 'time_asc', limit: '2' })).toEqual(['postgres', 'invoices']);
    expect(await recall({ query: 'billing', sort: 'updated_desc', limit: '2' })).toEqual(['invoices', 'postgres']);
  });
  test('are echoed, and rejected when unknown', async () => {
    expect(await ask({ query: 'x', order_by: 'time_asc' })).toMatchObject({ sort: 'time_asc' });
    expect(await ask({ sort: 'best' }, 400)).toMatchObject({ field: 'sort' });
    expect(await ask({ order_by: 'best' }, 400)).toMatchObject({ field: 'order_by' });
  });
});

describe('tags', () => {
  test('match memories with any of the tags by prefix, ignoring case and delimiter', async () => {
    expect((await recall({ tags: 'PROJECT/billing' })).sort()).toEqual(['invoices', 'postgres']);
    expect((await recall({ tags: ['alice', 'style'] })).sort()).toEqual(['cranes', 'kites', 'tabs']);
    expect((await recall({ tags: 'alice,style' })).sort()).toEqual(['cranes', 'kites', 'tabs']);
    expect(await recall({ tags: 'proj' })).toEqual([]);
  });
  test('with tag_mode=all and tag_match=exact, match only memories that have every given tag in full', async () => {
    expect(await recall({ tags: ['hobby', 'alice'], tag_mode: 'all', tag_match: 'exact' })).toEqual(['kites']);
    expect((await recall({ tags: ['hobby', 'alice'], tag_mode: 'all' })).sort()).toEqual(['cranes', 'kites']);
    expect(await recall({ tags: 'project:billing', tag_match: 'exact' })).toEqual(['invoices']);
    expect(await ask({ tag_mode: 'none' }, 400)).toMatchObject({ field: 'tag_mode' });
    expect(await ask({ tag_match: 'fuzzy' }, 400)).toMatchObject({ field: 'tag_match' });
  });
  test('in exclude_tags exclude memories by prefix, if the prefix ends at a delimiter', async () => {
    const kept = await recall({ exclude_tags: ['hobby', 'project'], limit: '6' });
    expect(kept.sort()).toEqual(['go', 'tabs', 'vectored']);
    expect(await recall({ exclude_tags: 'pro', limit: '6' })).toContain('postgres');
  });
  test('are echoed as applied', async () => {
    expect(await ask({ tags: 'alice', exclude_tags: 'x' })).toMatchObject({
      tags: ['alice'],
      exclude_tags: ['x'],
      tag_mode: 'any',
      tag_match: 'prefix',
    });
  });
});

describe('start, end and time_query', () => {
  test('bound the creation time inclusively, and if no query is given, the newest memories come first', async () => {
    const answer = await ask({ start: '2026-02-10', end: '2026-02-25T00:00:00Z' });
    expect(answer.results.map((result: { id: string }) => result.id)).toEqual(['go', 'invoices', 'postgres'].map(idOf));
    expect(answer).toMatchObject({
      sort: 'time_desc',
      time_window: { start: '2026-02-10T00:00:00.000Z', end: '2026-02-25T00:00:00.000Z' },
    });
  });
  test('resolve a time expression by the clock, which is set to 1 March 2026', async () => {
    expect((await recall({ time_query: 'last month', limit: '6' })).sort()).toEqual([
      'go',
      'invoices',
      'postgres',
      'vectored',
    ]);
    expect(await recall({ time: 'last 3 days' })).toEqual(['vectored']);
    expect(await recall({ time_query: 'in December 2025' })).toEqual(['cranes']);
  });
  test('given together: an explicit end replaces the end of the time expression, but not its start', async () => {
    expect(await recall({ time_query: 'last month', end: '2026-02-12' })).toEqual(['postgres']);
  });
  test('find the memories in a narrow window even if they do not match the query', async () => {
    expect(await recall({ query: 'billing database', start: '2025-11-30', end: '2025-11-30' })).toEqual(['kites']);
  });
  test('are rejected with the name of the field when unreadable', async () => {
    expect(await ask({ time_query: 'when pigs fly' }, 400)).toMatchObject({
      field: 'time_query',
      error: expect.stringContaining('when pigs fly'),
    });
    expect(await ask({ start: 'soon' }, 400)).toMatchObject({ field: 'start' });
    expect(await ask({ end: '2026-13-01' }, 400)).toMatchObject({ field: 'end' });
    expect(await ask({ start: '2026-02-01', end: '2026-01-01' }, 400)).toMatchObject({ field: 'end' });
  });
});

describe('context hints boost and never filter', () => {
  const scoreOf = async (name: string, parameters: Record<string, string>) => {
    const { results } = await ask({ query: 'files', limit: '6', ...parameters });
    return results.find((result: { id: string }) => result.id === idOf(name))?.final_score;
  };
  test.each([
    ['context', 'python files', 'tabs'],
    ['language', 'Python', 'tabs'],
    ['lang', 'py', 'tabs'],
    ['active_path', 'src/app/main.py', 'tabs'],
    ['file_path', 'C:\\work\\main.py', 'tabs'],
    ['context_tags', 'style', 'tabs'],
    ['context_types', 'style', 'tabs'],
  ])('%s raises the score of a memory and removes no results', async (parameter, value, name) => {
    expect(await scoreOf(name, { [parameter]: value })).toBeGreaterThan((await scoreOf(name, {})) + 0.05);
    expect((await recall({ query: 'files', limit: '6', [parameter]: value })).length).toBe(
      (await recall({ query: 'files', limit: '6' })).length,
    );
  });
  test('with priority_ids: memories with these ids come first, but only if they pass the filter', async () => {
    expect((await recall({ query: 'billing database', priority_ids: idOf('kites') }))[0]).toBe('kites');
    expect(await recall({ query: 'billing database', priority_ids: idOf('kites'), tags: 'project' })).not.toContain(
      'kites',
    );
    expect(await ask({ priority_ids: 'x' }, 400)).toMatchObject({ field: 'priority_ids' });
  });
  test('recall: an ordinary word is not taken for a programming language', async () => {
    const market = (parameters: Record<string, string>) => scoreOf('go', { query: 'go to the market', ...parameters });
    expect(await market({ active_path: 'main.go' })).toBe(await market({}));
    expect(await market({ language: 'go' })).toBe(await market({}));
  });
  test('recall rejects an unknown context type', async () => {
    expect(await ask({ context_types: 'Poem' }, 400)).toMatchObject({ field: 'context_types' });
  });
});

test('recall with auto_decompose also searches for the names in the query', async () => {
  expect((await recall({ query: 'What does Alice make from paper?', auto_decompose: 'true' }))[0]).toBe('cranes');
  expect(await ask({ query: 'x', auto_decompose: 'perhaps' }, 400)).toMatchObject({ field: 'auto_decompose' });
});

describe('recall thresholds', () => {
  test('min_score leaves out results with lower scores, and score_filter counts them', async () => {
    const all = await ask({ query: 'billing database', limit: '6' });
    const cut = all.results[0].final_score - 0.01;
    const answer = await ask({ query: 'billing database', limit: '6', min_score: String(cut) });
    expect(answer.count).toBe(1);
    expect(answer.score_filter).toEqual({ min_score: cut, adaptive_floor: null, filtered_count: all.count - 1 });
    expect(await ask({ min_score: '-1' }, 400)).toMatchObject({ field: 'min_score' });
  });
  test('adaptive_floor is off by default, and the answer contains score_filter when it is on', async () => {
    expect(await ask({ query: 'billing' })).not.toHaveProperty('score_filter');
    expect(await ask({ query: 'billing', adaptive_floor: 'on' })).toHaveProperty('score_filter');
  });
  test('recency_bias=on boosts newer memories, and auto only if the query asks for the latest', async () => {
    const score = async (parameters: Record<string, string>) => {
      const { results } = await ask({ limit: '6', ...parameters });
      return results.find((result: { id: string }) => result.id === idOf('invoices')).score_components.context;
    };
    expect(await score({ query: 'billing' })).toBe(0);
    expect(await score({ query: 'billing', recency_bias: 'on' })).toBeGreaterThan(0);
    expect(await score({ query: 'billing', recency_bias: 'auto' })).toBe(0);
    expect(await score({ query: 'latest billing', recency_bias: 'auto' })).toBeGreaterThan(0);
    expect(await ask({ recency_bias: 'maybe' }, 400)).toMatchObject({ field: 'recency_bias' });
  });
});

test('scope_fallback fills the page: memories without the requested tags are marked and come last', async () => {
  const { results, scope_fallback } = await ask({
    query: 'Alice billing',
    tags: 'hobby',
    limit: '4',
    scope_fallback: 'true',
  });
  const outside = results.map((result: { outside_tag_scope?: true }) => result.outside_tag_scope ?? false);
  expect(scope_fallback).toBe(true);
  expect(outside).toEqual([false, false, true, true]);
});

test('confidence counts the memories that scope_fallback adds', async () => {
  const asked = { query: 'Alice billing service', limit: '4' };
  const [within, filled] = [await ask(asked), await ask({ ...asked, tags: 'hobby', scope_fallback: 'true' })];
  expect(within.confidence).not.toBe('none');
  expect(filled.confidence).toBe(within.confidence);
});

test('max_tokens keeps the best results that fit, and the answer says how many results are left out', async () => {
  const whole = await ask({ query: 'billing Alice', limit: '4' });
  const { results, truncation } = await ask({ query: 'billing Alice', limit: '4', max_tokens: '120' });
  expect(results.length).toBeLessThan(whole.results.length);
  expect(results[0].id).toBe(whole.results[0].id);
  expect(truncation).toEqual({
    applied: true,
    omitted_results: whole.results.length - results.length,
    reason: 'max_tokens',
  });
  expect((await ask({ query: 'billing Alice', max_tokens: '1' })).count).toBe(1);
});

test('relation_limit and the expansion parameters are rejected when unreadable', async () => {
  for (const name of [
    'relation_limit',
    'expansion_limit',
    'expand_min_importance',
    'expand_min_strength',
    'expand_relations',
    'expand_entities',
  ]) {
    expect(await ask({ [name]: 'much' }, 400)).toMatchObject({ field: name });
  }
});
