/** Answers the requests of every MCP connection of this process. */
import { randomUUID } from 'node:crypto';
import type { CallToolRequest, CallToolResult, ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { MemoryError, readOnlyRefusal } from '../domain/errors.js';
import { isLargerThan } from '../domain/metadata.js';
import type { ToolCallObserver } from '../domain/tool-call.js';
import { visible, visibleJson } from '../domain/visible-text.js';
import type { Logger } from '../log.js';
import { currentCancellation, withCancellation, withRequestId } from '../request-context.js';
import { type ContextHandlers, createContextHandlers } from './context-handlers.js';
import { failureResult, isRefusal } from './failure.js';
import { listTool } from './list-tool.js';
import type { Tool, ToolContext } from './tool.js';
import { createTools } from './tools.js';

export interface McpHandlers extends ContextHandlers {
  /** @param rendersViews whether the client shows MCP Apps */
  listTools(rendersViews: boolean): ListToolsResult;
  /**
   * Never rejects: a failure is a result too.
   *
   * @param signal aborted when the client no longer wants the result
   */
  callTool(params: CallToolRequest['params'], signal?: AbortSignal, caller?: Caller): Promise<CallToolResult>;
}

/** What a tool may ask or tell the client of its call. */
export type Caller = Pick<ToolContext, 'reportProgress' | 'findProject'>;

export interface McpHandlerParts extends ToolContext {
  log: Logger;
  /** Undefined when calls are not counted. */
  observeCall?: ToolCallObserver;
  /** Offers only the tools that read, and refuses all other tools. */
  isReadOnly?: boolean;
}

/** Maximum number of array elements and object members in one call. The largest embedding has 20,000 elements. */
const MAX_INPUT_ELEMENTS = 50_000;

/**
 * Creates the tools and their schemas. This takes much longer than a call, so create the handlers once per process.
 */
export function createHandlers(parts: McpHandlerParts): McpHandlers {
  const tools = createTools(parts);
  const isOffered = ({ annotations }: Tool) => !parts.isReadOnly || annotations.readOnlyHint;
  const listedFor = (rendersViews: boolean) => tools.filter(isOffered).map(tool => listTool(tool, rendersViews));
  const [listed, listedWithView] = [listedFor(false), listedFor(true)];
  const byName = new Map(tools.map(tool => [tool.name, tool]));
  const { memory, log, isReadOnly = false } = parts;
  return {
    ...createContextHandlers({ memory, log, isReadOnly }),
    listTools: rendersViews => ({ tools: rendersViews ? listedWithView : listed }),
    callTool: async ({ name, arguments: args = {} }, signal, caller) => {
      const tool = byName.get(name);
      const context = { ...parts, ...caller };
      if (tool && isOffered(tool)) return withCancellation(signal, () => call(tool, args, context));
      const refusal = tool ? readOnlyRefusal() : new MemoryError('not_found', `The tool '${name}' does not exist`);
      return failureResult(refusal, { toolName: name, requestId: randomUUID(), log: parts.log });
    },
  };
}

/** Each call counts as a separate request in the log. */
function call(tool: Tool, args: Record<string, unknown>, parts: McpHandlerParts): Promise<CallToolResult> {
  const requestId = randomUUID();
  return withRequestId(requestId, async () => {
    const noteEnd = parts.observeCall?.(tool.name);
    try {
      const result = await resultOf(tool, args, parts);
      noteEnd?.('success');
      return result;
    } catch (error) {
      noteEnd?.(isRefusal(error) || currentCancellation()?.aborted ? 'refused' : 'failed');
      return failureResult(error, { toolName: tool.name, requestId, log: parts.log });
    }
  });
}

/** Runs a tool. Makes invisible characters visible, so that a person sees everything that a model reads. */
async function resultOf(tool: Tool, args: Record<string, unknown>, parts: McpHandlerParts): Promise<CallToolResult> {
  if (isLargerThan(args, MAX_INPUT_ELEMENTS)) {
    throw new MemoryError('too_large', `The arguments contain more than ${MAX_INPUT_ELEMENTS} values`);
  }
  const { text, structured } = await tool.run(args, parts);
  const structuredContent = visibleJson(structured) as CallToolResult['structuredContent'];
  return { content: [text].flat().map(block => ({ type: 'text', text: visible(block) })), structuredContent };
}
