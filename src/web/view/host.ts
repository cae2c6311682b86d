/**
 * Talks to the host of an MCP App: JSON-RPC over `postMessage`, version 2026-01-26 of the extension. The package
 * `@modelcontextprotocol/ext-apps` does the same, but brings the MCP SDK and zod with it: its client alone is 108 kB
 * compressed, four times as large as everything else here.
 */

const PROTOCOL_VERSION = '2026-01-26';
const METHOD_NOT_FOUND = -32_601;

/** The look of the host. Hosts leave out the fields that they do not support. */
export interface HostContext {
  theme?: 'light' | 'dark';
  styles?: { variables?: Record<string, string | undefined> };
}

export interface HostFacts {
  hostContext?: HostContext;
  /** `serverTools` is present where the host passes tool calls on. */
  hostCapabilities?: { serverTools?: object };
}

/** The result of a tool, as MCP defines it. */
export interface ToolResult {
  content?: readonly { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
}

export interface HostListener {
  /** The arguments of the call that opened the view. */
  onToolInput(args: Readonly<Record<string, unknown>>): void;
  onToolResult(result: ToolResult): void;
  onToolCancelled(): void;
  /** Only the fields that have changed. */
  onContext(changed: HostContext): void;
}

export interface Host {
  /** Resolves when the host is ready. The host sends the result of the call after that. */
  connect(version: string): Promise<HostFacts>;
  /** @throws Error with the words of the tool, or of the host that refuses the call */
  callTool(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  /** Gives the model a text for its next turns. Each text replaces the one before. */
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
  // The origin of the host is unknown: it renders the view from an address of its own choice.
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
    else post({ id, error: { code: METHOD_NOT_FOUND, message: `The view does not know ${method}` } });
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
      if (result.isError) throw new Error(textOf(result) || `The tool ${name} failed`);
      return result;
    },
    tellModel: text => {
      // Hosts may refuse it, and the person loses nothing.
      request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => undefined);
    },
    reportSize: params => post({ method: 'ui/notifications/size-changed', params }),
  };
}

export function textOf({ content = [] }: ToolResult): string {
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n\n');
}

/** Other scripts of the host may send messages too. */
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

/** The view keeps nothing, so it can end at any time. */
function isAnswered(method: string): boolean {
  return method === 'ping' || method === 'ui/resource-teardown';
}
