/** Connects a real SDK client to a real server within this process. */
import { Client, type ClientOptions } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation';
import type { ToolCallObserver } from '../../src/domain/reports.js';
import { systemClock } from '../../src/engine/clock.js';
import type { Engine } from '../../src/engine/engine.js';
import { readOnly } from '../../src/engine/read-only.js';
import type { Logger } from '../../src/log.js';
import { createHandlers } from '../../src/mcp/handlers.js';
import { createMcpServer } from '../../src/mcp/server.js';
import { currentRequestId } from '../../src/request-context.js';
import { createMemoryClient } from '../../src/sharing/memory.js';
import { testLimits } from '../support/test-limits.js';

export const CONTENT_TIERS = { softLimit: 500, hardLimit: 2000 };

/** A logger that records its lines. */
export function recordingLog() {
  const lines: { level: string; message: string; details: unknown; requestId: string | undefined }[] = [];
  const record = (level: string) => (message: string, details?: unknown) => {
    lines.push({ level, message, details, requestId: currentRequestId() });
  };
  const log: Logger = {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  };
  return { log, lines };
}

export interface ConnectedClient {
  client: Client;
  /** Calls a tool. The client knows the listed output schemas and rejects results that do not match. */
  call(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
  close(): Promise<void>;
}

export interface TestServerOptions {
  observeCall?: ToolCallObserver | undefined;
  isReadOnly?: boolean;
  workingFolder?: string;
}

export interface TestClientOptions extends TestServerOptions {
  log?: Logger;
  /** Checks structured content against the listed output schemas. */
  jsonSchemaValidator?: jsonSchemaValidator;
  /** The capabilities that the client declares. */
  capabilities?: ClientCapabilities;
}

/** The capabilities of a host that renders MCP Apps. */
export const RENDERS_VIEWS: ClientCapabilities = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/**
 * Creates servers whose tools call the engine in the same process. A failed call is not retried.
 */
export function testServerFactory(
  engine: Engine,
  log: Logger,
  { observeCall, isReadOnly = false, workingFolder }: TestServerOptions = {},
) {
  const reached = { engine: isReadOnly ? readOnly(engine) : engine };
  const memory = createMemoryClient({
    memory: { isReadOnly, reach: async () => reached },
    clock: systemClock,
    log,
    retryDelaysMs: [],
  });
  const parts = { memory, limits: engine.limits, content: CONTENT_TIERS, log, isReadOnly };
  const handlers = createHandlers({ ...parts, ...(observeCall && { observeCall }) });
  const serverParts = { content: CONTENT_TIERS, version: '0.0.0-test', isReadOnly, workingFolder };
  return () => createMcpServer({ ...serverParts, handlers: async () => handlers });
}

export function createTestServer(engine: Engine, log: Logger, options?: TestServerOptions) {
  return testServerFactory(engine, log, options)();
}

export async function connectClient(
  engine: Engine,
  { log = recordingLog().log, capabilities = {}, jsonSchemaValidator, ...options }: TestClientOptions = {},
): Promise<ConnectedClient> {
  return connectTo(createTestServer(engine, log, options), {
    capabilities,
    ...(jsonSchemaValidator && { jsonSchemaValidator }),
  });
}

export async function connectTo(server: Server, options: ClientOptions): Promise<ConnectedClient> {
  const client = new Client({ name: 'test', version: '0' }, options);
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await server.connect(serverEnd);
  await client.connect(clientEnd);
  await client.listTools();
  return {
    client,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as CallToolResult,
    close: () => client.close(),
  };
}

export function textOf(result: CallToolResult): string {
  const [block] = result.content;
  if (block?.type !== 'text') throw new Error('The first block is not a text');
  return block.text;
}

/** The text of each block. */
export function blocksOf({ content }: CallToolResult): string[] {
  return content.map(block => {
    if (block.type !== 'text') throw new Error('A block is not a text');
    return block.text;
  });
}

export function structuredOf<Structured = Record<string, unknown>>(result: CallToolResult): Structured {
  if (result.structuredContent === undefined) throw new Error(`No structured content: ${textOf(result)}`);
  return result.structuredContent as Structured;
}

/** An engine with only the given methods, for failures that a real engine does not produce. */
export function faultyEngine(methods: Partial<Engine>): Engine {
  return { limits: testLimits(), inPlace: request => request(), ...methods } as Engine;
}
