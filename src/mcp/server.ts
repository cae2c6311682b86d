/** Binds the tools to the MCP SDK. A server is cheap: every connection gets its own. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { visible, visibleJson } from '../domain/visible-text.js';
import type { Logger } from '../log.js';
import { failureResult } from './failure.js';
import { instructions } from './instructions.js';
import type { Tool, ToolContext } from './tool.js';
import { TOOLS } from './tools.js';

export interface McpServerParts extends ToolContext {
  version: string;
  log: Logger;
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

/**
 * What is sent has passed the listed output schema, since clients refuse anything else, and holds nothing that a model reads
 * and a person does not see.
 */
async function call(tool: Tool, args: Record<string, unknown>, parts: McpServerParts): Promise<CallToolResult> {
  try {
    const { text, structured } = await tool.handle(args, parts);
    const structuredContent = visibleJson(tool.output.parse(structured));
    return { content: [{ type: 'text', text: visible(text) }], structuredContent };
  } catch (error) {
    return failureResult(error, tool.name, parts.log);
  }
}
