/** The tools of every MCP connection of this process: how they are listed and called. */
import { randomUUID } from 'node:crypto';
import type {
  CallToolRequest,
  CallToolResult,
  Tool as ListedTool,
  ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import { type JsonSchema, jsonSchemaOf } from '../api/json-schema.js';
import { MemoryError, readOnlyRefusal } from '../domain/errors.js';
import type { InputLimits } from '../domain/input.js';
import { isLargerThan } from '../domain/metadata.js';
import type { ToolCallObserver } from '../domain/reports.js';
import type { ContentTiers } from '../domain/settings.js';
import { visible, visibleJson } from '../domain/shown-text.js';
import type { Logger } from '../log.js';
import { currentCancellation, withCancellation, withRequestId } from '../request-context.js';
import { type ContextHandlers, createContextHandlers } from './context-handlers.js';
import { failureResult, isRefusal } from './failure.js';
import type { Tool, ToolContext } from './tool.js';
import { associateMemories } from './tools/associate-memories.js';
import { checkDatabaseHealth } from './tools/check-database-health.js';
import { deleteMemory } from './tools/delete-memory.js';
import { recallMemory } from './tools/recall-memory.js';
import { storeMemory } from './tools/store-memory.js';
import { updateMemory } from './tools/update-memory.js';
import { TOOL_VIEW } from './view.js';

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

/** @param rendersViews whether the client shows MCP Apps; the list for other clients does not mention the view */
function listTool(tool: Tool, rendersViews: boolean): ListedTool {
  const { name, title, description, annotations, alwaysLoad, hasView, output } = tool;
  const meta = {
    ...(alwaysLoad && { 'anthropic/alwaysLoad': true }),
    ...(hasView && rendersViews && { ui: TOOL_VIEW }),
  };
  return {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: { ...listedInput(tool), type: 'object' },
    outputSchema: { ...plain(jsonSchemaOf(output, 'output')), type: 'object' },
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}

/**
 * A schema that forbids other properties would make a client that validates calls refuse the parameters that are
 * accepted without being listed. The tool itself refuses unknown parameters.
 */
function listedInput({ input, unlisted = [] }: Tool): JsonSchema {
  const { properties = {}, ...schema } = plain(jsonSchemaOf(input, 'input')) as Parts;
  const listed = Object.entries(properties).filter(([name]) => !unlisted.includes(name));
  return {
    ...schema,
    properties: Object.fromEntries(listed),
    ...(unlisted.length === 0 && { additionalProperties: false }),
  };
}

/**
 * The keywords that every host forwards to its model. Some hosts, and the models behind them, refuse a tool whose schema
 * has other keywords, such as `format`, `anyOf` and `default`.
 */
const KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'maxLength',
]);

/** Keeps the plain keywords. Of several alternatives, keeps the first, which is the form that a model should use. */
function plain(schema: JsonSchema): JsonSchema {
  const { anyOf: [first] = [], items, properties, ...rest } = schema as Parts;
  const own = Object.entries({ ...first, ...rest }).filter(([keyword]) => KEYWORDS.has(keyword));
  return {
    ...Object.fromEntries(own),
    ...(items && { items: plain(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, plain(each)])),
    }),
  };
}

type Parts = JsonSchema & { anyOf?: JsonSchema[]; items?: JsonSchema; properties?: Record<string, JsonSchema> };

export interface ToolParts {
  limits: InputLimits;
  content: ContentTiers;
}

export function createTools({ limits, content }: ToolParts): readonly Tool[] {
  return [
    storeMemory(limits, content),
    recallMemory(limits),
    associateMemories(),
    updateMemory(limits, content),
    deleteMemory(),
    checkDatabaseHealth(),
  ];
}
