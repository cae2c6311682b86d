/** Binds the tools to the MCP SDK. A server is cheap: every connection gets its own. */
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { MemoryError } from '../domain/errors.js';
import type { ToolCallObserver } from '../domain/tool-call.js';
import { visible, visibleJson } from '../domain/visible-text.js';
import type { Logger } from '../log.js';
import { withRequestId } from '../request-context.js';
import { failureResult } from './failure.js';
import { instructions } from './instructions.js';
import type { Tool, ToolContext } from './tool.js';
import { TOOLS } from './tools.js';

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

/** A server over an open engine, which it neither owns nor closes. */
export function createMcpServer(parts: McpServerParts): McpServer {
  const server = new McpServer(
    { name: 'engraph', title: 'Engraph', version: parts.version },
    {
      instructions: instructions(parts.content),
      jsonSchemaValidator: schemaValidator,
      maxToolInputElements: MAX_INPUT_ELEMENTS,
    },
  );
  for (const tool of TOOLS) register(server, tool, parts);
  return server;
}

function register(server: McpServer, tool: Tool, parts: McpServerParts): void {
  const { name, title, description, annotations, input, output } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      annotations: { title, ...annotations },
      inputSchema: input,
      outputSchema: output,
      ...(tool.alwaysLoad && { _meta: { 'anthropic/alwaysLoad': true } }),
    },
    args => call(tool, args, parts),
  );
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
  const { text, structured } = await tool.handle(args, parts);
  const structuredContent = visibleJson(tool.output.parse(structured));
  return { content: [{ type: 'text', text: visible(text) }], structuredContent };
}
