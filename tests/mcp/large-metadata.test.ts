/**
 * Metadata that would fill the context window of a model are rejected on input, and shortened in answers if they are
 * stored already.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestEngine } from '../support/test-engine.js';
import { type ConnectedClient, connectClient, structuredOf, textOf } from './connected-client.js';

const SHOWN_MAX_BYTES = 16_384;
const huge = { source: 'kept', dump: 'x'.repeat(5_000_000), page: 7 };
const bytes = Buffer.byteLength(JSON.stringify(huge));

const { engine, close } = await openTestEngine();
let client: ConnectedClient;
let id: string;
beforeAll(async () => {
  client = await connectClient(engine);
  // An earlier release could store such metadata.
  const memory = { content: 'A whale of metadata', tags: ['whale'], importance: 0.5, metadata: huge };
  id = (await engine.store(memory)).memory.id;
});
afterAll(async () => {
  await client.close();
  await close();
});

test('large metadata are rejected by store_memory and update_memory, and the error states limit and size', async () => {
  for (const [name, args] of [
    ['store_memory', { content: 'Too much', metadata: huge }],
    ['update_memory', { memory_id: id, metadata: huge }],
  ] as const) {
    const result = await client.call(name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(`'metadata' must have at most 65536 bytes of JSON, but has ${bytes}`);
  }
});

test.each([
  ['a search', { query: 'whale', explain: true }],
  ['a list', { tags: ['whale'], exhaustive: true, format: 'json' }],
  ['one memory', {}],
])('large metadata are shortened in the answer of %s, which says so', async (mode, args) => {
  const result = await client.call('recall_memory', mode === 'one memory' ? { memory_id: id } : args);
  const [{ memory }] = structuredOf<{ results: [{ memory: Record<string, unknown> }] }>(result).results;
  expect(memory).toMatchObject({
    metadata: { source: 'kept', page: 7 },
    metadata_truncated: true,
    metadata_bytes: bytes,
  });
  expect(memory.metadata).not.toHaveProperty('dump');
  expect(JSON.stringify(result).length).toBeLessThan(2 * SHOWN_MAX_BYTES);
  if (mode === 'one memory') expect(textOf(result)).toContain(`(shortened: REST shows all ${bytes} bytes)`);
});

test('metadata small enough to store but too large to show are not in the answer of store_memory', async () => {
  const metadata = { small: 1, text: 'x'.repeat(60_000) };
  const stored = structuredOf(await client.call('store_memory', { content: 'A seal of metadata', metadata }));
  expect(stored).not.toHaveProperty('metadata');
  expect((await engine.get(String(stored.memory_id))).memory.metadata).toEqual(metadata);
});
