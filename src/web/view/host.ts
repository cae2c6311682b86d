/**
 * Talks to the host of an MCP App: JSON-RPC over `postMessage`, version 2026-01-26 of the extension. The package
 * `@modelcontextprotocol/ext-apps` does the same, but needs the MCP SDK and zod. Its client alone has 108 kB
 * compressed, while the whole view has 16 kB.
 */
import type { MemoryAnswer } from '../../client/client.js';
import type { ShownResult } from '../search/result.js';

const PROTOCOL_VERSION = '2026-01-26';
const METHOD_NOT_FOUND = -32_601;

/** Theme and styles of the host. Hosts leave out the fields that they do not support. */
export interface HostContext {
  theme?: 'light' | 'dark';
  styles?: { variables?: Record<string, string | undefined> };
}

export interface HostFacts {
  hostContext?: HostContext;
  /** `serverTools` is present if the host forwards tool calls to the server. */
  hostCapabilities?: { serverTools?: object };
}

/** The result of a tool, as MCP defines it. */
export interface ToolResult {
  content?: readonly { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
}

export interface HostListener {
  /** Receives the arguments of the call that opened the view. */
  onToolInput(args: Readonly<Record<string, unknown>>): void;
  onToolResult(result: ToolResult): void;
  onToolCancelled(): void;
  /** Receives only the fields that have changed. */
  onContext(changed: HostContext): void;
}

export interface Host {
  /** Resolves when the host is ready. After that, the host sends the result of the call that opened the view. */
  connect(version: string): Promise<HostFacts>;
  /** @throws Error with the message of the tool that failed, or of the host that refused the call */
  callTool(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  /** Adds a text to the context of the model. Each text replaces the previous text. */
  tellModel(text: string): void;
  reportSize(size: { width: number; height: number }): void;
}

interface Message {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code?: number; message?: string };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** @param frame the window of the view; its parent is the host */
export function createHost(frame: Window, listener: HostListener): Host {
  const waiting = new Map<number | string, Waiting>();
  let lastId = 0;
  // The target origin is '*', because the view does not know the origin of its host.
  const post = (message: Omit<Message, 'jsonrpc'>) => frame.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const request = <Result>(method: string, params: object) =>
    new Promise<Result>((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve: result => resolve(result as Result), reject });
      post({ id, method, params });
    });
  frame.addEventListener('message', event => {
    const message = event.source === frame.parent ? readMessage(event.data) : undefined;
    if (message === undefined) return;
    const { id, method } = message;
    if (method === undefined) settle(waiting, message);
    else if (id === undefined) notify(listener, method, message.params);
    else if (isAnswered(method)) post({ id, result: {} });
    else post({ id, error: { code: METHOD_NOT_FOUND, message: `The view does not support the method ${method}` } });
  });
  return {
    connect: async version => {
      const facts = await request<HostFacts>('ui/initialize', {
        protocolVersion: PROTOCOL_VERSION,
        appInfo: { name: 'engraph-view', version },
        appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
      });
      post({ method: 'ui/notifications/initialized', params: {} });
      return facts;
    },
    callTool: async (name, args) => {
      const result = await request<ToolResult>('tools/call', { name, arguments: args });
      if (result.isError) throw new Error(textOfResult(result) || `The tool ${name} failed`);
      return result;
    },
    tellModel: text => {
      // Ignore a refusal, because the view works without this message.
      request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => undefined);
    },
    reportSize: params => post({ method: 'ui/notifications/size-changed', params }),
  };
}

export function textOfResult({ content = [] }: ToolResult): string {
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n\n');
}

/** @returns undefined if the data is not JSON-RPC, because other scripts of the host may send messages too */
function readMessage(data: unknown): Message | undefined {
  return typeof data === 'object' && (data as Message | null)?.jsonrpc === '2.0' ? (data as Message) : undefined;
}

function settle(waiting: Map<number | string, Waiting>, { id, result, error }: Message): void {
  const request = id === undefined ? undefined : waiting.get(id);
  if (id === undefined || request === undefined) return;
  waiting.delete(id);
  if (error === undefined) request.resolve(result);
  else request.reject(new Error(error.message || 'The host refused the request'));
}

function notify(listener: HostListener, method: string, params: unknown): void {
  const given = (params ?? {}) as Record<string, unknown>;
  if (method === 'ui/notifications/tool-input')
    listener.onToolInput((given.arguments ?? {}) as Record<string, unknown>);
  if (method === 'ui/notifications/tool-result') listener.onToolResult(given);
  if (method === 'ui/notifications/tool-cancelled') listener.onToolCancelled();
  if (method === 'ui/notifications/host-context-changed') listener.onContext(given);
}

/** Whether a request of the host gets an empty answer. A teardown gets one, because the view stores nothing. */
function isAnswered(method: string): boolean {
  return method === 'ping' || method === 'ui/resource-teardown';
}

/** The fields of a memory that every result has. */
export type Facts = ShownResult['memory'];

/** An entry of `results`. It has the fields of the specification, or all fields if the call asked for them. */
type Item = Partial<Omit<ShownResult, 'memory'>> & {
  memory: Partial<Facts> & {
    memory_id: string;
    created_at?: string;
    summary?: string;
    content_truncated?: boolean;
  };
  match_type?: unknown;
  relations?: unknown;
};

export interface FoundMemories {
  results: ShownResult[];
  /** The reasons why results were left out or added. */
  notes: string[];
}

/** Reads the result of a search. @returns undefined when the view cannot read its structured content */
export function readFoundMemories(result: ToolResult): FoundMemories | undefined {
  const given = structuredOf(result);
  if (given === undefined) return undefined;
  const notes = Array.isArray(given.notes) ? given.notes.map(String) : [];
  return { results: given.results.filter(isItem).map(toResult), notes };
}

/** Reads a memory with all fields from the result of a call with `memory_id`. @returns undefined for other results */
export function readMemory(result: ToolResult): MemoryAnswer | undefined {
  const [item] = structuredOf(result)?.results.filter(isItem) ?? [];
  if (item?.match_type !== 'direct') return undefined;
  return { ...item.memory, id: item.memory.memory_id, relations: item.relations } as unknown as MemoryAnswer;
}

interface Structured {
  results: unknown[];
  notes?: unknown;
}

function structuredOf({ structuredContent }: ToolResult): Structured | undefined {
  const given = structuredContent as Partial<Structured> | null | undefined;
  return Array.isArray(given?.results) ? (given as Structured) : undefined;
}

function isItem(value: unknown): value is Item {
  return typeof (value as Partial<Item> | null)?.memory?.memory_id === 'string';
}

function toResult({ memory, final_score = 0, ...item }: Item): ShownResult {
  const { memory_id: id, content, summary = '', type, tags = [], importance = 0, created_at: timestamp = '' } = memory;
  const text = memory.content_truncated ? `${content}…` : (content ?? summary);
  return { ...item, final_score, memory: { id, content: text, type, tags, importance, timestamp } };
}
