/** Nothing is stored other than it was written: numbers that JavaScript changes and halves of characters are refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpEndpoint } from '../../src/http/mcp/endpoint.js';
import { testServerFactory } from '../mcp/connected-client.js';
import { openTestEngine } from '../support/test-engine.js';
import { MCP_SETTINGS } from './mcp/mcp-app.js';
import { createTestApp, recordingLog, send } from './test-app.js';

const { engine, clock, close } = await openTestEngine();
const { log, entries } = recordingLog();
const createServer = testServerFactory(engine, log);
const mcp = new McpEndpoint({ createServer, settings: MCP_SETTINGS, clock });
const app = createTestApp({ engine, log, mcp, settings: { adminToken: 'admin' } });
afterAll(async () => {
  await mcp.close();
  await close();
});

const ID = '00000000-0000-4000-8000-000000000001';
const EDGE = `"memory1_id":"${ID}","memory2_id":"00000000-0000-4000-8000-000000000002","type":"PREFERS_OVER"`;
const JSON_TYPE = { 'content-type': 'application/json', 'x-admin-token': 'admin' };
beforeAll(async () => {
  for (const number of [1, 2]) {
    await send(app, 'POST /memory', { json: { id: ID.replace(/.$/, String(number)), content: `note ${number}` } });
  }
});

interface Outcome {
  isRefused: boolean;
  message: string;
  field: string | undefined;
}

async function rest(route: string, body: string): Promise<Outcome> {
  const answer = await send(app, route, { body, headers: JSON_TYPE });
  return { isRefused: answer.status >= 400, message: answer.body.message ?? '', field: answer.body.field };
}

async function tool(name: string, args: string): Promise<Outcome> {
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
  const headers = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };
  const response = await app.request('/mcp', { method: 'POST', body, headers });
  const { result } = JSON.parse(/^data: (.*)$/m.exec(await response.text())?.[1] ?? '{}');
  return {
    isRefused: result.isError === true,
    message: result.content[0].text,
    field: result._meta?.['engraph/error']?.field,
  };
}

const record = (metadata: string, content = '"imported"') =>
  `{"records":[{"memory":{"id":"${ID.replace('0001', '00ff')}","content":${content},"type":"Context","confidence":0.9,` +
  `"tags":[],"importance":0.5,"metadata":${metadata},"timestamp":"2026-01-31T12:00:00.000Z",` +
  '"updated_at":"2026-01-31T12:00:00.000Z","last_accessed":"2026-01-31T12:00:00.000Z","enriched":false,' +
  '"archived":false},"work":[],"relations":[],"links":[]}]}';
const inText = (json: string) => JSON.stringify(json);

/** All ways in which metadata arrive. */
const WAYS: Readonly<Record<string, (metadata: string) => Promise<Outcome>>> = {
  'POST /memory': metadata => rest('POST /memory', `{"content":"x","metadata":${metadata}}`),
  'POST /memory as JSON text': metadata => rest('POST /memory', `{"content":"x","metadata":${inText(metadata)}}`),
  'POST /memory/batch': metadata =>
    rest('POST /memory/batch', `[{"content":"x"},{"content":"y","metadata":${metadata}}]`),
  'POST /memory/batch with memories as JSON text': metadata =>
    rest('POST /memory/batch', `{"memories":${inText(`[{"content":"x","metadata":${metadata}}]`)}}`),
  'a large POST /memory/batch': metadata =>
    rest(
      'POST /memory/batch',
      `{"memories":[${`{"content":"${'x'.repeat(10_000)}"},`.repeat(30)}{"content":"y","metadata":${metadata}}]}`,
    ),
  'PATCH /memory/:id': metadata => rest(`PATCH /memory/${ID}`, `{"metadata":${metadata}}`),
  'POST /admin/import': metadata => rest('POST /admin/import', record(metadata)),
  store_memory: metadata => tool('store_memory', `{"content":"x","metadata":${metadata}}`),
  'store_memory as JSON text': metadata => tool('store_memory', `{"content":"x","metadata":${inText(metadata)}}`),
  'store_memory with memories': metadata =>
    tool('store_memory', `{"memories":[{"content":"x"},{"content":"y","metadata":${metadata}}]}`),
  'store_memory with memories as JSON text': metadata =>
    tool('store_memory', `{"memories":${inText(`[{"content":"y","metadata":${metadata}}]`)}}`),
  update_memory: metadata => tool('update_memory', `{"memory_id":"${ID}","metadata":${metadata}}`),
};

describe.each(Object.entries(WAYS))('metadata of %s', (_, store) => {
  it.each([
    ['1234567890123456789', '{"id":1234567890123456789}', 'id'],
    ['-9007199254740993', '{"a":[0,{"b":-9007199254740993}]}', 'a.1.b'],
    ['1e400', '{"x":1e400}', 'x'],
    ['0.12345678901234567891', '{"ratio":0.12345678901234567891}', 'ratio'],
    ['1e-400', '{"__proto__":1e-400}', '__proto__'],
    ['12345678901234567890.5', '{"\\"":[12345678901234567890.5]}', '".0'],
  ])('must not contain the number %s', async (number, metadata, path) => {
    const { isRefused, message, field } = await store(metadata);
    expect([isRefused, message]).toEqual([true, expect.stringContaining(number)]);
    expect(message).toContain('quote it as text');
    expect(message).toContain(`(${path})`);
    if (field !== 'records') expect(field ?? 'metadata').toBe('metadata');
  });

  it.each([
    '{"a":[1.0,1e2,-0,0.1,100E-2,9007199254740991,-9007199254740991,0.30000000000000004,1e20,6.02214076e23]}',
    '{"id":"1234567890123456789","text":"1e400","1e400":"0.12345678901234567891"}',
    '{"a":"\\u0000","b\\u0000":"x"}',
  ])('may be %s', async metadata => expect(await store(metadata)).toMatchObject({ isRefused: false }));
});

