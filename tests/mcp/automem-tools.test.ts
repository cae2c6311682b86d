/**
 * Calls AutoMem's six tools in every form that AutoMem's MCP client uses, and checks the fields of the answers
 * that this client reads.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestEngine } from '../support/test-engine.js';
import { type ConnectedClient, connectClient, structuredOf, textOf } from './connected-client.js';

let test: Awaited<ReturnType<typeof openTestEngine>>;
let connected: ConnectedClient;
beforeAll(async () => {
  test = await openTestEngine();
  connected = await connectClient(test.engine);
});
afterAll(async () => {
  await connected.close();
  await test.close();
});

const ISO = '2026-02-01T00:00:00.000Z';
const UUID = /^[0-9a-f-]{36}$/;

async function succeed(tool: string, args: Record<string, unknown>) {
  const result = await connected.call(tool, args);
  if (result.isError) throw new Error(textOf(result));
  return { said: structuredOf(result), text: textOf(result) };
}

async function refusal(tool: string, args: Record<string, unknown>): Promise<string> {
  const result = await connected.call(tool, args);
  expect(result.isError).toBe(true);
  return textOf(result);
}

let memory1_id = '';
let memory2_id = '';
beforeEach(async () => {
  await test.engine.removeByTag(['automem']);
  const ids: unknown[] = [];
  for (const content of ['Billing runs on MySQL.', 'Ann moved to Lisbon.']) {
    ids.push((await succeed('store_memory', { content, tags: ['automem'] })).said.memory_id);
  }
  [memory1_id, memory2_id] = ids as [string, string];
});

it("tools/list has the six tools in AutoMem's order", async () => {
  const { tools } = await connected.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'store_memory',
    'recall_memory',
    'associate_memories',
    'update_memory',
    'delete_memory',
    'check_database_health',
  ]);
  const loaded = tools.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true).map(({ name }) => name);
  expect(loaded).toEqual(['store_memory', 'recall_memory', 'associate_memories']);
});

describe('store_memory', () => {
  it('stores one memory with every field', async () => {
    const { said, text } = await succeed('store_memory', {
      content: 'Ann likes short answers.',
      tags: ['automem'],
      importance: 0.8,
      embedding: Array.from({ length: 64 }, (_, index) => (index === 0 ? 1 : 0)),
      metadata: { source: 'chat' },
      timestamp: ISO,
      type: 'Preference',
      confidence: 0.9,
      id: randomUUID(),
      t_valid: ISO,
      t_invalid: '2030-01-01T00:00:00Z',
      updated_at: ISO,
      last_accessed: ISO,
    });
    expect(said).toMatchObject({ message: expect.any(String), memory_id: expect.stringMatching(UUID) });
    expect(text).toContain(`\n\nMemory ID: ${said.memory_id}`);
  });

  it('stores several memories with every field of an item', async () => {
    const item = {
      content: 'One of several.',
      tags: ['automem'],
      importance: 0.8,
      timestamp: ISO,
      type: 'Preference',
      confidence: 0.9,
      metadata: { source: 'chat' },
    };
    const { said, text } = await succeed('store_memory', {
      memories: [item, { content: 'Another.', tags: ['automem'] }],
    });
    expect(said).toMatchObject({
      message: expect.any(String),
      memory_ids: [expect.stringMatching(UUID), expect.stringMatching(UUID)],
      stored: 2,
      qdrant: expect.any(String),
      enrichment: 'queued',
      query_time_ms: expect.any(Number),
    });
    expect(text).toMatch(/^Stored 2 memories\.\n\nIDs: /);
  });

  it.each([['id'], ['embedding'], ['t_valid'], ['t_invalid']])('rejects an item with %s', async field => {
    expect(await refusal('store_memory', { memories: [{ content: 'x', [field]: ISO }] })).toContain(`'${field}'`);
  });

  it('rejects fields of a single memory together with several memories', async () => {
    expect(await refusal('store_memory', { memories: [{ content: 'x' }], tags: ['a'] })).toContain('tags');
  });

  it.each([
    ['INVALIDATED_BY, which is the default', {}, 'INVALIDATED_BY'],
    ['EVOLVED_INTO with a reason', { supersede_relation: 'EVOLVED_INTO', supersede_reason: 'grown' }, 'EVOLVED_INTO'],
  ])('supersedes an older memory by %s in one write, where AutoMem needs four', async (_, fields, type) => {
    const args = { content: 'Billing runs on PostgreSQL.', supersedes_memory_id: memory1_id, ...fields };
    const { said, text } = await succeed('store_memory', args);
    expect(said).toMatchObject({ superseded_memory_id: memory1_id, association_created: true });
    expect(text).toContain(memory1_id);
    const { memory, relations } = await test.engine.get(memory1_id);
    expect(relations).toMatchObject([{ type, strength: 0.9, memory: { id: said.memory_id } }]);
    expect(memory.metadata).toMatchObject({
      deprecated: true,
      superseded_by: said.memory_id,
      supersede_relation: type,
    });
  });

  it('warns about content over 500 characters', async () => {
    const { said, text } = await succeed('store_memory', { content: 'x'.repeat(501), tags: ['automem'] });
    expect(said).toMatchObject({ size_warning: expect.any(String), content_length: 501 });
    expect(text).toContain('Warning: ');
  });

  it('rejects content over 2,000 characters, with the error code in _meta and without structured content', async () => {
    const result = await connected.call('store_memory', { content: 'x'.repeat(2_001) });
    expect(result).toMatchObject({ isError: true, _meta: { 'engraph/error': { code: 'too_large' } } });
    expect(result.structuredContent).toBeUndefined();
  });
});

/** The fields of one result in the specification. */
const ITEM = {
  memory: {
    memory_id: expect.stringMatching(UUID),
    content: expect.any(String),
    tags: expect.any(Array),
    importance: expect.any(Number),
    created_at: expect.any(String),
  },
  final_score: expect.any(Number),
  match_type: expect.any(String),
  score_components: expect.any(Object),
  relations: expect.any(Array),
};

