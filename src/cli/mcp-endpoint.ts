/** MCP over HTTP with the tools of this process. */
import type { Config } from '../config.js';
import type { InputLimits } from '../domain/input-limits.js';
import type { ToolCallObserver } from '../domain/tool-call.js';
import type { McpEndpoint } from '../http/mcp/endpoint.js';
import type { MemoryFetch } from '../http/memory-app.js';
import type { Logger } from '../log.js';
import type { McpHandlers } from '../mcp/handlers.js';

export interface EndpointParts {
  memory: MemoryFetch;
  limits: InputLimits;
  config: Config & { version: string };
  log: Logger;
  observeCall: ToolCallObserver;
}

/** The tools and their schemas are made with the first request that needs them, once for all sessions. */
export async function createMcpEndpoint({ config, ...parts }: EndpointParts): Promise<McpEndpoint> {
  const [{ McpEndpoint }, { createMcpServer }] = await Promise.all([
    import('../http/mcp/endpoint.js'),
    import('../mcp/server.js'),
  ]);
  const { content, version, isReadOnly } = config;
  let made: Promise<McpHandlers> | undefined;
  const handlers = () => {
    made ??= makeHandlers({ ...parts, config });
    return made;
  };
  return new McpEndpoint({
    createServer: () => createMcpServer({ content, version, isReadOnly, handlers }),
    settings: config.mcpHttp,
  });
}

async function makeHandlers({ memory, limits, config, log, observeCall }: EndpointParts): Promise<McpHandlers> {
  const [{ createHandlers }, { createClient }] = await Promise.all([
    import('../mcp/handlers.js'),
    import('../client/client.js'),
  ]);
  const fetch = (url: string, init: RequestInit) => memory(new Request(url, init));
  const { content, isReadOnly } = config;
  const client = createClient({ url: 'http://memory', fetch });
  return createHandlers({ memory: client, limits, content, log, observeCall, isReadOnly });
}
