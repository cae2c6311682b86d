/** A listing by tag shows all memories and marks the memories that are no longer valid. */
import { afterAll, expect, test } from 'vitest';
import { openTestEngine } from '../support/test-engine.js';
import { connectClient, structuredOf, textOf } from './connected-client.js';

const { engine, close } = await openTestEngine();
const client = await connectClient(engine);
afterAll(async () => {
  await client.close();
  await close();
});

test('recall_memory with exhaustive marks expired and superseded memories', async () => {
  const store = async (args: object) =>
    structuredOf<{ memory_id: string }>(await client.call('store_memory', { tags: ['office'], ...args })).memory_id;
  const expired = await store({ content: 'The office is in Bonn.', t_invalid: '2020-01-01' });
  const old = await store({ content: 'The office is in Cologne.' });
  const current = await store({ content: 'The office is in Essen.', supersedes_memory_id: old });
  const result = await client.call('recall_memory', { tags: ['office'], exhaustive: true });
  const { results } = structuredOf<{
    results: { memory: { memory_id: string }; superseded_by?: string; not_current?: string }[];
  }>(result);
  const marks = results.map(({ memory, superseded_by, not_current }) => [
    memory.memory_id,
    superseded_by ?? not_current,
  ]);
  expect(new Map(marks as [string, string][])).toEqual(
    new Map([
      [expired, 'expired'],
      [old, current],
      [current, undefined],
    ]),
  );
  expect(textOf(result)).toContain(`superseded by ${current}`);
  expect(textOf(result)).toContain('expired');
});
