/**
 * The tool `associate_memories`, corrections through `store_memory`, and the use of edges in `recall_memory`, through a
 * real client.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestEngine } from '../support/test-engine.js';
import { type ConnectedClient, connectClient, structuredOf, textOf } from './connected-client.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('relations between memories', () => {
  let test: Awaited<ReturnType<typeof openTestEngine>>;
  let connected: ConnectedClient;
  const ids: string[] = [];

  const store = async (args: Record<string, unknown>) =>
    structuredOf<{ memory_id: string }>(await connected.call('store_memory', args)).memory_id;
  const associate = (args: Record<string, unknown>) => connected.call('associate_memories', args);
  const recall = (args: Record<string, unknown>) => connected.call('recall_memory', args);

  beforeAll(async () => {
    test = await openTestEngine();
    connected = await connectClient(test.engine);
    for (const content of ['The build broke on Monday', 'A cache was stale', 'Caches are now keyed by version']) {
      ids.push(await store({ content }));
    }
    await test.engine.idle();
  });
  afterAll(async () => {
    await connected.close();
    await test.close();
  });

  it('associate_memories creates one edge and reports it', async () => {
    const result = await associate({ memory1_id: ids[0], memory2_id: ids[1], type: 'derived_from', confidence: '0.9' });
    expect(structuredOf(result)).toMatchObject({
      success: true,
      relation_type: 'DERIVED_FROM',
      strength: 0.5,
      confidence: 0.9,
    });
    expect(textOf(result)).toContain('DERIVED_FROM');
  });

  it('associate_memories creates several edges, and each item succeeds or fails independently', async () => {
    const associations = [
      { memory1_id: ids[1], memory2_id: ids[2], type: 'LEADS_TO' },
      { memory1_id: ids[1], memory2_id: UNKNOWN },
    ];
    const result = await associate({ associations });
    expect(structuredOf(result)).toMatchObject({ success: false, created_count: 1, failed_count: 1 });
    expect(textOf(result)).toContain('item 1: One or both memories do not exist');
  });

  it.each([
    ['an unknown type', { memory1_id: UNKNOWN, memory2_id: UNKNOWN.replace('4', '5'), type: 'HATES' }, /type/],
    ['a missing end', { memory1_id: UNKNOWN }, /memory2_id/],
    ['both forms at once', { memory1_id: UNKNOWN, associations: [{}] }, /memory1_id/],
    ['an unknown key', { memory1_id: UNKNOWN, memory2_id: UNKNOWN, weight: 1 }, /weight/],
    ['unknown memory ids', { memory1_id: UNKNOWN, memory2_id: UNKNOWN.replace('4', '5') }, /do not exist/],
  ])('associate_memories refuses %s', async (_, args, expected) => {
    const result = await associate(args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(expected);
  });

  it('recall_memory expands along edges, explains the scores and keeps within max_tokens', async () => {
    const args = { query: 'why did the build break', limit: 1, expand_relations: true, explain: true };
    const result = await recall(args);
    const { results, expansion, confidence } = structuredOf<{
      results: { memory: { memory_id: string }; explanation?: object }[];
      expansion: object;
      confidence: string;
    }>(result);
    expect(results.map(result => result.memory.memory_id)).toEqual([ids[0], ids[1]]);
    expect(results[0]?.explanation).toBeDefined();
    expect(expansion).toMatchObject({ expanded_count: 1 });
    expect(textOf(result)).toContain(`confidence ${confidence}`);
    expect(textOf(result)).toContain(`via DERIVED_FROM of ${ids[0]}`);
    expect(textOf(await recall({ ...args, max_tokens: 10 }))).toContain('1 further result left out');
  });

  it('store_memory corrects a memory in one call, and recall_memory then returns the correction', async () => {
    const wrong = await store({ content: 'The release is on the fifth of May' });
    const result = await connected.call('store_memory', {
      content: 'The release is on the ninth of May',
      supersedes_memory_id: wrong,
      supersede_relation: 'EVOLVED_INTO',
      supersede_reason: 'postponed',
    });
    expect(textOf(result)).toContain(wrong);
    const { memory_id } = structuredOf<{ memory_id: string }>(result);
    const found = structuredOf<{ results: { memory: { memory_id: string } }[] }>(
      await recall({ query: 'release on the fifth of May' }),
    );
    expect(found.results.map(result => result.memory.memory_id)).toEqual([memory_id]);
    const refused = await connected.call('store_memory', { content: 'x', supersedes_memory_id: UNKNOWN });
    expect(refused.isError).toBe(true);
  });

  it.each([
    ['time_query', { query: 'x', time_query: 'when pigs fly' }],
    ['state_mode', { query: 'x', state_mode: 'past' }],
    ['expand_min_strength', { query: 'x', expand_min_strength: 2 }],
    ['time_query', { exhaustive: true, tags: ['a'], time_query: 'today' }],
    ['auto_decompose', { exhaustive: true, tags: ['a'], auto_decompose: true }],
  ])('recall_memory rejects an invalid or unsupported %s and names it', async (name, args) => {
    const result = await recall(args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(name);
  });
});
