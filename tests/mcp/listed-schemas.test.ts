/** The listed schemas have only what every host passes on, and leave out only what is accepted and documented. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemaOf } from '../../src/api/input.js';
import { createDocument } from '../../src/api/openapi.js';
import { createOperations } from '../../src/api/operations.js';
import { createTools } from '../../src/mcp/handlers.js';
import { openTestEngine } from '../support/test-engine.js';
import { testLimits } from '../support/test-limits.js';
import { CONTENT_TIERS, type ConnectedClient, connectClient, textOf } from './connected-client.js';

type Schema = Record<string, unknown> & { items?: Schema; properties?: Record<string, Schema> };

const KEYWORDS = [
  'additionalProperties',
  'description',
  'enum',
  'items',
  'maxLength',
  'properties',
  'required',
  'type',
];
/** Parameters that only the tool has, and that docs/mcp.md documents. */
const TOOL_ONLY = ['format', 'summaries'];

let memory: Awaited<ReturnType<typeof openTestEngine>>;
let connected: ConnectedClient;
beforeAll(async () => {
  memory = await openTestEngine();
  connected = await connectClient(memory.engine);
});
afterAll(async () => {
  await connected.close();
  await memory.close();
});

/** The schema and all schemas within it. */
function within(schema: Schema): Schema[] {
  const inner = [...(schema.items ? [schema.items] : []), ...Object.values(schema.properties ?? {})];
  return [schema, ...inner.flatMap(within)];
}

test('the listed schemas have only plain keywords and a single type', async () => {
  const { tools } = await connected.client.listTools();
  expect(tools).toHaveLength(6);
  for (const { name, inputSchema, outputSchema } of tools) {
    for (const schema of [...within(inputSchema as Schema), ...within(outputSchema as Schema)]) {
      expect(
        Object.keys(schema).filter(keyword => !KEYWORDS.includes(keyword)),
        name,
      ).toEqual([]);
      expect([undefined, 'string'], name).toContain(schema.type === undefined ? undefined : typeof schema.type);
    }
    expect(JSON.stringify(inputSchema), name).not.toMatch(
      /"(?:format|anyOf|oneOf|allOf|\$ref|\$defs|pattern|default)"/,
    );
    for (const schema of within(inputSchema as Schema)) expect(schema, name).toHaveProperty('type');
  }
});

test('the output schemas have no alternatives, of which the list would keep only the first', () => {
  for (const { name, output } of createTools({ limits: testLimits(), content: CONTENT_TIERS })) {
    expect(JSON.stringify(jsonSchemaOf(output, 'output')), name).not.toMatch(/"(?:anyOf|oneOf|allOf)"/);
  }
});

test('a listed input schema forbids other properties only if the tool accepts no others', async () => {
  const unlisted = new Map(
    createTools({ limits: testLimits(), content: CONTENT_TIERS }).map(tool => [tool.name, tool.unlisted ?? []]),
  );
  for (const { name, inputSchema } of (await connected.client.listTools()).tools) {
    expect((inputSchema as Schema).additionalProperties, name).toBe(
      unlisted.get(name)?.length === 0 ? false : undefined,
    );
  }
});

describe('a parameter that is not listed', () => {
  const VALUES: Record<string, unknown> = {
    embedding: [1, 0, 0, 0],
    order_by: 'score',
    language: 'sql',
    context_tags: ['db'],
    context_types: ['Decision'],
    priority_ids: [],
    per_query_limit: 3,
    recency_bias: 'auto',
    format: 'detailed',
    id: 'c0ffee00-0000-4000-8000-000000000001',
    updated_at: '2026-01-01',
    last_accessed: '2026-01-01',
    supersede_reason: 'grown',
    relation_limit: 2,
    expansion_limit: 2,
    confidence: 0.5,
    timestamp: '2026-01-01',
    observations: 3,
  };
  const ESSENTIAL: Record<string, Record<string, unknown>> = {
    store_memory: { content: 'A pier.' },
    recall_memory: { query: 'pier' },
    update_memory: { memory_id: VALUES.id },
    associate_memories: { memory1_id: VALUES.id, memory2_id: 'c0ffee00-0000-4000-8000-000000000002' },
  };
  const UNLISTED = createTools({ limits: testLimits(), content: CONTENT_TIERS }).flatMap(({ name, unlisted = [] }) =>
    unlisted.map(parameter => [name, parameter] as const),
  );
  const document = JSON.stringify(
    createDocument({ version: '0', operations: createOperations(testLimits()), isTokenRequired: false }),
  );
  const page = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');

  test.each(UNLISTED)('of %s is accepted: %s', async (tool, parameter) => {
    await memory.engine.remove(String(VALUES.id)).catch(() => undefined);
    if (tool !== 'store_memory') await connected.call('store_memory', { ...ESSENTIAL.store_memory, id: VALUES.id });
    const value = VALUES[parameter] ?? (parameter.startsWith('expand_min') || parameter === 'min_score' ? 0 : true);
    const isText = ['resolution', 'pattern_type', 'transformation', 'role'].includes(parameter);
    const given = parameter === 'embedding' ? Array.from({ length: 64 }, (_, index) => (index === 0 ? 1 : 0)) : value;
    const result = await connected.call(tool, { ...ESSENTIAL[tool], [parameter]: isText ? 'word' : given });
    expect(textOf(result)).not.toMatch(/does not exist$|must be|cannot be/m);
  });

  test.each(UNLISTED)('of %s is documented: %s', (tool, parameter) => {
    expect(page, tool).toContain(`\`${parameter}\``);
    if (!TOOL_ONLY.includes(parameter)) expect(document, tool).toContain(`"${parameter}"`);
  });
});
