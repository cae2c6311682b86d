/** Each parameter of a recall is declared once, for the query string, the tool and the OpenAPI document. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recallParameters } from '../../src/api/recall-request.js';
import { recallMemory } from '../../src/mcp/tools/recall-memory.js';
import { openTestApp } from '../http/test-app.js';
import { connectClient } from '../mcp/connected-client.js';
import { testLimits } from '../support/test-limits.js';

const SOURCES = new URL('../../src/', import.meta.url).pathname;
const NAMES = Object.keys(recallParameters(testLimits()).shape);
/** Parameters that only the tool has. */
const OF_THE_TOOL = ['memory_id', 'exhaustive', 'offset', 'format', 'summaries'];

const source = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts'))
  .map(path => readFileSync(join(SOURCES, path), 'utf8'))
  .join('\n');

/** Memories have fields of the same name, or other requests have parameters of the same name. */
const SHARED = ['tags', 'limit', 'embedding'];

test.each(NAMES.filter(name => !SHARED.includes(name)))('the parameter %s is declared once', name => {
  const declarations = source.match(new RegExp(`\\b${name}: (?:alsoNamed\\((?:\\s|//.*)*)?optional\\(`, 'g'));
  expect(declarations).toHaveLength(1);
});

test('the tool accepts every parameter of the OpenAPI document, and describes those that it lists alike', async () => {
  const { engine, call, close } = await openTestApp();
  const client = await connectClient(engine);
  const { tools } = await client.client.listTools();
  const listed = tools.find(({ name }) => name === 'recall_memory')?.inputSchema.properties as Record<
    string,
    { description: string }
  >;
  const { body } = await call('GET /openapi.json');
  const described: { name: string; description: string }[] = body.paths['/recall'].get.parameters;
  await client.close();
  await close();
  expect(described.map(({ name }) => name).sort()).toEqual([...NAMES, 'memory_id'].sort());
  const { unlisted = [] } = recallMemory(testLimits());
  expect([...Object.keys(listed), ...unlisted].sort()).toEqual([...NAMES, ...OF_THE_TOOL].sort());
  // The descriptions of `limit` differ, because a listing by tag has another default and another maximum. Those of
  // `explain` differ, because REST always has all fields.
  for (const { name, description } of described.filter(each => each.name in listed && NAMES.includes(each.name))) {
    if (name !== 'limit' && name !== 'explain') expect(listed[name]?.description).toBe(description);
  }
});
