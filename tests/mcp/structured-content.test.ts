/**
 * Structured content has the names of the specification, and matches the listed output schemas, which a client checks
 * with a strict validator of JSON Schema.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNewMemory } from '../../src/api/memory-requests.js';
import { MemoryError } from '../../src/domain/errors.js';
import type { McpHandlers } from '../../src/mcp/handlers.js';
import { createMcpServer } from '../../src/mcp/server.js';
import { openTestEngine } from '../support/test-engine.js';
import {
  CONTENT_TIERS,
  type ConnectedClient,
  connectClient,
  connectTo,
  faultyEngine,
  structuredOf,
} from './connected-client.js';

/** Also refuses schemas with unknown keywords, unknown formats, alternative types or undefined required properties. */
const strict = () => new AjvJsonSchemaValidator(new Ajv({ strict: true, allErrors: true }));

const MEMORY = ['memory_id', 'content', 'tags', 'importance', 'created_at'];
const RESULT = ['memory', 'final_score', 'match_type', 'score_components', 'relations'];
const ANSWER = ['status', 'query', 'results', 'count', 'dedup_removed', 'sort', 'vector_search'];
const ANSWER_TOO = ['tag_mode', 'tag_match', 'query_time_ms'];

interface Recalled {
  results: { memory: { memory_id: string }; relations: object[] }[];
  time_window?: { start?: string; end?: string };
  tags?: string[];
}

