/** What clients really send: lists in query strings, misspelt parameters, ignored parameters, and numbers. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { connectClient, structuredOf, textOf } from '../mcp/connected-client.js';
import { openTestApp, UNKNOWN_ID } from './test-app.js';

const { call, engine, logged, close } = await openTestApp({ adminToken: 'admin' });
const client = await connectClient(engine);
afterAll(async () => {
  await client.close();
  await close();
});

const ID = '00000000-0000-4000-8000-000000000001';
const OTHER_ID = '00000000-0000-4000-8000-000000000002';
beforeAll(async () => {
  await call('POST /memory', {
    json: { id: ID, content: 'The shop sells tea.', tags: ['a', 'b', '[draft] x', 'x, y'] },
  });
  await call('POST /memory', { json: { id: OTHER_ID, content: 'The office buys tea.', tags: ['c', '["odd"]'] } });
});

const found = async (query: string) => {
  const { status, body } = await call(`GET /recall?${query}`);
  return status === 200 ? body.results.map((result: { id: string }) => result.id).sort() : status;
};

describe('a list in a query string', () => {
  it.each([
    'tags[]=a&tags[]=b',
    'tags%5B%5D=a',
    'tags[0]=z&tags[1]=b',
    'tags=["a","z"]',
    'tags[]=["a"]',
    'tags=[draft] x',
    'tags[]=[draft] x',
    'tags=x, y',
    'exclude_tags[]=c',
    'exclude_tags=["c","d"]',
    'queries[]=shop&queries[]=sells&exclude_tags=c',
    'queries=["shop","sells"]&tags=a',
    `priority_ids[]=${ID}&context_types[]=Context&context_tags[0]=a&tags=a`,
  ])('%s finds the right memory', async query => {
    expect(await found(`query=tea&${query}`)).toEqual([ID]);
  });

  it('lists and deletes by tag too', async () => {
    expect((await call('GET /memory/by-tag?tags[]=z&tags[]=a')).body.count).toBe(1);
    expect((await call('GET /memory/by-tag?tags=["c","z"]')).body.memories[0].id).toBe(OTHER_ID);
    expect((await call('GET /memory/by-tag?tags=["odd"]&tags=')).body.memories[0].id).toBe(OTHER_ID);
    expect((await call('DELETE /memory/by-tag?tags[]=z&tags[0]=none')).body).toMatchObject({ tags: ['z', 'none'] });
    expect((await call(`GET /memories/${ID}/related?relationship_types[]=LEADS_TO`)).status).toBe(200);
  });

  it('keeps the order of the numbers of an embedding', async () => {
    const numbers = Array.from({ length: 64 }, (_, index) => [index, index === 10 ? 1 : 0] as const);
    const inAlphabeticalOrder = numbers.map(([index, value]) => `embedding[${index}]=${value}`).sort();
    const json = { content: 'vector', embedding: numbers.map(([, value]) => value), tags: ['vector'] };
    await call('POST /memory', { json });
    const { body } = await call(`GET /recall?tags=vector&${inAlphabeticalOrder.join('&')}`);
    expect(body.results[0].score_components.vector).toBeCloseTo(1, 3);
  });

  it.each(['tags=[1,2]', 'tags={"a":1,"b":2}', "tags=['a', 'b']", 'tags[a]=b', 'limit[]=1&limit[]=2'])(
    '%s is refused',
    async query => expect(await found(query)).toBe(400),
  );
});

describe('an unknown parameter', () => {
  it.each([
    ['GET /recall?q=shop', 'q', 'query'],
    ['GET /recall?query=x&tag=a', 'tag', 'tags'],
    ['GET /recall?query=x&Limit=3', 'Limit', 'limit'],
    ['GET /recall?query=x&excludeTags=a', 'excludeTags', 'exclude_tags'],
    ['GET /recall?query=x&time_qery=today', 'time_qery', 'time_query'],
    ['GET /recall?query=x&tagz[]=a', 'tagz[]', 'tags'],
    [`GET /recall/why-not?ids=${ID}`, 'ids', 'id'],
    ['GET /memory/by-tag?tag=a', 'tag', 'tags'],
    ['DELETE /memory/by-tag?tags=zz&tag=a', 'tag', 'tags'],
    [`GET /memories/${ID}/related?depth=1`, 'depth', 'max_depth'],
    ['GET /hooks/log?session=x', 'session', 'session_id'],
    ['GET /analyze/credentials?limits=5', 'limits', 'limit'],
  ])('in %s is refused, and the nearest known one is named', async (route, field, nearest) => {
    const { status, body } = await call(route);
    expect([status, body.field]).toEqual([400, field]);
    expect(body.message).toBe(`The parameter '${field}' does not exist; did you mean '${nearest}'?`);
  });

  it.each([
    'GET /health',
    'GET /analyze',
    'GET /startup-recall',
    'GET /consolidate/status',
    'GET /enrichment/status',
    'POST /consolidate',
    'POST /memory',
    'POST /associate',
    `GET /memory/${ID}`,
    `PATCH /memory/${ID}`,
    `DELETE /memory/${ID}`,
    `GET /memory/${ID}/history`,
    'GET /openapi.json',
    'GET /docs',
    'GET /metrics',
    'GET /export',
    'POST /admin/sync',
  ])('is refused on every route: %s', async route => {
    const headers = { 'x-admin-token': 'admin' };
    const json = route.startsWith('GET') || route.startsWith('DELETE') ? {} : { json: { content: 'x' } };
    const { status, body } = await call(`${route}?zzzz=1`, { headers, ...json });
    expect([status, body.field]).toEqual([400, 'zzzz']);
    expect(body.message).toBe("The parameter 'zzzz' does not exist");
  });

  it('that resembles no other gets the list of the known ones', async () => {
    const { body } = await call('GET /memory/by-tag?zzzz=1');
    expect(body.details).toBe('Known parameters are tags, limit, offset, include_total.');
  });

  it.each([
    'lang=rust&file_path=a.rs&focus_path=b.rs&expand=true&expand_associations=1&entity_expansion=1&order_by=score',
    'time=today&relation_expansion_limit=3&format=json&offset=0&current_only=true&state_debug=1&per_query_limit=2',
    'recency_bias=auto&scope_fallback=true&min_score=0&adaptive_floor=false&expand_respect_tags=true&api_key=x',
    'admin_token=x',
  ])('does not include what clients of AutoMem send: %s', async query => {
    expect((await call(`GET /recall?query=tea&${query}`)).status).toBe(200);
  });
});

describe('recall with memory_id ignores other parameters, even invalid ones', () => {
  const invalid = [
    { limit: 'abc' },
    { sort: 'best', start: 'never' },
    { embedding: [1], exhaustive: 'perhaps', tags: 7 },
  ];
  test.each(invalid)('as a tool: %j', async others => {
    const result = await client.call('recall_memory', { memory_id: ID, ...others });
    expect(structuredOf(result).count).toBe(1);
  });

  test.each(['limit=abc', 'sort=best&start=never', 'embedding=1&tags=&tag_mode=some'])(
    'over REST: %s',
    async others => {
      const { status, body } = await call(`GET /recall?memory_id=${ID}&${others}`);
      expect([status, body.id, body.content]).toEqual([200, ID, 'The shop sells tea.']);
    },
  );

  test('and a missing memory is reported', async () => {
    expect((await call(`GET /recall?memory_id=${UNKNOWN_ID}`)).status).toBe(404);
    expect((await call('GET /recall?memory_id=x')).body).toMatchObject({ code: 400, field: 'memory_id' });
    expect((await client.call('recall_memory', { memory_id: 'x' })).isError).toBe(true);
  });
});

describe('an unreadable time_query', () => {
  const unreadable = ['sometime maybe', 'x'.repeat(300), 'between'];
  test.each(unreadable)('is overridden by start or end: %s', async time_query => {
    for (const bounds of [{ start: '2020-01-01' }, { end: '2100-01-01' }, { start: '2020-01-01', end: '2100-01-01' }]) {
      const { status, body } = await call(
        `GET /recall?${new URLSearchParams({ ...bounds, time_query } as Record<string, string>)}`,
      );
      expect([status, Object.keys(body.time_window)]).toEqual([200, Object.keys(bounds)]);
      expect((await client.call('recall_memory', { time_query, ...bounds })).isError).not.toBe(true);
    }
  });

  test.each(unreadable)('alone is refused: %s', async time_query => {
    const { body } = await call(`GET /recall?${new URLSearchParams({ time_query })}`);
    expect(body).toMatchObject({ code: 400, field: 'time_query' });
  });

  test('is not what an empty start overrides', async () => {
    expect(await found('time_query=sometime maybe&start=')).toBe(400);
  });
});

describe('an embedding of the wrong length', () => {
  test.each([[[1, 2]], ['1,2,3'], ['[1,2]'], ['x'], [{ a: 1 }]])('%j names the right length', async embedding => {
    const { body } = await call('POST /memory', { json: { content: 'x', embedding } });
    expect(/exactly\s+(\d+)\s+values/.exec(body.message)?.[1]).toBe('64');
    expect(body.field).toBe('embedding');
  });
});

it('none of the requests caused an internal error', () => expect(logged).toEqual([]));

test('update_memory and store_memory state the limit of a content', async () => {
  const { tools } = await client.client.listTools();
  const contentOf = (name: string) => {
    const { properties = {} } = tools.find(tool => tool.name === name)?.inputSchema ?? {};
    return properties.content as { maxLength?: number };
  };
  expect([contentOf('update_memory').maxLength, contentOf('store_memory').maxLength]).toEqual([2_000, 2_000]);
  const tooLong = await client.call('update_memory', { memory_id: ID, content: 'x'.repeat(2_001) });
  expect(textOf(tooLong)).toContain('2001');
  expect((await client.call('update_memory', { memory_id: ID, content: 'x'.repeat(2_000) })).isError).not.toBe(true);
});