it('numbers outside of metadata may have any number of digits', async () => {
  const numbers = Array.from({ length: 64 }, (_, index) => `0.1234567890123456789${index}`);
  const body = `{"content":"x","importance":0.50000000000000000001,"embedding":[${numbers}]}`;
  expect(await rest('POST /memory', body)).toMatchObject({ isRefused: false });
});

it('metadata are stored as they were written', async () => {
  const metadata = '{"a":[1.0,1e20,0.30000000000000004],"s":"x\\u0000y","\\u0000":{"":null}}';
  const answer = await send(app, 'POST /memory', {
    body: `{"content":"kept","metadata":${metadata}}`,
    headers: JSON_TYPE,
  });
  const { body } = await send(app, `GET /memory/${answer.body.memory_id}`);
  expect(body.metadata).toMatchObject(JSON.parse(metadata));
});

const HALF = '\\ud83d';
/** All texts that are stored or searched for. The texts of hooks are repaired instead. */
const TEXTS: Readonly<Record<string, (text: string) => Promise<Outcome>>> = {
  content: text => rest('POST /memory', `{"content":${text}}`),
  'content of a change': text => rest(`PATCH /memory/${ID}`, `{"content":${text}}`),
  'content in a batch': text => rest('POST /memory/batch', `[{"content":${text}}]`),
  'content of an import': text => rest('POST /admin/import', record('{}', text)),
  tags: text => rest('POST /memory', `{"content":"x","tags":[${text}]}`),
  'tags as text': text => rest('POST /memory', `{"content":"x","tags":${text}}`),
  'a value in metadata': text => rest('POST /memory', `{"content":"x","metadata":{"a":[${text}]}}`),
  'a key in metadata': text => rest('POST /memory', `{"content":"x","metadata":{"a":{${text}:1}}}`),
  'metadata of an import': text => rest('POST /admin/import', record(`{"a":${text}}`)),
  supersede_reason: text =>
    rest('POST /memory', `{"content":"x","supersedes_memory_id":"${ID}","supersede_reason":${text}}`),
  'reason of an edge': text => rest('POST /associate', `{${EDGE},"reason":${text}}`),
  observations: text =>
    rest('POST /associate', `{${EDGE.replace('PREFERS_OVER', 'REINFORCES')},"observations":[${text}]}`),
  timestamp: text => rest('POST /memory', `{"content":"x","timestamp":${text}}`),
  session_id: text => rest('POST /hooks/session-start', `{"session_id":${text}}`),
  'content of store_memory': text => tool('store_memory', `{"content":${text}}`),
  'content in memories': text => tool('store_memory', `{"memories":[{"content":${text}}]}`),
  'tags of update_memory': text => tool('update_memory', `{"memory_id":"${ID}","tags":[${text}]}`),
  'query of recall_memory': text => tool('recall_memory', `{"query":${text}}`),
  'queries of recall_memory': text => tool('recall_memory', `{"queries":[${text}]}`),
  'tags of recall_memory': text => tool('recall_memory', `{"tags":[${text}]}`),
  'tags of delete_memory': text => tool('delete_memory', `{"tags":[${text}]}`),
};

it.each(Object.entries(TEXTS))('half of a character is refused in %s', async (name, store) => {
  for (const text of [`"caf\u00e9 ${HALF} x"`, `"caf\u00e9 ${HALF}"`, '"caf\u00e9 \\udc00"']) {
    const { isRefused, message } = await store(text);
    expect([isRefused, message]).toEqual([true, expect.stringMatching(name === 'timestamp' ? /ISO 8601/ : /U\+D/)]);
    if (name !== 'timestamp') expect(message).toContain('after 5 characters');
  }
});

it.each(['prompt', 'last_assistant_message'])('half of a character in %s of a hook is repaired', async name => {
  const path = name === 'prompt' ? '/hooks/prompt' : '/hooks/stop';
  expect(await rest(`POST ${path}`, `{"session_id":"s","${name}":"Which note ${HALF}"}`)).toMatchObject({
    isRefused: false,
  });
});

it.each([
  ['reason', 'POST /associate', `{${EDGE},"reason":" a\\u0000b "}`],
  ['context', 'POST /associate', `{${EDGE},"context":"a\\u0000b"}`],
])('a NUL character in %s of an edge is kept', async (name, route, body) => {
  expect(await rest(route, body)).toMatchObject({ isRefused: false });
  const { body: memory } = await send(app, `GET /memory/${ID}`);
  expect(memory.relations[0][name]).toBe('a\0b');
});

it('none of the requests caused an internal error', () =>
  expect(entries.filter(({ level }) => level === 'error')).toEqual([]));
