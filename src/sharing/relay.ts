/**
 * Sends a request to the process that has the memory open, over a Unix socket or a named pipe, which the global
 * `fetch` does not support. When the owner ends, the next owner gets the request.
 */
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { renderChange } from '../api/memories.js';
import { isAttemptedOnce } from '../api/routes.js';
import { MemoryError } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import type { Engine } from '../engine/engine.js';
import { type Owner, RETRY_MS, silentOwner, waitFor } from './election.js';
import { type HeldRequest, toRequest } from './held-request.js';

/** A request to this path stays open as long as the owner accepts requests. */
export const WATCH_PATH = '/owner/watch';

export interface RelayParts {
  clock: Clock;
  /** The data folder, for error messages. */
  folder: string;
  /** @throws MemoryError when no process answers and this process cannot open the memory */
  connected(): Promise<OpenMemory>;
  /** Discards a connection, so that the next call of `connected` makes a new one. */
  forget(connection: Promise<OpenMemory>): void;
}

export type Relay = (request: HeldRequest, caller: AbortSignal, answerWithinMs?: number) => Promise<Response>;

/** Maximum time for which a request is repeated while owners end one after the other. */
const RETRY_PERIOD_MS = 20_000;
/** Time limit for a health check: monitoring needs to learn soon that the service hangs. */
const HEALTH_ANSWER_MS = 2_500;
const READ_ANSWER_MS = 30_000;
/** Time limit for a write: a batch of the largest memories takes long. */
const WRITE_ANSWER_MS = 120_000;
/** Paths of writes without a time limit, because their duration grows with the number of memories. */
const UNBOUNDED = /^\/(?:admin|enrichment)\//;
const MEMORY_PATH = /^\/memory\/([\w-]+)(?:\?|$)/;

/** Creates a relay that rejects with MemoryError `unavailable` when the owner neither answers nor ends. */
export function createRelay({ clock, folder, connected, forget }: RelayParts): Relay {
  return async (request, caller, answerWithinMs = limitOf(request)) => {
    const signal = firstOf([caller, answerWithinMs === undefined ? undefined : AbortSignal.timeout(answerWithinMs)]);
    const startedMs = clock.elapsedMs();
    let mayBeDone = false;
    for (;;) {
      const connecting = connected();
      const connection = await connecting;
      try {
        const answer = await connection.fetch(request, signal);
        return mayBeDone ? asFirstAnswer(request, answer) : answer;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        if (signal.aborted) throw timeIsOver(signal) ? silentOwner(folder, connection.owner?.pid) : callerGone(error);
        mayBeDone ||= error.mayBeDone;
        forget(connecting);
        await connection.close();
        if (mayBeDone && isAttemptedOnce(request.method, request.target)) throw outcomeUnknown(error);
        if (clock.elapsedMs() - startedMs > RETRY_PERIOD_MS) throw silentOwner(folder, connection.owner?.pid);
        await waitFor(clock, RETRY_MS);
      }
    }
  };
}

/** Returns undefined if the request has no time limit. */
function limitOf({ method, target }: HeldRequest): number | undefined {
  if (target === '/health') return HEALTH_ANSWER_MS;
  if (method === 'GET') return READ_ANSWER_MS;
  return UNBOUNDED.test(target) ? undefined : WRITE_ANSWER_MS;
}

function timeIsOver({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

function callerGone(cause: unknown): MemoryError {
  return new MemoryError('unavailable', 'The caller did not wait for the answer', { cause });
}

function outcomeUnknown(cause: unknown): MemoryError {
  const message = 'The process that had the memory open ended before it answered, and may have carried out the request';
  return new MemoryError('unavailable', message, { cause, hint: 'Look at the memory before you repeat the request.' });
}

/**
 * If an earlier attempt has already deleted the memory, the answer `not found` to a repeated deletion counts as
 * success.
 */
function asFirstAnswer({ method, target }: HeldRequest, answer: Response): Response {
  const id = MEMORY_PATH.exec(target)?.[1];
  return method === 'DELETE' && answer.status === 404 && id !== undefined ? Response.json(renderChange(id)) : answer;
}

/**
 * Returns a signal that aborts with the first of the given signals. `AbortSignal.any` does the same, but in Node 20 its
 * result may be garbage-collected before it fires.
 */
export function firstOf(signals: readonly (AbortSignal | null | undefined)[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal?.aborted) controller.abort(signal.reason);
    signal?.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  }
  return controller.signal;
}

export interface OpenMemory {
  /** The process that has the memory open; undefined if this process has it open. */
  owner?: Owner;
  /** The memory for this process; absent if another process has the memory open. */
  engine?: Engine;
  /** @throws NoAnswer when the owner is gone */
  fetch(request: HeldRequest, signal?: AbortSignal): Promise<Response>;
  close(): Promise<void>;
}

/** @param answer answers a request that was meant for another process, which has ended meanwhile */
export function connectionHere(
  engine: Engine,
  answer: (request: Request) => Response | Promise<Response>,
  close: () => Promise<void>,
): OpenMemory {
  return { engine, fetch: async request => answer(toRequest(request)), close };
}

/**
 * @param onGone called once when the owner ends, for any reason
 * @throws NoAnswer when the owner does not answer at its address
 */
export async function connectionTo(owner: Owner, onGone: () => void): Promise<OpenMemory> {
  const socket = createSocketFetch(owner.address, owner.token);
  await socket.watch(WATCH_PATH, onGone);
  return { owner, fetch: socket.fetch, close: async () => socket.close() };
}

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
function createSocketFetch(address: string, token: string): SocketFetch {
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
          if (incoming.statusCode === 401) {
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
