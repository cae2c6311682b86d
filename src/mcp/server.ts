/** Binds the tools to the MCP SDK. A server is cheap: every connection gets its own. */
import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { MemoryError } from '../domain/errors.js';
import { isLargerThan } from '../domain/metadata.js';
import type { ToolCallObserver } from '../domain/tool-call.js';
import { visible, visibleJson } from '../domain/visible-text.js';
import type { Logger } from '../log.js';
import { withRequestId } from '../request-context.js';
import { failureResult } from './failure.js';
import { instructions } from './instructions.js';
import { listTool } from './list-tool.js';
import type { Tool, ToolContext } from './tool.js';
import { createTools } from './tools.js';

export interface McpServerParts extends ToolContext {
  version: string;
  log: Logger;
  /** Absent where nobody counts calls. */
  observeCall?: ToolCallObserver;
}

/** Array elements and object members in one call; the largest embedding has 20,000. */
const MAX_INPUT_ELEMENTS = 50_000;

/** Making one takes longer than making a server. */
const schemaValidator = new AjvJsonSchemaValidator();

/**
 * A server over an open engine, which it neither owns nor closes. It stands on the SDK's plain server: the other one reads the
 * arguments itself, and its sentences about what is wrong name neither the field nor what was expected.
 */
export function createMcpServer(parts: McpServerParts): Server {
  const server = new Server(
    { name: 'engraph', title: 'Engraph', version: parts.version },
    {
      capabilities: { tools: {} },
      instructions: instructions(parts.content),
      jsonSchemaValidator: schemaValidator,
    },
  );
  const tools = createTools(parts.engine.limits);
  const listed = tools.map(listTool);
  const byName = new Map(tools.map(tool => [tool.name, tool]));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args = {} } }) => {
    const tool = byName.get(name);
    if (tool) return call(tool, args, parts);
    const unknown = new MemoryError('not_found', `There is no tool '${name}'`);
    return failureResult(unknown, { toolName: name, requestId: randomUUID(), log: parts.log });
  });
  return server;
}

/** Each call is a request of its own in the log. */
function call(tool: Tool, args: Record<string, unknown>, parts: McpServerParts): Promise<CallToolResult> {
  const requestId = randomUUID();
  return withRequestId(requestId, async () => {
    const noteEnd = parts.observeCall?.(tool.name);
    try {
      const result = await resultOf(tool, args, parts);
      noteEnd?.('success');
      return result;
    } catch (error) {
      noteEnd?.(error instanceof MemoryError && error.status < 500 ? 'refused' : 'failed');
      return failureResult(error, { toolName: tool.name, requestId, log: parts.log });
    }
  });
}

/**
 * What is sent has passed the listed output schema, since clients refuse anything else, and holds nothing that a model reads
 * and a person does not see.
 */
async function resultOf(tool: Tool, args: Record<string, unknown>, parts: McpServerParts): Promise<CallToolResult> {
  if (isLargerThan(args, MAX_INPUT_ELEMENTS)) {
    throw new MemoryError('too_large', `The arguments hold more than ${MAX_INPUT_ELEMENTS} values`);
  }
  const { text, structured } = await tool.run(args, parts);
  const structuredContent = visibleJson(tool.output.parse(structured));
  return { content: [{ type: 'text', text: visible(text) }], structuredContent };
}
