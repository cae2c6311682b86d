/**
 * A stand-in for the servers of model providers: it listens on a real port, records requests, and gives the configured
 * answers, valid or not.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ModelRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
}

export interface ModelReply {
  /** The HTTP status, 200 by default. */
  status?: number;
  statusText?: string;
  headers?: Record<string, string>;
  /** A body to send as JSON. */
  json?: unknown;
  /** A body to send unchanged. Its type is HTML unless `headers` name another type. */
  text?: string;
}

/**
 * An answer or a fault: `hang` never answers, `stall` stops within the answer, `drip` sends a byte of an endless answer
 * now and then, `drop` closes the connection without an answer, `cut` closes it within the answer.
 */
export type Behaviour = ModelReply | 'hang' | 'stall' | 'drip' | 'drop' | 'cut';

export interface ModelServer {
  /** The address of the server, without a trailing slash. */
  url: string;
  /** All requests so far, in order. */
  requests: ModelRequest[];
  /** Answers requests for a path with the behaviours in turn, then repeats the last one. Other paths get a 404. */
  on(path: string, ...behaviours: (Behaviour | ((request: ModelRequest) => Behaviour | Promise<Behaviour>))[]): void;
  /** Stops the server before the end of the test, so that no process listens at its address. */
  stop(): Promise<void>;
}

/** Starts a server on a free port. The server is closed at the end of the test. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const scripts = new Map<string, Parameters<ModelServer['on']>[1][]>();

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request = { method, path, headers, body: JSON.parse(Buffer.concat(chunks).toString() || 'null') };
    requests.push(request);
    const script = scripts.get(path) ?? [{ status: 404, json: { error: { message: `no ${path} here` } } }];
    const next = script.length > 1 ? script.shift() : script[0];
    behave(typeof next === 'function' ? await next(request) : (next ?? 'drop'), response);
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => incoming.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    on: (path, ...behaviours) => void scripts.set(path, behaviours),
    stop,
  };
}

function behave(behaviour: Behaviour, response: ServerResponse): void {
  if (behaviour === 'hang') return;
  if (behaviour === 'drop') return void response.socket?.destroy();
  if (behaviour === 'cut' || behaviour === 'stall' || behaviour === 'drip') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"data": [', () => behaviour === 'cut' && response.socket?.destroy());
    if (behaviour !== 'drip') return;
    const drops = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drops));
    return;
  }
  const { status = 200, statusText, headers = {}, json, text } = behaviour;
  if (statusText !== undefined) response.statusMessage = statusText;
  response.writeHead(status, { 'content-type': json === undefined ? 'text/html' : 'application/json', ...headers });
  response.end(json === undefined ? text : JSON.stringify(json));
}
