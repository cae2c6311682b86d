/** Sends requests over a Unix socket or a named pipe, which the global `fetch` does not support. */
import { Agent, type IncomingMessage, request as send } from 'node:http';
import type { HeldRequest } from './held-request.js';

/** Means that the other process gave no answer, or that another owner answered. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** Whether the other process may have carried out the request, although no answer was received. */
  readonly mayBeDone: boolean;

  constructor(cause: unknown) {
    super('No answer was received', { cause });
    this.mayBeDone = !NEVER_SENT.has(String((cause as { code?: unknown }).code));
  }
}

export interface SocketFetch {
  /** @throws NoAnswer */
  fetch(request: HeldRequest, signal?: AbortSignal): Promise<Response>;
  /**
   * Resolves when the other process starts to answer. Calls `onEnd` when this answer ends, or when that process is
   * gone.
   *
   * @throws NoAnswer when the other process does not start to answer within three seconds
   */
  watch(target: string, onEnd: () => void): Promise<void>;
  /** Aborts all pending requests. */
  close(): void;
}

/** Codes of errors that mean that no process listens at the address, so the request was not sent. */
const NEVER_SENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT']);
/** Status that means that another owner, with another token, now listens at the address. */
const UNAUTHORIZED = 401;
const OTHER_OWNER = { code: 'ECONNREFUSED' };
/** Time limit for the start of an answer to a watch: a process that hangs accepts connections but answers nothing. */
const WATCH_ANSWER_MS = 3_000;
/** Statuses of answers without a body. `Response` accepts no body with these statuses. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
/** Headers that describe the connection and not the answer. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);

/** @param token sent with every request */
export function createSocketFetch(address: string, token: string): SocketFetch {
  const agent = new Agent({ keepAlive: true });
  const target = { socketPath: address, agent };
  const headers = { host: 'localhost', authorization: `Bearer ${token}` };
  return {
    fetch: ({ method, target: path, headers: given, body }, signal) =>
      new Promise((resolve, reject) => {
        const fail = (cause: unknown) => reject(new NoAnswer(cause));
        const length = { 'content-length': String(body?.byteLength ?? 0) };
        const allHeaders = { ...given, ...headers, ...length };
        const outgoing = send({ ...target, method, path, headers: allHeaders, ...(signal && { signal }) });
        outgoing.on('error', fail);
        outgoing.on('response', incoming => {
          if (incoming.statusCode === UNAUTHORIZED) {
            incoming.resume();
            return fail(OTHER_OWNER);
          }
          readAnswer(incoming).then(resolve, fail);
        });
        outgoing.end(body);
      }),
    watch: (path, onEnd) =>
      new Promise((resolve, reject) => {
        const outgoing = send({ ...target, path, headers, timeout: WATCH_ANSWER_MS });
        const fail = (cause: unknown) => {
          reject(new NoAnswer(cause));
          outgoing.destroy();
        };
        outgoing.on('error', fail);
        outgoing.on('timeout', () => fail(OTHER_OWNER));
        outgoing.on('response', incoming => {
          if (incoming.statusCode !== 200) return fail(OTHER_OWNER);
          outgoing.setTimeout(0);
          incoming.socket.unref();
          incoming.on('close', onEnd).resume();
          resolve();
        });
        outgoing.end();
      }),
    close: () => agent.destroy(),
  };
}

async function readAnswer(incoming: IncomingMessage): Promise<Response> {
  const parts: Uint8Array[] = [];
  for await (const part of incoming) parts.push(part as Uint8Array);
  const status = incoming.statusCode ?? 502;
  const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || CONNECTION_HEADERS.has(name) ? [] : [[name, [value].flat().join(', ')]],
  );
  return new Response(WITHOUT_BODY.has(status) ? null : Buffer.concat(parts), { status, headers });
}
