/**
 * A model that sends every list as JSON text and something empty in every optional field gets the same results as one
 * that calls the tools well (docs/decisions.md, "Empty values and JSON text"). The calls are derived from the schemas of
 * the tools, so that a new field is tested too.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newMemory } from '../../src/api/memory-requests.js';
import { createTools } from '../../src/mcp/handlers.js';
import { allFields, type Fields, IDS, type Manner, OTHERS, requestOf, WELL_BEHAVED } from '../api/every-field.js';
import { openTestEngine } from '../support/test-engine.js';
import { testLimits } from '../support/test-limits.js';
import { CONTENT_TIERS, connectClient, textOf } from './connected-client.js';

const LIMITS = testLimits({ vectorSize: 64 });
const TOOLS = createTools({ limits: LIMITS, content: CONTENT_TIERS });

interface Call {
  tool: string;
  fields: Fields;
}

function schemaOf(name: string) {
  const found = TOOLS.find(each => each.name === name);
  if (!found) throw new Error(`There is no tool ${name}`);
  return found.input;
}

const all = (tool: string, except: readonly string[] = [], other: Fields = {}): Call => ({
  tool,
  fields: allFields(schemaOf(tool), except, other),
});

const ITEM = allFields(newMemory(LIMITS), ['id', 'embedding', 'updated_at', 'last_accessed', 't_valid', 't_invalid']);
const EDGE = { memory1_id: IDS[4], memory2_id: IDS[5] };
const PAIRS = [
  { ...EDGE, observations: ['a, b', 'c'], type: 'REINFORCES' },
  { ...EDGE, strength: 2 },
];
const RANKED = all('recall_memory', ['memory_id', 'exhaustive', 'offset', 'time_query', 'sort']).fields;

/** Calls with every field. Some fields exclude each other, so some tools are called several times. */
const FULL: readonly Call[] = [
  all('store_memory', ['memories']),
  { tool: 'store_memory', fields: { memories: [ITEM, { content: 'Two.' }], allow_credentials: true } },
  all('update_memory'),
  all('associate_memories', ['associations'], { type: 'REINFORCES', ...EDGE }),
  all('associate_memories', ['associations'], { type: 'PREFERS_OVER', ...EDGE }),
  { tool: 'associate_memories', fields: { associations: PAIRS } },
  { tool: 'recall_memory', fields: RANKED },
  { tool: 'recall_memory', fields: { ...RANKED, time_query: 'last 5 years', tags: ['tea, green'], sort: 'score' } },
  { tool: 'recall_memory', fields: { exhaustive: true, tags: ['kitchen', 'tea, green'], limit: 3, offset: 1 } },
  { tool: 'recall_memory', fields: { memory_id: IDS[0], format: 'json' } },
  all('check_database_health'),
  { tool: 'delete_memory', fields: { memory_id: IDS[1] } },
  { tool: 'delete_memory', fields: { tags: ['kitchen', 'tea, green'] } },
  { tool: 'delete_memory', fields: { tags: ['kitchen', 'tea, green'], confirm: true } },
];

/** Calls with as few fields as possible. */
const FEW: readonly Call[] = [
  { tool: 'store_memory', fields: { content: 'Ann chose tea.' } },
  { tool: 'store_memory', fields: { content: 'Coffee is over.', supersedes_memory_id: IDS[3] } },
  { tool: 'store_memory', fields: { memories: [{ content: 'One.' }, { content: 'Two.' }] } },
  { tool: 'update_memory', fields: { memory_id: IDS[0], importance: 0.9 } },
  { tool: 'associate_memories', fields: { memory1_id: IDS[0], memory2_id: IDS[1] } },
  { tool: 'associate_memories', fields: { associations: [EDGE] } },
  { tool: 'recall_memory', fields: {} },
  { tool: 'recall_memory', fields: { query: 'tea' } },
  { tool: 'recall_memory', fields: { exhaustive: true, tags: ['kitchen'] } },
  { tool: 'recall_memory', fields: { memory_id: IDS[3] } },
  { tool: 'check_database_health', fields: {} },
  { tool: 'delete_memory', fields: { memory_id: IDS[1] } },
  { tool: 'delete_memory', fields: { tags: ['kitchen'] } },
];

const isMeaningfulIn = (tool: string) => (field: string, empty: unknown) =>
  tool === 'update_memory' && ((field === 'tags' && Array.isArray(empty)) || (/^t_/.test(field) && empty === null));

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const opened: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of opened) await close();
});

/** Makes all calls on a new memory, and returns the results without what differs between runs. */
async function resultsOf(calls: readonly Call[], manner: Manner): Promise<string[]> {
  const { engine, close } = await openTestEngine();
  const client = await connectClient(engine);
  opened.push(client.close, close);
  for (const id of IDS)
    await engine.store({ id, content: `Ann chose tea ${id}`, tags: ['kitchen', 'tea, green'], metadata: {} });
  await engine.idle();
  const results: string[] = [];
  for (const { tool, fields } of calls) {
    const args = requestOf(schemaOf(tool), { given: fields, manner, isMeaningful: isMeaningfulIn(tool) });
    const { isError = false, content, structuredContent } = await client.call(tool, args);
    await engine.idle();
    const text = JSON.stringify({ tool, isError, content, structuredContent });
    results.push(
      text
        .replaceAll(UUID, id => (IDS.includes(id) ? id : 'new'))
        .replaceAll(/(?<=_ms|_seconds|_bytes)\\*":[\d.]+/g, ''),
    );
  }
  return results;
}

describe.each([
  ['every field', FULL],
  ['few fields', FEW],
] as const)('calls with %s', (_, calls) => {
  let expected: string[];
  beforeAll(async () => {
    expected = await resultsOf(calls, WELL_BEHAVED);
  });

  test('succeed for a well-behaved client', () => {
    expect(expected.filter(result => result.includes('"isError":true'))).toEqual([]);
  });

  test.each(Object.entries(OTHERS))('have the same results with %s', async (_name, manner) => {
    const results = await resultsOf(calls, manner);
    for (const [index, result] of results.entries()) expect(result).toEqual(expected[index]);
  });
});

test('the calls include every tool and every field of its schema', () => {
  for (const { name, input } of TOOLS) {
    const fields = new Set(FULL.filter(({ tool }) => tool === name).flatMap(call => Object.keys(call.fields)));
    expect(
      Object.keys(input.shape).filter(field => !fields.has(field)),
      name,
    ).toEqual([]);
  }
});

test('a list beside which nothing is said is refused when it is required', async () => {
  const { engine, close } = await openTestEngine();
  const client = await connectClient(engine);
  opened.push(client.close, close);
  const calls: [string, Fields][] = [
    ['store_memory', { memories: '[]', content: '' }],
    ['associate_memories', { associations: [] }],
    ['delete_memory', { tags: '[]', memory_id: null }],
    ['recall_memory', { exhaustive: 'true', tags: ' ' }],
    ['update_memory', { memory_id: IDS[0], content: '', metadata: {} }],
  ];
  for (const [tool, args] of calls) {
    const result = await client.call(tool, args);
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/required|change/)]);
  }
});
