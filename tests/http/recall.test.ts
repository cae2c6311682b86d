/** GET /recall: parameters reach the engine and answers are complete. Ranking is tested with the engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp } from './test-app.js';

const { call, engine, close } = await openTestApp();
afterAll(close);

beforeAll(async () => {
  const json = [
    {
      content: 'The harbour pilot prefers tea',
      tags: ['port:pilot', 'drinks'],
      importance: 0.9,
      timestamp: '2026-01-01',
    },
    { content: 'The harbour crane is painted red', tags: ['port:crane'], importance: 0.2, timestamp: '2026-01-05' },
    { content: 'Sourdough rises overnight', tags: ['kitchen'], importance: 0.5, timestamp: '2026-01-09' },
  ];
  expect((await call('POST /memory/batch', { json })).status).toBe(201);
});

interface Result {
  memory: { content: string };
}
const recalled = async (query: string): Promise<string[]> => {
  const { status, body } = await call(`GET /recall${query}`);
  expect(status).toBe(200);
  return body.results.map((result: Result) => result.memory.content.split(' ')[1]);
};

describe('GET /recall', () => {
  it('returns the complete result object', async () => {
    const { status, body } = await call('GET /recall?query=harbour+pilot&limit=2');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'success',
      query: 'harbour pilot',
      dedup_removed: 0,
      sort: 'score',
      vector_search: { enabled: expect.any(Boolean), matched: expect.any(Boolean) },
      tag_mode: 'any',
      tag_match: 'prefix',
      query_time_ms: expect.any(Number),
    });
    expect(body.count).toBe(body.results.length);
    expect(body.results[0]).toMatchObject({
      memory: {
        memory_id: expect.any(String),
        tags: ['port:pilot', 'drinks'],
        importance: 0.9,
        created_at: '2026-01-01T00:00:00.000Z',
      },
      final_score: expect.any(Number),
      match_type: expect.any(String),
      score_components: expect.any(Object),
      relations: expect.any(Array),
    });
  });

  it.each(['', '?query=*', '?query=', '?query=%20'])('sorts by importance without a query: "%s"', async query => {
    expect(await recalled(query)).toEqual(['harbour', 'rises', 'harbour']);
  });

  it('passes filters, order and limit to the engine', async () => {
    expect(await recalled('?tags=port&sort=time_asc')).toEqual(['harbour', 'harbour']);
    expect(await recalled('?tags=port:crane&tags=kitchen&order_by=time_desc')).toEqual(['rises', 'harbour']);
    expect(await recalled('?tags=port&tags=drinks&tag_mode=all')).toEqual(['harbour']);
    expect(await recalled('?tags=port&tag_match=exact')).toEqual([]);
    expect(await recalled('?exclude_tags=port')).toEqual(['rises']);
    expect(await recalled('?start=2026-01-02&end=2026-01-06')).toEqual(['harbour']);
    expect(await recalled('?limit=1')).toHaveLength(1);
    expect(await recalled('?limit=100000')).toHaveLength(3);
  });

  it('accepts an embedding in the query string', async () => {
    const embedding = Array.from({ length: engine.limits.vectorSize }, (_, index) => Math.cos(index)).join(',');
    expect((await call(`GET /recall?embedding=${embedding}`)).status).toBe(200);
  });

  it('names the required length of an embedding', async () => {
    const { status, body } = await call('GET /recall?embedding=0.1,0.2');
    expect([status, body.field]).toEqual([400, 'embedding']);
    expect(body.message).toContain(`exactly ${engine.limits.vectorSize} values`);
  });

  it.each([
    ['limit', 'limit=five'],
    ['sort', 'sort=best'],
    ['order_by', 'order_by=best'],
    ['tag_mode', 'tag_mode=none'],
    ['tag_match', 'tag_match=fuzzy'],
    ['start', 'start=soon'],
    ['end', 'start=2026-02-01&end=2026-01-01'],
    ['relation_limit', 'relation_limit=x'],
    ['query', 'query=a&query=b'],
  ])('answers 400 naming %s for %s', async (field, query) => {
    const { status, body } = await call(`GET /recall?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 'error', code: 400, field });
  });
});
