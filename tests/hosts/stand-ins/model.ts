/** A stand-in of the models of all hosts on loopback: it records every request and streams short answers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { ANTHROPIC } from './anthropic.js';
import { CHAT_COMPLETIONS } from './chat-completions.js';
import type { Dialect, Json, Placed, Reply } from './dialect.js';
import { GEMINI } from './gemini.js';
import { RESPONSES } from './responses.js';

export interface ModelRequest {
  path: string;
  texts: Placed[];
  tools: string[];
}

export interface Model {
  url: string;
  /** Requests for the next step of a conversation. Requests without tools, such as for a title, are left out. */
  turns: ModelRequest[];
  /** The next turn that offers this tool calls it, instead of answering with a text. */
  callOnce(tool: string, input: Json): void;
  close(): void;
}

export const ANSWER = 'The stand-in has read everything.';
const DIALECTS: readonly Dialect[] = [ANTHROPIC, RESPONSES, CHAT_COMPLETIONS, GEMINI];

export async function startModel(): Promise<Model> {
  const turns: ModelRequest[] = [];
  let planned: { tool: string; input: Json } | undefined;
  const replyTo = (tools: string[]): Reply => {
    const tool = planned && tools.find(name => name === planned?.tool || name.endsWith(`_${planned?.tool}`));
    if (planned === undefined || tool === undefined) return { text: ANSWER };
    const { input } = planned;
    planned = undefined;
    return { tool, input };
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const dialect = DIALECTS.find(({ accepts }) => accepts(pathname));
    const body = await readBody(request);
    if (dialect === undefined || request.method !== 'POST') return decline(request, response, pathname);
    const tools = dialect.tools(body);
    if (tools.length > 0) turns.push({ path: pathname, texts: dialect.texts(body), tools });
    const answer = dialect.answer(body, replyTo(tools), pathname);
    response.writeHead(200, { 'content-type': answer.isStream ? 'text/event-stream' : 'application/json' });
    response.end(answer.body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turns,
    callOnce: (tool, input) => {
      planned = { tool, input };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const text = await readText(request);
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

/** Tokens are counted as ten. Everything else is not here, and a request that only looks for the host succeeds. */
function decline({ method }: IncomingMessage, response: ServerResponse, path: string): void {
  response.setHeader('content-type', 'application/json');
  if (/count_?tokens$/i.test(path)) return void response.end('{"input_tokens":10,"totalTokens":10}');
  response.statusCode = method === 'HEAD' ? 200 : 404;
  response.end(method === 'HEAD' ? undefined : '{"error":{"message":"The stand-in does not have this."}}');
}
