/** Creates the endpoint for MCP over HTTP. */
import type { Config } from '../config.js';
import type { ToolCallObserver } from '../domain/tool-call.js';
import { systemClock } from '../engine/clock.js';
import { McpEndpoint } from '../http/mcp/endpoint.js';
import type { Logger } from '../log.js';
import type { McpHandlers } from '../mcp/handlers.js';
import { createMcpServer } from '../mcp/server.js';
import type { SharedMemory } from '../sharing/shared-memory.js';

export interface EndpointParts {
  memory: Pick<SharedMemory, 'reach' | 'isReadOnly'>;
  config: Config;
  version: string;
  log: Logger;
  observeCall: ToolCallObserver;
  /** If undefined, the first request that needs handlers creates them. */
  handlers: McpHandlers | undefined;
}

/** All sessions share the same tools and schemas. */
export function createMcpEndpoint(parts: EndpointParts): McpEndpoint {
  const { content, isReadOnly, mcpHttp } = parts.config;
  let made = parts.handlers && Promise.resolve(parts.handlers);
  const handlers = () => {
    made ??= makeHandlers(parts);
    return made;
  };
  const createServer = () => createMcpServer({ content, version: parts.version, isReadOnly, handlers });
  return new McpEndpoint({ createServer, settings: mcpHttp });
}

async function makeHandlers({ memory, config, log, observeCall }: EndpointParts): Promise<McpHandlers> {
  const [{ createHandlers }, { createMemory }] = await Promise.all([
    import('../mcp/handlers.js'),
    import('../sharing/memory.js'),
  ]);
  const { input: limits, content, isReadOnly } = config;
  return createHandlers({
    memory: createMemory({ memory, log, clock: systemClock }),
    limits,
    content,
    log,
    observeCall,
    isReadOnly,
  });
}
