/** Asks the memory for the answer to a hook: the process that has it open, a service at a URL, or this process. */
import { existsSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { HookEvent } from '../../connect/hook-hosts.js';
import type { Flags, MemoryPlace } from '../../memory-place.js';
import { readOwner } from '../../stores/data-folder/owner-file.js';

export interface HookCall {
  event: HookEvent;
  /** Body of the request, without the time limit. */
  body: Record<string, unknown>;
  place: MemoryPlace;
  flags: Flags;
  /** By `performance.now()`, which counts from the start of this process. */
  deadlineMs: number;
}

/** The host does not wait any longer. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
}

/**
 * How long to wait for an owner that is just starting, before this process opens the memory itself. A process that holds the
 * folder without an address is opening it, or is a hook that ends at once.
 */
const OWNER_WAIT_MS = 300;
const POLL_MS = 20;
const CLOSE_LIMIT_MS = 1_000;
/** Part of the time that is left for the way back to the host. */
const RETURN_MS = 50;
/** Errors of a connection to an owner that has ended. */
const GONE: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE']);

/**
 * @returns the text for the assistant, if there is one
 * @throws TooLate, or the error of the memory
 */
export async function askMemory(call: HookCall): Promise<string | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), Math.max(0, call.deadlineMs - performance.now()));
  const onLate = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () =>
      reject(new TooLate(`the memory gave no answer within ${call.deadlineMs / 1000} s`)),
    );
  });
  try {
    return textIn(await Promise.race([answerOf(call), onLate]));
  } finally {
    clearTimeout(timer);
  }
}

async function answerOf(call: HookCall): Promise<unknown> {
  const { remote, dataDir, isReadOnly } = call.place;
  // What is given has to be recorded, so that it is not given twice.
  if (isReadOnly) return {};
  if (remote) return askService(call, remote);
  // Nothing has been stored yet, and a hook creates no memory.
  if (!existsSync(dataDir)) return {};
  const startedMs = performance.now();
  let loading: Promise<typeof import('./answer-here.js')> | undefined;
  for (;;) {
    const { address, token } = readOwner(dataDir) ?? {};
    const answer = address === undefined ? undefined : await askOwner(call, address, token);
    if (answer !== undefined) return answer;
    // The end of a session gives nothing, so nothing is opened for it.
    if (call.event === 'session-end') return {};
    loading ??= import('./answer-here.js');
    if (performance.now() - startedMs >= OWNER_WAIT_MS) {
      const own = await answerOnce(loading, call);
      if (own !== undefined) return own;
    }
    await pause(POLL_MS);
  }
}

let own: Promise<unknown> | undefined;

async function answerOnce(loading: Promise<typeof import('./answer-here.js')>, call: HookCall): Promise<unknown> {
  own = loading.then(({ answerHere }) => answerHere(call, withinMs(call)));
  return own;
}

/** Resolves when this process does not have the memory open any more, or after a second. */
export async function closed(): Promise<void> {
  await Promise.race([own?.catch(() => undefined), pause(CLOSE_LIMIT_MS)]);
}

async function askService(call: HookCall, remote: NonNullable<MemoryPlace['remote']>): Promise<unknown> {
  try {
    return await post(call, await remoteTarget(remote));
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw code === undefined ? error : new Error(`${remote.url} gave no answer (${code})`);
  }
}

/** @returns undefined if the owner is gone */
async function askOwner(call: HookCall, address: string, token: string | undefined): Promise<unknown> {
  try {
    return await post(call, {
      options: { socketPath: address, headers: { host: 'localhost', authorization: `Bearer ${token}` } },
      request: requestHttp,
      path: '',
    });
  } catch (error) {
    if (GONE.has((error as { code?: unknown }).code)) return undefined;
    throw error;
  }
}

interface Target {
  options: RequestOptions;
  request: typeof requestHttp;
  /** Path of the service, which the path of the operation follows. */
  path: string;
}

async function remoteTarget({ url, token }: NonNullable<MemoryPlace['remote']>): Promise<Target> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request = protocol === 'https:' ? (await import('node:https')).request : requestHttp;
  // The address of an IPv6 host stands in brackets only in a URL.
  const options = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, headers };
  return { options, request, path: pathname.replace(/\/$/, '') };
}

async function post(call: HookCall, { options, request, path }: Target): Promise<unknown> {
  const body = Buffer.from(JSON.stringify({ ...call.body, within_ms: withinMs(call) }));
  const headers = {
    ...options.headers,
    'content-type': 'application/json',
    'content-length': body.byteLength,
  };
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const target = { ...options, headers, method: 'POST', path: `${path}/hooks/${call.event}`, agent: false };
    request(target, resolve).on('error', reject).end(body);
  });
  const answer = await readText(incoming);
  if (incoming.statusCode === 200) return JSON.parse(answer);
  // Another owner, with another token, now listens at the address.
  if (incoming.statusCode === 401 && options.socketPath !== undefined)
    throw Object.assign(new Error('another owner answered'), { code: 'ECONNREFUSED' });
  throw new Error(`the memory answered ${incoming.statusCode}: ${messageIn(answer)}`);
}

function withinMs({ deadlineMs }: HookCall): number {
  return Math.max(1, Math.floor(deadlineMs - performance.now() - RETURN_MS));
}

function messageIn(answer: string): string {
  try {
    return String((JSON.parse(answer) as { message?: unknown }).message ?? answer);
  } catch {
    return answer.slice(0, 200);
  }
}

/** The text in the answer of an operation. Each has it in another field, as its first hosts read it. */
function textIn(answer: unknown): string | undefined {
  const { hookSpecificOutput, reason, summary } = answer as {
    hookSpecificOutput?: { additionalContext?: string };
    reason?: string;
    summary?: string;
  };
  return hookSpecificOutput?.additionalContext ?? reason ?? summary;
}
