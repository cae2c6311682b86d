/**
 * Objects, lists, numbers and booleans in place of text are refused with 400 and the field name. This includes objects
 * with a `toString` key.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClient, structuredOf, textOf } from '../mcp/connected-client.js';
import { openTestApp, UNKNOWN_ID } from './test-app.js';

const { call, engine, logged, close } = await openTestApp({ adminToken: 'admin' });
const ids: string[] = [];
beforeAll(async () => {
  for (const content of ['one', 'two', 'three']) {
    ids.push((await call('POST /memory', { json: { content } })).body.memory_id);
  }
});
afterAll(close);

const STRANGE: unknown[] = [{ toString: 1 }, { toString: null, valueOf: 1 }, { length: 1 }, [[]], ['x', {}], 7, true];

function refused({ status, body }: { status: number; body: { field?: string } }): unknown {
  return [status, body.field];
}

describe.each(STRANGE.map(value => [value]))('the value %j in place of text', value => {
  it.each(['memory1_id', 'memory2_id', 'type', 'reason'])('is refused as %s of an association', async field => {
    const json = { memory1_id: ids[0], memory2_id: ids[1], type: 'INVALIDATED_BY', [field]: value };
    expect(refused(await call('POST /associate', { json }))).toEqual([400, field]);
  });

  it.each(['supersedes_memory_id', 'supersede_relation', 'supersede_reason'])(
    'is refused as %s of a memory',
    async field => {
      const json = { content: 'new', supersedes_memory_id: ids[2], [field]: value };
      expect(refused(await call('POST /memory', { json }))).toEqual([400, field]);
    },
  );

  it.each(['content', 'type', 'id', 'timestamp', 't_valid', 'updated_at', 'last_accessed'])(
    'is refused as %s in POST, and in PATCH unless the field is the id',
    async field => {
      expect(refused(await call('POST /memory', { json: { content: 'new', [field]: value } }))).toEqual([400, field]);
      if (field === 'id') return;
      expect(refused(await call(`PATCH /memory/${ids[2]}`, { json: { [field]: value } }))).toEqual([400, field]);
    },
  );

  it('is refused as ids to enrich', async () => {
    const headers = { 'x-admin-token': 'admin' };
    const answer = await call('POST /enrichment/reprocess', { json: { ids: value }, headers });
    expect(refused(answer)).toEqual([400, 'ids']);
  });

  it('in one item of a batch of associations does not affect the other items', async () => {
    const good = { memory1_id: ids[0], memory2_id: ids[1] };
    const associations = [
      good,
      { ...good, type: value },
      value,
      { ...good, type: 'LEADS_TO' },
      { ...good, strength: ['much'] },
    ];
    const { status, body } = await call('POST /associate', { json: { associations } });
    expect([status, body.created_count, body.failed_count]).toEqual([207, 2, 3]);
    expect(body.failed[0]).toMatchObject({
      index: 1,
      field: 'type',
      reason: expect.stringContaining('must be one of'),
    });
    const client = await connectClient(engine);
    const known = { associations: associations.filter(item => item !== value) };
    const answer = structuredOf(await client.call('associate_memories', known));
    expect(answer).toMatchObject({ success: false, created_count: 2, failed_count: 2 });
    expect(answer.failed).toMatchObject([{ index: 1 }, { index: 3, field: 'strength' }]);
    await client.close();
  });
});

it('none of the strange values caused an internal error', () => expect(logged).toEqual([]));

it('associate_memories refuses a batch with an unknown key in an item, names the key and creates no edge', async () => {
  const client = await connectClient(engine);
  const good = { memory1_id: ids[0], memory2_id: ids[2], type: null, reason: null };
  const associations = [{ ...good, strenght: 1 }, good, { ...good, memory2_id: UNKNOWN_ID }];
  const before = (await engine.get(String(ids[0]))).relations;
  const result = await client.call('associate_memories', { associations });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain("An association does not have a parameter 'strenght' (item 0)");
  expect((await engine.get(String(ids[0]))).relations).toEqual(before);
  await client.close();
});

it('the input schema of associate_memories lists the fields of an association', async () => {
  const client = await connectClient(engine);
  const { tools } = await client.client.listTools();
  const listed = tools.find(({ name }) => name === 'associate_memories')?.inputSchema.properties;
  expect(listed).toMatchObject({
    associations: {
      type: 'array',
      description: expect.stringContaining('1 to 500'),
      items: {
        type: 'object',
        required: ['memory1_id', 'memory2_id'],
        properties: { memory1_id: { type: 'string' }, strength: { type: 'number' } },
      },
    },
  });
  await client.close();
});
