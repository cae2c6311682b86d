/**
 * A stand-in for the model hub, with answers observed on the real hub. A large file is redirected to another host. The
 * ETag of that host is not the checksum of the file, so the redirect contains the checksum. A small file is redirected
 * within the hub, and its ETag is the checksum.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createGate, type Gate } from './turns.js';

/** The hub stops in the middle of an answer. When `gate` opens, the hub continues or closes the connection. */
export interface Hold {
  afterBytes: number;
  then: 'rest' | 'cut';
  gate: Gate;
  /** Opens when the hub has sent `afterBytes` bytes. */
  reached: Gate;
}

/**
 * A fault in the answer with the content of a file: the answer is held, its last byte is wrong, it contains the whole
 * file for any range, or it has status 503.
 */
export type Mishap = Hold | 'corrupt' | 'whole' | 'busy';

export interface ModelHub {
  url: string;
  /** The path of each request for content, followed by the requested range if there is one, such as `100-`. */
  requests: string[];
  /** Number of requests for information about a file. */
  readonly questions: number;
  put(path: string, content: Buffer, options?: { isLarge?: boolean; hasChecksum?: boolean }): void;
  remove(path: string): void;
  /** Sets the faults of the next answers with the content of a file, one fault for each answer. */
  fail(path: string, ...mishaps: Mishap[]): void;
  stop(): Promise<void>;
  /** Listens again at the same address. */
  restart(): Promise<void>;
}

interface StoredFile {
  content: Buffer;
  isLarge: boolean;
  hasChecksum: boolean;
}

const RESOLVE = /^\/acme\/tiny\/resolve\/main\/(.+)$/;
const CONTENT = /^\/content\/(.+)$/;

/** Starts a hub with one model, `acme/tiny`. The hub is closed at the end of the test. */
export async function startModelHub(files: ReadonlyMap<string, Buffer> = new Map()): Promise<ModelHub> {
  const stored = new Map<string, StoredFile>();
  const mishaps = new Map<string, Mishap[]>();
  const requests: string[] = [];
  let questions = 0;
  const put: ModelHub['put'] = (path, content, { isLarge = path.endsWith('.onnx'), hasChecksum = true } = {}) => {
    stored.set(path, { content, isLarge, hasChecksum });
  };
  for (const [path, content] of files) put(path, content);

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? '';
    if (request.method === 'HEAD' && RESOLVE.test(url)) questions += 1;
    const [, resolvePath] = RESOLVE.exec(url) ?? [];
    const [, contentPath] = CONTENT.exec(url) ?? [];
    const path = resolvePath ?? contentPath ?? '';
    const file = stored.get(path);
    if (!file) return void response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end();
    if (resolvePath !== undefined) {
      const location = `/content/${path}`;
      const large = { 'x-linked-size': file.content.length, 'x-linked-etag': `"${sha256(file.content)}"` };
      const headers = file.isLarge && file.hasChecksum ? large : {};
      return void response.writeHead(file.isLarge ? 302 : 307, { location, ...headers }).end();
    }
    const etag = file.isLarge || !file.hasChecksum ? '"of-the-other-host"' : `"${gitSha1(file.content)}"`;
    response.setHeader('etag', etag);
    if (request.method === 'HEAD') return void response.writeHead(200, { 'content-length': file.content.length }).end();
    requests.push([path, request.headers.range?.replace('bytes=', '')].filter(Boolean).join(' '));
    await send(file.content, { request, response, mishap: mishaps.get(path)?.shift() });
  };
  const server = createServer((request, response) => void answer(request, response));
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  await listen(0);
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get questions() {
      return questions;
    },
    put,
    remove: path => void stored.delete(path),
    fail: (path, ...more) => void mishaps.set(path, more),
    stop,
    restart: () => listen(port),
  };
}

export function createHold(afterBytes: number, then: Hold['then'] = 'rest'): Hold {
  return { afterBytes, then, gate: createGate(), reached: createGate() };
}

async function send(
  content: Buffer,
  { request, response, mishap }: { request: IncomingMessage; response: ServerResponse; mishap: Mishap | undefined },
): Promise<void> {
  if (mishap === 'busy') return void response.writeHead(503).end();
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
  const start = from === undefined || mishap === 'whole' ? 0 : Number(from);
  const part = Buffer.from(content.subarray(start));
  if (mishap === 'corrupt') part[part.length - 1] = (part.at(-1) ?? 0) ^ 255;
  const range = { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` };
  response.writeHead(start > 0 ? 206 : 200, { 'content-length': part.length, ...(start > 0 && range) });
  if (typeof mishap !== 'object') return void response.end(part);
  response.write(part.subarray(0, mishap.afterBytes), () => mishap.reached.open());
  await mishap.gate.pass();
  if (mishap.then === 'cut') response.destroy();
  else response.end(part.subarray(mishap.afterBytes));
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function gitSha1(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
