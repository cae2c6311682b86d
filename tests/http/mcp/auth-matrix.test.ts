/** Access to `/mcp` and to each tool, with every kind of token, on a writable and on a read-only service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/engine/engine.js';
import { McpEndpoint } from '../../../src/http/mcp/endpoint.js';
import { testServerFactory } from '../../mcp/connected-client.js';
import { openTestEngine } from '../../support/test-engine.js';
import { createTestApp, recordingLog, UNKNOWN_ID } from '../test-app.js';
import { type Form, formsOf, NO_TOKEN } from '../token-forms.js';
import { exchange, INITIALIZE, LIST, MCP_SETTINGS, type Message, toolCall } from './mcp-app.js';

const TOKEN = 'correct horse';
const TOKEN_FORMS = [NO_TOKEN, ...formsOf('wrong', false), ...formsOf(TOKEN, true)];
/** The tools that only read. */
const READING = ['check_database_health', 'recall_memory'];
const OTHER_ID = '00000000-0000-4000-8000-000000000001';

/** Valid arguments of each tool. */
const ARGUMENTS: Record<string, Record<string, unknown>> = {
  store_memory: { content: 'Ann prefers tea.' },
  recall_memory: { query: 'tea' },
  associate_memories: { memory1_id: UNKNOWN_ID, memory2_id: OTHER_ID, type: 'RELATES_TO', strength: 0.5 },
  update_memory: { memory_id: UNKNOWN_ID, importance: 0.9 },
  delete_memory: { memory_id: UNKNOWN_ID },
  check_database_health: {},
};

const { engine, close } = await openTestEngine();
afterAll(close);

function openApp(isReadOnly: boolean) {
  const { log } = recordingLog();
  const mcp = new McpEndpoint({ createServer: testServerFactory(engine, log, { isReadOnly }), settings: MCP_SETTINGS });
  return createTestApp({ engine, settings: { apiToken: TOKEN, isReadOnly }, log, mcp });
}

describe.each([
  ['a service that stores', false],
  ['a read-only service', true],
])('%s', (_, isReadOnly) => {
  const app = openApp(isReadOnly);
  const ask = (message: object, { headers, query }: Form) =>
    exchange(app, { message, headers, ...(query && { path: `/mcp?${query}` }) });
  let tools: Message[] = [];
  beforeAll(async () => {
    tools = (await ask(LIST, formsOf(TOKEN, true)[0] as Form)).message.result.tools;
  });

  it('lists all tools, or if the service is read-only, only the tools that read', () => {
    const offered = isReadOnly ? READING : Object.keys(ARGUMENTS).sort();
    expect(tools.map(({ name }) => name).sort()).toEqual(offered);
    if (isReadOnly) expect(tools.every(({ annotations }) => annotations.readOnlyHint)).toBe(true);
  });

  describe.each(TOKEN_FORMS.map(form => [form.name, form] as const))('with %s', (_name, form) => {
    const expectAccess = ({ status, headers, message }: Awaited<ReturnType<typeof exchange>>) => {
      if (form.isRight) return expect([status, message.error]).toEqual([200, undefined]);
      expect([status, message.id, message.error.message]).toEqual([401, null, 'Unauthorized']);
      expect(message.result).toBeUndefined();
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    };

    it.each([
      ['initialize', INITIALIZE],
      ['tools/list', LIST],
      ['ping', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ])('%s succeeds only with the right token', async (_method, message) => expectAccess(await ask(message, form)));

    it.each(Object.keys(ARGUMENTS))('the tool %s needs the right token and respects read-only mode', async tool => {
      const before = await memoryCount(engine);
      expect(before).toBeGreaterThanOrEqual(0);
      const answer = await ask(toolCall(1, tool, ARGUMENTS[tool]), form);
      expectAccess(answer);
      const mayWrite = form.isRight && !isReadOnly;
      if (form.isRight) {
        const { isError = false, _meta } = answer.message.result;
        const isRefused = isError && _meta['engraph/error'].code === 'forbidden';
        expect(isRefused).toBe(isReadOnly && !READING.includes(tool));
      }
      expect(await memoryCount(engine)).toBe(before + (mayWrite && tool === 'store_memory' ? 1 : 0));
    });

    it.each(['GET', 'DELETE'])('%s of an unknown session gets 404 only with the right token', async method => {
      const path = `/mcp?${form.query}`;
      const { status } = await exchange(app, { method, headers: form.headers, path, session: UNKNOWN_ID });
      expect(status).toBe(form.isRight ? 404 : 401);
    });
  });
});

async function memoryCount({ statistics }: Engine): Promise<number> {
  return (await statistics()).memoryCount ?? Number.NaN;
}
