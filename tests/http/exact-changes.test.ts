/** Updates and repeated requests have exactly the stated effects. */
import { afterAll, describe, expect, test } from 'vitest';
import { openTestApp } from './test-app.js';

const { call, close, engine } = await openTestApp();
afterAll(close);

const ID = '11111111-1111-4111-8111-111111111111';

async function storedId(fields: object): Promise<string> {
  const { body } = await call('POST /memory', { json: fields });
  await engine.idle();
  return body.memory_id;
}

describe('an update of tags', () => {
  test('keeps the tags that enrichment added, even after the memory is enriched again', async () => {
    const id = await storedId({ content: 'Ann runs PostgreSQL.', tags: ['a'] });
    await call(`PATCH /memory/${id}`, { json: { tags: ['b'] } });
    const tags = ['b', 'entity:people:ann', 'entity:tools:postgresql'];
    expect((await call(`GET /memory/${id}`)).body.tags).toEqual(tags);
    await engine.reprocess([id]);
    await engine.idle();
    const { body } = await call(`GET /memory/${id}`);
    expect([body.tags, body.tag_prefixes]).toEqual([tags, expect.arrayContaining(['b', 'entity:people:ann'])]);
    expect((await call('GET /memory/by-tag?tags=a')).body.count).toBe(0);
  });
});

describe('an update of the field', () => {
  test('archived hides a memory from recall when true, and restores it when false', async () => {
    const id = await storedId({ content: 'The walrus sleeps on ice' });
    const found = async () => (await call('GET /recall?query=walrus')).body.count;
    expect((await call(`PATCH /memory/${id}`, { json: { archived: true } })).status).toBe(200);
    expect([await found(), (await call(`GET /memory/${id}`)).body.archived]).toEqual([0, true]);
    const { archived_at, updated_at } = (await call(`GET /memory/${id}`)).body;
    expect(archived_at).toBe(updated_at);
    await call(`PATCH /memory/${id}`, { json: { archived: false } });
    expect(await found()).toBe(1);
    expect((await call(`GET /memory/${id}`)).body).not.toHaveProperty('archived_at');
  });

  test('protected is refused, and the answer names the field', async () => {
    const id = await storedId({ content: 'Something' });
    const { status, body } = await call(`PATCH /memory/${id}`, { json: { protected: true } });
    expect([status, body.field]).toEqual([400, 'protected']);
  });
});

describe('storing with an existing id', () => {
  const first = { id: ID, content: 'Bob likes tea', tags: ['Tea', 'bob'], importance: 0.7, type: 'Preference' };

  test('and the same fields is a repetition, even after enrichment has added more fields', async () => {
    await storedId(first);
    const again = { ...first, tags: ['bob', 'tea'] };
    expect((await call('POST /memory', { json: again })).status).toBe(201);
    expect((await call('POST /memory', { json: { id: ID, content: first.content } })).status).toBe(201);
    expect((await call('POST /memory/batch', { json: [again] })).status).toBe(201);
  });

  test('and the same tags is a repetition, even if enrichment derives one of the tags too', async () => {
    const memory = { id: ID.replace('1', '2'), content: 'Ann runs PostgreSQL.', tags: ['entity:people:ann', 'a'] };
    await storedId(memory);
    expect((await call('POST /memory', { json: memory })).status).toBe(201);
    expect((await call('POST /memory', { json: { ...memory, tags: ['a', 'b'] } })).status).toBe(409);
  });

  test.each([
    ['tags', { tags: ['bob'] }],
    ['importance', { importance: 0.8 }],
    ['type', { type: 'Habit' }],
  ])('and other %s is a conflict that names the fields and changes nothing', async (field, change) => {
    const single = await call('POST /memory', { json: { ...first, ...change } });
    expect([single.status, single.body.field]).toEqual([409, field]);
    const batch = await call('POST /memory/batch', { json: [{ content: 'New' }, { ...first, ...change }] });
    expect([batch.status, batch.body.field, batch.body.index]).toEqual([409, field, 1]);
    expect((await call('GET /recall?query=New')).body.count).toBe(0);
  });
});

test('recall echoes the query "*"', async () => {
  expect((await call('GET /recall?query=*')).body.query).toBe('*');
});