const parsed = (file: string): Record<string, unknown>[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
const RECALLS = parsed('varied-recalls.jsonl');

let memory: Awaited<ReturnType<typeof openTestEngine>>;
let connected: ConnectedClient;
beforeAll(async () => {
  memory = await openTestEngine();
  for (const fields of parsed('varied-memories.jsonl')) {
    await memory.engine.store(readNewMemory(fields, memory.engine.limits));
  }
  await memory.engine.idle();
  connected = await connectClient(memory.engine, { jsonSchemaValidator: strict() });
});
afterAll(async () => {
  await connected.close();
  await memory.close();
});

/** Fails if the client refuses the structured content, or if the tool reports an error. */
async function answerTo<Structured = Record<string, unknown>>(name: string, args: object): Promise<Structured> {
  return structuredOf<Structured>(await connected.call(name, { ...args }));
}

const recall = (args: object) => answerTo<Recalled>('recall_memory', args);
const stored = async (args: object) => String((await answerTo('store_memory', args)).memory_id);

describe('the names of recall_memory', () => {
  test.each(RECALLS.filter(args => !args.exhaustive))('for %j', async args => {
    const answer = await recall(args);
    const expanded = args.expand_entities ? ['entity_expansion'] : [];
    const hasWindow = 'start' in args || 'time_query' in args;
    const filters = [...(args.tags ? ['tags'] : []), ...(hasWindow ? ['time_window'] : [])];
    const told = Object.keys(answer).filter(name => name !== 'notes');
    expect(told.sort()).toEqual([...ANSWER, ...ANSWER_TOO, ...expanded, ...filters].sort());
    for (const { memory: shown, ...result } of answer.results) {
      expect(Object.keys(shown).sort()).toEqual(MEMORY.toSorted());
      const names = Object.keys({ memory: shown, ...result }).filter(name => name !== 'expanded_from_entity');
      expect(names.sort()).toEqual(RESULT.toSorted());
      for (const relation of result.relations) {
        expect(Object.keys(relation).sort()).toEqual(['direction', 'memory_id', 'type']);
      }
    }
  });

  test.each<[object, object]>([
    [{ start: '2026-02-01' }, { start: '2026-02-01T00:00:00.000Z' }],
    [{ query: 'tests', end: '2026-02-20' }, { end: '2026-02-20T23:59:59.999Z' }],
    [
      { query: '*', time_query: 'in January 2026' },
      { start: '2026-01-01T00:00:00.000Z', end: '2026-01-31T23:59:59.999Z' },
    ],
    [
      { query: 'zebra', time_query: '2025' },
      { start: '2025-01-01T00:00:00.000Z', end: '2025-12-31T23:59:59.999Z' },
    ],
  ])('time_window for %j', async (args, window) => {
    for (const more of [{}, { explain: true }, { format: 'json' }, { max_tokens: 200 }]) {
      expect((await recall({ ...args, ...more })).time_window).toEqual(window);
    }
  });
});

describe('an MCP client with a strict validator accepts', () => {
  const VIEWS = [{ format: 'items' }, { format: 'detailed' }, { format: 'json' }, { explain: true }];
  test.each([{ limit: 10 }, { max_tokens: 150 }, { max_tokens: 600 }, { state_mode: 'history' }, ...VIEWS])(
    'recalls with %j',
    async more => {
      for (const args of RECALLS) {
        if (!args.exhaustive || 'format' in more || 'limit' in more) await recall({ ...args, ...more });
      }
    },
  );

  test('a memory by its id, and an id that does not exist', async () => {
    const [found] = (await recall({ query: 'Ledgerly' })).results;
    const { results } = await recall({ memory_id: found?.memory.memory_id });
    expect(results).toHaveLength(1);
    expect((await recall({ memory_id: randomUUID() })).results).toEqual([]);
  });

  test('expansion, duplicates, suggestions, successors and summaries', async () => {
    const twice = { content: 'The lighthouse lamp is changed in May.', tags: ['lamp'] };
    const first = await stored(twice);
    await stored({ ...twice, id: randomUUID() });
    await stored({ content: 'The lighthouse lamp is changed in June.', tags: ['lamp'] });
    await stored({ content: 'The lamp is an LED.', tags: ['lamp'], supersedes_memory_id: first });
    await memory.engine.idle();
    for (const args of [
      { query: 'lighthouse lamp', expand_relations: true, expand_entities: true },
      { query: 'lighthouse lamp', state_mode: 'history', summaries: true },
      { query: 'lighthouse lamp', tags: ['nowhere'], scope_fallback: true, state_debug: true },
      { tags: ['lamp'], exhaustive: true, limit: 1 },
    ]) {
      await recall(args);
    }
  });

  test('stored memories', async () => {
    await stored({ content: 'Short.' });
    await stored({ content: 'x'.repeat(600), tags: ['long'] });
    await stored({ content: 'Trailhead costs 49 euros a year, with a 14 day trial that needs no credit card.' });
    await answerTo('store_memory', { memories: [{ content: 'One.' }, { content: 'y'.repeat(700) }] });
  });

  test('changed, related and deleted memories', async () => {
    const [memory1_id, memory2_id] = [await stored({ content: 'A pier.' }), await stored({ content: 'A quay.' })];
    await answerTo('update_memory', { memory_id: memory1_id, content: 'A long pier.', t_invalid: null });
    await answerTo('update_memory', { memory_id: memory1_id, content: 'x'.repeat(600) });
    await answerTo('associate_memories', { memory1_id, memory2_id, type: 'PREFERS_OVER', context: 'boats' });
    const associations = [
      { memory1_id, memory2_id, type: 'LEADS_TO', strength: 0.7 },
      { memory1_id, memory2_id: randomUUID() },
    ];
    await answerTo('associate_memories', { associations });
    await answerTo('delete_memory', { memory_id: memory1_id });
    await answerTo('delete_memory', { memory_id: memory1_id });
    await answerTo('delete_memory', { tags: ['testing'] });
    await answerTo('delete_memory', { tags: ['nowhere'], confirm: true });
  });

  test('the health of a memory that is well, and of one that cannot be reached', async () => {
    expect(await answerTo('check_database_health', {})).toMatchObject({ status: 'healthy' });
    const health = () => Promise.reject(new MemoryError('unavailable', 'Gone'));
    const broken = await connectClient(faultyEngine({ health }), { jsonSchemaValidator: strict() });
    expect(structuredOf(await broken.call('check_database_health', {}))).toMatchObject({ status: 'unreachable' });
    await broken.close();
  });
});

describe('the client refuses structured content', () => {
  const connectWith = async (outputSchema: object, structuredContent: object) => {
    const { tools } = await connected.client.listTools();
    const tool = { ...tools[0], name: 'recall_memory', outputSchema } as ListedTool;
    const handlers = {
      listTools: () => ({ tools: [tool] }),
      callTool: async () => ({ content: [], structuredContent }),
    };
    const server = createMcpServer({
      content: CONTENT_TIERS,
      version: '0',
      handlers: async () => handlers as unknown as McpHandlers,
    });
    return connectTo(server, { jsonSchemaValidator: strict() });
  };

  test('whose listed schema has another type, another name or another item', async () => {
    const { tools } = await connected.client.listTools();
    const { outputSchema = {} } = tools.find(({ name }) => name === 'recall_memory') ?? {};
    const { properties, required = [] } = outputSchema as { properties: object; required?: string[] };
    const answer = await recall({ query: 'Ledgerly' });
    const wrong = [
      { ...outputSchema, properties: { ...properties, count: { type: 'string' } } },
      { ...outputSchema, properties: { ...properties, found: { type: 'integer' } }, required: [...required, 'found'] },
      { ...outputSchema, properties: { ...properties, results: { type: 'array', items: { type: 'string' } } } },
    ];
    for (const schema of wrong) {
      const client = await connectWith(schema, answer);
      await expect(client.call('recall_memory', {})).rejects.toThrow(/does not match the tool's output schema/);
      await client.close();
    }
    const client = await connectWith(outputSchema, answer);
    await expect(client.call('recall_memory', {})).resolves.toBeDefined();
    await client.close();
  });
});