describe('recall_memory', () => {
  it('with an id returns one result with match type direct', async () => {
    const { said } = await succeed('recall_memory', { memory_id: memory1_id });
    expect(said).toMatchObject({
      count: 1,
      results: [{ memory: { memory_id: memory1_id }, final_score: 1, match_type: 'direct' }],
    });
    expect((await succeed('recall_memory', { memory_id: randomUUID() })).said).toMatchObject({ count: 0, results: [] });
  });

  it('pages through all memories with the tags, and scores them by importance (AutoMem gives 1)', async () => {
    const { said } = await succeed('recall_memory', { exhaustive: true, tags: ['automem'], limit: 1, offset: 1 });
    expect(said).toMatchObject({ count: 1, limit: 1, offset: 1, has_more: false });
    expect(said.results).toMatchObject([{ score: 0.5, final_score: 0.5, match_type: 'tag' }]);
    expect(await refusal('recall_memory', { exhaustive: true })).toContain('tags');
    expect(await refusal('recall_memory', { exhaustive: true, tags: ['a'], query: 'x' })).toContain('query');
    expect(await refusal('recall_memory', { exhaustive: true, tags: ['a'], tag_match: 'prefix' })).toContain(
      'tag_match',
    );
  });

  it.each<[string, Record<string, unknown>]>([
    ['a question', { query: 'what does billing run on' }],
    ['several questions', { queries: ['billing', 'Ann'], per_query_limit: 3, limit: 5 }],
    ['a vector', { embedding: Array.from({ length: 64 }, (_, index) => (index === 0 ? 1 : 0)) }],
    ['tags and exclusions', { tags: ['automem'], tag_mode: 'any', tag_match: 'exact', exclude_tags: ['none'] }],
    ['a time in words', { time_query: 'last 24 hours' }],
    ['a window', { query: 'billing', start: '2020-01-01T00:00:00Z', end: '2040-01-01T00:00:00Z', sort: 'time_desc' }],
    [
      'expansion',
      {
        query: 'billing',
        expand_entities: true,
        expand_relations: true,
        auto_decompose: true,
        expansion_limit: 5,
        relation_limit: 5,
        expand_min_importance: 0,
        expand_min_strength: 0,
        expand_respect_tags: true,
      },
    ],
    [
      'hints',
      {
        query: 'billing',
        context: 'databases',
        language: 'sql',
        active_path: 'src/a.sql',
        context_tags: ['db'],
        context_types: ['Decision'],
        priority_ids: [randomUUID()],
      },
    ],
    ['states', { query: 'billing', state_mode: 'history', current_only: true }],
    [
      'thresholds',
      { query: 'billing', min_score: 0, adaptive_floor: false, recency_bias: 'auto', scope_fallback: true },
    ],
  ])('with %s returns the fields of the specification', async (_, args) => {
    const { said, text } = await succeed('recall_memory', args);
    const results = said.results as object[];
    expect(said.count).toBe(results.length);
    for (const result of results) expect(result).toMatchObject(ITEM);
    expect(text).toMatch(/^(?:Found \d+ memor|No memories found matching your query)/);
  });

  it.each(['text', 'items', 'detailed', 'json'])('accepts the format %s', async format => {
    const { said } = await succeed('recall_memory', { query: 'billing', tags: ['automem'], format });
    expect((said.results as object[])[0]).toMatchObject({ memory: { memory_id: memory1_id } });
  });

  it('with the format json returns the fields that the default format omits', async () => {
    const { said } = await succeed('recall_memory', { query: 'billing', limit: 1, format: 'json' });
    expect(said).toMatchObject({
      vector_search: expect.any(Object),
      query_time_ms: expect.any(Number),
      tag_mode: 'any',
    });
    const [result] = said.results as object[];
    expect(result).toMatchObject({
      memory: {
        updated_at: expect.any(String),
        last_accessed: expect.any(String),
        metadata: {},
        confidence: expect.any(Number),
      },
      relations: [],
      match_score: expect.any(Number),
      score_components: expect.any(Object),
      source: expect.any(String),
    });
  });

  it('rejects an unknown parameter', async () => {
    expect(await refusal('recall_memory', { query: 'x', depth: 3 })).toContain("'depth'");
  });
});

