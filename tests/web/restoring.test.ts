/** Tests the requests that undo a deletion or an edit of a memory, with a real engine. */
import { expect, onTestFinished, test } from 'vitest';
import type { MemoryAnswer } from '../../src/client/client.js';
import { changedFields, toAssociations, toStoreRequest, undoOf } from '../../src/web/memory/history.js';
import { openTestApp } from '../http/test-app.js';

const MEMORY = {
  content: 'The sale runs until the end of June.',
  type: 'Decision',
  confidence: 0.8,
  importance: 0.7,
  tags: ['project:shop', 'sale'],
  metadata: { source: 'meeting' },
  timestamp: '2026-05-20T00:00:00.000Z',
  t_valid: '2026-06-01T00:00:00.000Z',
  t_invalid: '2026-07-01T00:00:00.000Z',
};

async function openMemory() {
  const { call, close, engine } = await openTestApp();
  onTestFinished(close);
  const store = async (json: object): Promise<string> => (await call('POST /memory', { json })).body.memory_id;
  const read = async (id: string): Promise<MemoryAnswer> => (await call(`GET /memory/${id}`)).body;
  const [id, older, newer] = [
    await store(MEMORY),
    await store({ content: 'An older note' }),
    await store({ content: 'A newer note' }),
  ];
  const associate = (json: object) => call('POST /associate', { json });
  await associate({ memory1_id: older, memory2_id: id, type: 'EVOLVED_INTO', strength: 0.9, reason: 'It grew' });
  await associate({ memory1_id: id, memory2_id: newer, type: 'PREFERS_OVER', strength: 0.4, context: 'In summer' });
  await engine.idle();
  return { call, read, id };
}

/** The fields that undoing restores, and the edges that callers created. */
function known({ relations, ...memory }: MemoryAnswer) {
  const { id, content, type, confidence, importance, tags, timestamp, t_valid, t_invalid } = memory;
  const made = relations.filter(({ type: kind }) => ['EVOLVED_INTO', 'PREFERS_OVER'].includes(kind));
  const edges = made.map(({ updated_at: _time, ...edge }) => edge);
  return { id, content, type, confidence, importance, tags, timestamp, t_valid, t_invalid, edges };
}

test('restoring a deleted memory restores its id, its fields and the edges that callers created', async () => {
  const { call, read, id } = await openMemory();
  const before = await read(id);
  expect(known(before).edges).toHaveLength(2);
  await call(`DELETE /memory/${id}`);
  expect((await call(`GET /memory/${id}`)).status).toBe(404);
  expect((await call('POST /memory', { json: toStoreRequest(before) })).status).toBe(201);
  const associations = toAssociations(before);
  expect((await call('POST /associate', { json: { associations } })).status).toBe(201);
  const after = await read(id);
  expect(known(after)).toEqual(known(before));
  expect(after.metadata).toMatchObject(MEMORY.metadata);
});

test('an edit sends only the changed fields, and undoing the edit restores their former values', async () => {
  const { call, read, id } = await openMemory();
  const before = await read(id);
  const { content, type, tags, importance } = before;
  const edit = { content, type, tags, importance, t_valid: null, t_invalid: '2026-08-01T00:00:00.000Z' };
  const changed = changedFields(before, edit);
  expect(changed).toEqual({ t_valid: null, t_invalid: '2026-08-01T00:00:00.000Z' });
  await call(`PATCH /memory/${id}`, { json: changed });
  expect(await read(id)).not.toHaveProperty('t_valid');
  await call(`PATCH /memory/${id}`, { json: undoOf(before, changed) });
  expect(known(await read(id))).toEqual(known(before));
});

test('an edit that changes nothing sends no fields', async () => {
  const { read, id } = await openMemory();
  const memory = await read(id);
  const { content, type, tags, importance, t_valid = null, t_invalid = null } = memory;
  expect(changedFields(memory, { content, type, tags, importance, t_valid, t_invalid })).toEqual({});
});
