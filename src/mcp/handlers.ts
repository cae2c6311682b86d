/** What a tool is, and the tools of every MCP connection of this process: how they are listed and called. */

import { randomUUID } from 'node:crypto';
import type {
  CallToolRequest,
  CallToolResult,
  Tool as ListedTool,
  ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { type JsonSchema, jsonSchemaOf, type RawInput } from '../api/input.js';
import type { EngraphClient } from '../client/client.js';
import { MemoryError, readOnlyRefusal } from '../domain/errors.js';
import type { InputLimits } from '../domain/input.js';
import { isLargerThan } from '../domain/metadata.js';
import type { ToolCallObserver } from '../domain/reports.js';
import type { ContentTiers } from '../domain/settings.js';
import { visible, visibleJson } from '../domain/shown-text.js';
import type { NamedProject } from '../domain/tags.js';
import type { Logger } from '../log.js';
import { currentCancellation, currentRequestId, withRequest } from '../request-context.js';
import { failureResult, isRefusal } from './failure.js';
import { type ContextHandlers, createContextHandlers } from './prompts.js';
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
  const { memory, log, isReadOnly = false } = parts;
  const all = createTools(parts);
  const offered = all.filter(({ annotations }) => !isReadOnly || annotations.readOnlyHint);
  const listedFor = (rendersViews: boolean) => offered.map(tool => listTool(tool, rendersViews));
  const [listed, listedWithView] = [listedFor(false), listedFor(true)];
  const byName = new Map(offered.map(tool => [tool.name, tool]));
  return {
    ...createContextHandlers({ memory, log, isReadOnly }),
    listTools: rendersViews => ({ tools: rendersViews ? listedWithView : listed }),
    callTool: async ({ name, arguments: args = {} }, signal, caller) => {
      const id = randomUUID();
      const tool = byName.get(name);
      // Each call counts as a separate request in the log.
      if (tool) return withRequest({ id, signal }, () => call(tool, args, { ...parts, ...caller }));
      const isKnown = all.some(each => each.name === name);
      const refusal = isKnown ? readOnlyRefusal() : new MemoryError('not_found', `The tool '${name}' does not exist`);
      return failureResult(refusal, { toolName: name, requestId: id, log });
    },
  };
}

async function call(tool: Tool, args: Record<string, unknown>, parts: McpHandlerParts): Promise<CallToolResult> {
  const noteEnd = parts.observeCall?.(tool.name);
  try {
    if (isLargerThan(args, MAX_INPUT_ELEMENTS)) {
      throw new MemoryError('too_large', `The arguments contain more than ${MAX_INPUT_ELEMENTS} values`);
    }
    const { text, structured } = await tool.run(args, parts);
    noteEnd?.('success');
    // A person must see everything that a model reads.
    const structuredContent = visibleJson(structured) as CallToolResult['structuredContent'];
    return { content: [text].flat().map(block => ({ type: 'text', text: visible(block) })), structuredContent };
  } catch (error) {
    noteEnd?.(isRefusal(error) || currentCancellation()?.aborted ? 'refused' : 'failed');
    return failureResult(error, { toolName: tool.name, requestId: currentRequestId() ?? '', log: parts.log });
  }
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
    associateMemories,
    updateMemory(limits, content),
    deleteMemory,
    checkDatabaseHealth,
  ];
}

/** The dependencies that every handler may use. */
export interface ToolContext {
  memory: EngraphClient;
  limits: InputLimits;
  content: ContentTiers;
  /** Finds the project in which the client works. Undefined if it cannot be known. */
  findProject?: () => Promise<NamedProject | undefined>;
  /** Reports the progress of a long call to the client. Undefined when the client has not asked for progress. */
  reportProgress?: ProgressReporter;
}

export type ProgressReporter = (done: number, total: number) => Promise<void>;

/** Hints to the client about the effects of a call. Every tool sets all four. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** The result of a successful call: text for the model, and the same data for programs. */
export interface ToolAnswer {
  /** One or more text blocks. */
  text: string | readonly string[];
  structured: object;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  /** Asks clients that load tools on demand to load this tool at the start. */
  alwaysLoad: boolean;
  /** Hosts that render MCP Apps show the results of this tool in the view of `view.ts`. */
  hasView?: true;
  /** A strict schema. It refuses unknown keys, so that a misspelt parameter causes an error. */
  input: z.ZodObject;
  /**
   * Parameters that are accepted but not listed, because only programs send them. Models read the list of tools with
   * every request, so the list must be short.
   */
  unlisted?: readonly string[];
  /** Describes the structured content. Clients check the content against this schema, and this process does not. */
  output: z.ZodObject;
  /** @throws MemoryError for each failure whose cause may be reported to the client; other errors stay hidden */
  run(args: RawInput, context: ToolContext): Promise<ToolAnswer>;
}
