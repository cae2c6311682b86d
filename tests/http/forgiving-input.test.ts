/** Input in an unusual form is accepted if its meaning is clear. Ambiguous input is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClient, structuredOf, textOf } from '../mcp/connected-client.js';
import { openTestApp } from './test-app.js';

const { call, engine, close } = await openTestApp({ adminToken: 'admin' });
const client = await connectClient(engine);
afterAll(async () => {
  await client.close();
  await close();
});

const ids: string[] = [];
beforeAll(async () => {
  for (const content of ['one', 'two']) {
    ids.push((await call('POST /memory', { json: { content, tags: ['t'] } })).body.memory_id);
  }
});

it.each(['start', 'end', 'sort', 'order_by', 'state_mode', 'recency_bias', 'tag_mode', 'limit', 'explain'])(
  'recall: blank text in %s counts as absent',
  async name => {
    expect((await call(`GET /recall?query=one&${name}=%20`)).status).toBe(200);
    expect((await client.call('recall_memory', { query: 'one', [name]: ' ' })).isError).not.toBe(true);
  },
);

it.each(['start', 'sort', 'query', 'state_mode'])('recall: %s given twice is refused', async name => {
  const { status, body } = await call(`GET /recall?${name}=2026-01-01&${name}=2026-01-02`);
  expect([status, body.message]).toEqual([400, `'${name}' must be given only once`]);
});

it.each(['[]', ' [ ] ', '["[]"]'])(
  'an embedding of %j, JSON text of an empty list, counts as absent',
  async embedding => {
    expect((await call('POST /memory', { json: { content: 'three', embedding } })).status).toBe(201);
    expect((await call('POST /memory/batch', { json: [{ content: 'four', embedding }] })).status).toBe(201);
    expect((await call(`GET /recall?query=one&embedding=${encodeURIComponent(embedding)}`)).status).toBe(200);
    expect((await client.call('store_memory', { content: 'five', embedding })).isError).not.toBe(true);
  },
);

describe('an update', () => {
  it('treats metadata of null as empty', async () => {
    expect((await call(`PATCH /memory/${ids[0]}`, { json: { metadata: null, importance: 1 } })).status).toBe(200);
  });
});

describe('an association', () => {
  it.each([{ confidence: 'x' }, { timestamp: 'soon' }, { reason: 0 }, { observations: {} }])(
    'ignores %j when its type does not have the property',
    async odd => {
      const json = { memory1_id: ids[0], memory2_id: ids[1], type: 'LEADS_TO', ...odd };
      expect((await call('POST /associate', { json })).status).toBe(201);
    },
  );
});

it.each(['/admin/sync', '/admin/reembed'])('%s refuses a body of null', async path => {
  const { status } = await call(`POST ${path}`, { json: null, headers: { 'x-admin-token': 'admin' } });
  expect(status).toBe(400);
});

describe('tools', () => {
  it('list as many memories by tag as the REST route does, which is more than a ranked recall returns', async () => {
    const memories = Array.from({ length: 150 }, (_, index) => ({ content: `number ${index}`, tags: ['many'] }));
    await call('POST /memory/batch', { json: { memories } });
    const all = await client.call('recall_memory', { exhaustive: true, tags: ['many'], limit: 200 });
    expect(structuredOf(all)).toMatchObject({ count: 150, has_more: false });
    const ranked = await client.call('recall_memory', { query: 'number', tags: ['many'], limit: 200 });
    expect(structuredOf(ranked)).toMatchObject({ count: 100 });
  });

  it('treat a parameter that is null as absent', async () => {
    expect((await client.call('recall_memory', { query: 'one', lang: null, language: null })).isError).not.toBe(true);
  });

  it('answer a call of an unknown tool with an error that the model can read', async () => {
    const result = await client.call('forget_everything', {});
    expect([result.isError, textOf(result)]).toEqual([true, "The tool 'forget_everything' does not exist"]);
  });
});