describe('associate_memories', () => {
  it.each<[string, Record<string, unknown>]>([
    ['RELATES_TO', {}],
    ['LEADS_TO', {}],
    ['OCCURRED_BEFORE', {}],
    ['PREFERS_OVER', { context: 'work', reason: 'faster' }],
    ['EXEMPLIFIES', { pattern_type: 'naming', confidence: 0.8 }],
    ['CONTRADICTS', { resolution: 'asked', reason: 'dates differ' }],
    ['REINFORCES', { observations: 3 }],
    ['REINFORCES', { observations: ['on Monday', 'on Friday'] }],
    ['INVALIDATED_BY', { reason: 'moved', timestamp: ISO }],
    ['EVOLVED_INTO', { confidence: 0.8, reason: 'grown' }],
    ['DERIVED_FROM', { transformation: 'shortened', confidence: 0.8 }],
    ['PART_OF', { role: 'chapter', context: 'book' }],
  ])('creates the edge %s with %j', async (type, properties) => {
    const { said, text } = await succeed('associate_memories', {
      memory1_id,
      memory2_id,
      type,
      strength: 0.7,
      ...properties,
    });
    expect(said).toMatchObject({ success: true, message: expect.any(String), ...properties });
    expect(text).toContain(type);
    const { relations } = await test.engine.get(memory1_id);
    expect(relations).toMatchObject([{ type, strength: 0.7, ...properties }]);
  });

  it('creates edges for several pairs, and reports the pair that failed', async () => {
    const associations = [
      { memory1_id, memory2_id, type: 'LEADS_TO', strength: 0.7 },
      { memory1_id, memory2_id: randomUUID(), type: 'PART_OF', strength: 0.7 },
    ];
    expect((await succeed('associate_memories', { associations })).said).toMatchObject({
      success: false,
      message: expect.any(String),
      created_count: 1,
      failed_count: 1,
      succeeded: [{ index: 0 }],
      failed: [{ index: 1, reason: expect.any(String) }],
      summary: expect.any(String),
    });
    expect(await refusal('associate_memories', { associations, type: 'LEADS_TO' })).toContain('type');
  });
});

describe('update_memory', () => {
  it('changes every field', async () => {
    const fields = {
      content: 'Billing runs on SQLite.',
      tags: ['automem'],
      importance: 0.9,
      metadata: { source: 'chat' },
      timestamp: ISO,
      updated_at: ISO,
      last_accessed: ISO,
      type: 'Decision',
      confidence: 0.8,
    };
    const { said, text } = await succeed('update_memory', { memory_id: memory1_id, ...fields });
    expect(said).toMatchObject({ memory_id: memory1_id, message: expect.any(String) });
    expect(text).toContain(memory1_id);
    const tags = ['automem', 'entity:tools:sqlite'];
    expect((await test.engine.get(memory1_id)).memory).toMatchObject({ ...fields, tags });
  });

  it('merges metadata, where AutoMem replaces them', async () => {
    await succeed('update_memory', { memory_id: memory1_id, metadata: { a: 1 } });
    await succeed('update_memory', { memory_id: memory1_id, metadata: { b: 2 } });
    expect((await test.engine.get(memory1_id)).memory.metadata).toMatchObject({ a: 1, b: 2 });
  });
});

describe('delete_memory', () => {
  it('deletes by id', async () => {
    const { said, text } = await succeed('delete_memory', { memory_id: memory1_id });
    expect(said).toMatchObject({ memory_id: memory1_id, message: expect.any(String) });
    expect(text).toContain(memory1_id);
  });

  it('succeeds for a missing memory, where AutoMem fails', async () => {
    expect((await succeed('delete_memory', { memory_id: randomUUID() })).said).toMatchObject({ deleted: false });
  });

  it('with tags deletes only if the parameter confirm, which AutoMem does not have, is true', async () => {
    expect((await succeed('delete_memory', { tags: ['automem'] })).said).toMatchObject({ deleted: false, count: 2 });
    const { said } = await succeed('delete_memory', { tags: ['automem'], confirm: true });
    expect(said).toMatchObject({ message: expect.any(String), deleted_count: 2, tags: ['automem'] });
  });

  it('rejects an id together with tags', async () => {
    expect(await refusal('delete_memory', { memory_id: memory1_id, tags: ['automem'] })).toContain('tags');
  });
});

describe('check_database_health', () => {
  it('reports the counts and stores of Engraph instead of the name and statistics that AutoMem reports', async () => {
    const { said, text } = await succeed('check_database_health', {});
    expect(said).toMatchObject({
      status: 'healthy',
      memory_count: 2,
      vector_count: expect.any(Number),
      falkordb: 'connected',
      qdrant: 'connected',
      enrichment: expect.any(Object),
      backend: { graph: expect.any(String), vectors: expect.any(String) },
    });
    expect(text).toMatch(/^Memory: healthy\n/);
  });
});
