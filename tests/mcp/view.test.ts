/** Clients that render MCP Apps find the view, and other clients do not. */
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { McpEndpoint } from '../../src/http/mcp/endpoint.js';
import { INITIALIZE, LIST, MCP_HEADERS, MCP_SETTINGS } from '../http/mcp/mcp-app.js';
import { createTestApp } from '../http/test-app.js';
import {
  connectClient,
  faultyEngine,
  RENDERS_VIEWS,
  recordingLog,
  type TestServerOptions,
  testServerFactory,
} from './connected-client.js';

const URI = 'ui://engraph/view';
const UI = { resourceUri: URI, visibility: ['model', 'app'] };

async function connect(capabilities: ClientCapabilities, options: TestServerOptions = {}) {
  const connected = await connectClient(faultyEngine({}), { capabilities, ...options });
  onTestFinished(() => connected.close());
  const { tools } = await connected.client.listTools();
  const { resources } = await connected.client.listResources();
  return { client: connected.client, tools, resources };
}

describe('a client that renders MCP Apps', () => {
  test('gets the tools and resources of other clients, plus the view as a resource and in recall_memory', async () => {
    const [plain, rendering] = [await connect({}), await connect(RENDERS_VIEWS)];
    expect(rendering.resources.map(({ uri }) => uri)).toEqual(['memory://startup', URI]);
    expect(rendering.resources.slice(0, 1)).toEqual(plain.resources);
    expect(rendering.tools.map(({ _meta }) => _meta?.ui)).toEqual(
      rendering.tools.map(({ name }) => (name === 'recall_memory' ? UI : undefined)),
    );
    const withoutView = rendering.tools.map(tool => {
      const { ui: _ui, ...meta } = tool._meta ?? {};
      return { ...tool, ...(tool._meta && { _meta: meta }) };
    });
    expect(JSON.stringify(withoutView)).toBe(JSON.stringify(plain.tools));
  });

  test('reads the view as one HTML file that declares no domain and loads nothing', async () => {
    const { client } = await connect(RENDERS_VIEWS);
    const { contents } = await client.readResource({ uri: URI });
    const { text, ...view } = contents[0] as { text: string };
    expect(view).toMatchObject({ uri: URI, mimeType: 'text/html;profile=mcp-app' });
    expect(view).toMatchObject({ _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] } } } });
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).toMatch(/default-src 'none'; script-src 'sha256-[\w+/=]+'/);
    expect(text).not.toMatch(/<link|<img|<iframe|\ssrc=|@import|url\(/);
  });

  test('gets the view with the setting read-only from a read-only server', async () => {
    const { client } = await connect(RENDERS_VIEWS, { isReadOnly: true });
    const { contents } = await client.readResource({ uri: URI });
    expect((contents[0] as { text: string }).text).toContain('<meta name="engraph-settings" content="read-only">');
  });
});

describe('the lists do not contain the view for a client', () => {
  const EXTENSION = 'io.modelcontextprotocol/ui';
  test.each<[string, ClientCapabilities]>([
    ['without extensions', {}],
    ['with another extension', { extensions: { 'example/other': { mimeTypes: ['text/html;profile=mcp-app'] } } }],
    ['that renders no HTML', { extensions: { [EXTENSION]: { mimeTypes: ['text/uri-list'] } } }],
    ['that names no types', { extensions: { [EXTENSION]: {} } }],
    ['with types that are not a list', { extensions: { [EXTENSION]: { mimeTypes: 'text/html;profile=mcp-app' } } }],
  ])('%s', async (_kind, capabilities) => {
    const { tools, resources } = await connect(capabilities);
    expect(JSON.stringify([tools, resources])).not.toMatch(/ui:\/\/|"ui"/);
  });
});

describe('over HTTP', () => {
  const openApp = () => {
    const { log } = recordingLog();
    const engine = faultyEngine({});
    const mcp = new McpEndpoint({ createServer: testServerFactory(engine, log), settings: MCP_SETTINGS });
    onTestFinished(() => mcp.close());
    return createTestApp({ engine, log, mcp });
  };
  const post = (app: ReturnType<typeof openApp>, message: object, session?: string) =>
    app.request('/mcp', {
      method: 'POST',
      headers: { ...MCP_HEADERS, ...(session !== undefined && { 'mcp-session-id': session }) },
      body: JSON.stringify(message),
    });

  test('each session lists the view only if its own client declared that it renders MCP Apps', async () => {
    const app = openApp();
    const listIn = async (capabilities: ClientCapabilities) => {
      const answer = await post(app, { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities } });
      await answer.text();
      const session = answer.headers.get('mcp-session-id') ?? '';
      return (await post(app, LIST, session)).text();
    };
    expect(await listIn(RENDERS_VIEWS)).toContain(URI);
    expect(await listIn({})).not.toContain(URI);
  });

  test('a request outside of a session lists no view', async () => {
    const answer = await post(openApp(), LIST);
    const text = await answer.text();
    expect(text).toContain('recall_memory');
    expect(text).not.toContain(URI);
  });
});
