/** GET and DELETE /memory/by-tag (docs/decisions.md, "Listing by tag"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp } from './test-app.js';

const { call, close } = await openTestApp();
afterAll(close);

beforeAll(async () => {
  const memories = [
    { content: 'least', tags: ['page'], importance: 0.1, timestamp: '2026-01-01' },
    { content: 'most', tags: ['Page', 'other'], importance: 0.9, timestamp: '2026-01-01' },
    { content: 'older', tags: ['page'], importance: 0.5, timestamp: '2026-01-01' },
    { content: 'newer', tags: ['page'], importance: 0.5, timestamp: '2026-01-02' },
    { content: 'below', tags: ['page:sub'], importance: 1 },
  ];
  expect((await call('POST /memory/batch', { json: memories })).status).toBe(201);
});

const contents = (results: { memory: { content: string } }[]) => results.map(result => result.memory.content);

describe('GET /memory/by-tag', () => {
  it('is not mistaken for GET /memory/:id, and lists exact matches by importance, then time', async () => {
    const { status, body } = await call('GET /memory/by-tag?tags=PAGE');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'success', tags: ['PAGE'], count: 4, limit: 20, offset: 0, has_more: false });
    expect(contents(body.results)).toEqual(['most', 'newer', 'older', 'least']);
    expect(body.results[0]).toMatchObject({ match_type: 'tag', score: 0.9, relations: expect.any(Array) });
    expect(body.memories.map((memory: { content: string }) => memory.content)).toEqual(contents(body.results));
  });

  it('returns has_more true until the last page', async () => {
    const seen: string[] = [];
    let offset = 0;
    let hasMore = true;
    while (hasMore && offset < 10) {
      const { body } = await call(`GET /memory/by-tag?tags=page&limit=3&offset=${offset}`);
      seen.push(...contents(body.results));
      offset += body.count;
      hasMore = body.has_more;
    }
    expect(seen).toEqual(['most', 'newer', 'older', 'least']);
  });

  it.each(['tags=page&tags=page:sub', 'tags=page,page:sub', 'tags=page/sub&tags=%20page%20'])(
    'accepts %s',
    async query => {
      expect((await call(`GET /memory/by-tag?${query}`)).body.count).toBe(5);
    },
  );

  it('counts the matches on all pages if include_total is set', async () => {
    const { body } = await call('GET /memory/by-tag?tags=page&tags=other&limit=1&include_total=true');
    expect(body).toMatchObject({ count: 1, has_more: true, total: 4 });
    expect((await call('GET /memory/by-tag?tags=absent&include_total=1')).body.total).toBe(0);
    expect((await call('GET /memory/by-tag?tags=page')).body).not.toHaveProperty('total');
  });

  it('clamps the limit and the offset to their ranges', async () => {
    expect((await call('GET /memory/by-tag?tags=page&limit=9999')).body.limit).toBe(200);
    expect((await call('GET /memory/by-tag?tags=page&limit=0')).body.limit).toBe(1);
    expect((await call('GET /memory/by-tag?tags=page&offset=-1')).body.offset).toBe(0);
  });

  it.each([
    ['tags', ''],
    ['tags', '?tags='],
    ['tags', '?tags=,%20,'],
    ['limit', '?tags=page&limit=many'],
    ['limit', '?tags=page&limit=1&limit=2'],
    ['offset', '?tags=page&offset=1.5'],
  ])('answers 400 naming %s for "%s"', async (field, query) => {
    const { status, body } = await call(`GET /memory/by-tag${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: 'error', code: 400, field });
  });
});

describe('DELETE /memory/by-tag', () => {
  it('deletes every match, and a repeated request deletes nothing', async () => {
    const memories = Array.from({ length: 450 }, (_, index) => ({ content: `doomed ${index}`, tags: ['Doomed'] }));
    await call('POST /memory/batch', { json: [...memories, { content: 'spared', tags: ['doomed:not'] }] });
    const first = await call('DELETE /memory/by-tag?tags=doomed');
    const second = await call('DELETE /memory/by-tag?tags=doomed');
    expect([first.status, first.body]).toEqual([200, { status: 'success', tags: ['doomed'], deleted_count: 450 }]);
    expect([second.status, second.body.deleted_count]).toEqual([200, 0]);
    expect((await call('GET /memory/by-tag?tags=doomed')).body.count).toBe(0);
    expect((await call('GET /memory/by-tag?tags=doomed:not')).body.count).toBe(1);
  });

  it('requires a tag', async () => {
    const { status, body } = await call('DELETE /memory/by-tag');
    expect([status, body.field]).toEqual([400, 'tags']);
  });
});

describe('a tag whose accent is written as a character of its own', () => {
  it.each([
    ['cafe\u0301', 'café'],
    ['café', 'cafe\u0301'],
  ])('is found, left out and deleted under its other form: %j as %j', async (stored, asked) => {
    const named = `tags=${encodeURIComponent(asked)}`;
    const { body } = await call('POST /memory', { json: { content: 'Opens at nine.', tags: [`${stored}:hours`] } });
    const found = async (query: string) => (await call(`GET ${query}`)).body.count;
    expect(await found(`/memory/by-tag?${named}:hours`)).toBe(1);
    expect(await found(`/recall?query=opens&${named}`)).toBe(1);
    expect(await found(`/recall?query=opens&exclude_${named}`)).toBe(0);
    expect((await call(`GET /memory/${body.memory_id}`)).body.tags).toEqual(['café:hours']);
    expect((await call(`DELETE /memory/by-tag?${named}:hours`)).body.deleted_count).toBe(1);
  });
});
