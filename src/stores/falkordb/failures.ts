/** Decides which failures mean that the server is unavailable, and explains these failures to users. */
import { ErrorReply } from '@redis/client';
import { MemoryError } from '../../domain/errors.js';

type Reply = readonly [pattern: RegExp, says: string, hint?: string];

/** Replies of a server that cannot serve any request now, with their explanations. */
const AWAY_REPLIES: readonly Reply[] = [
  [/^LOADING\b/, 'is still loading its data'],
  [/^MASTERDOWN\b/, 'has lost its master'],
  [/^(?:CLUSTERDOWN|TRYAGAIN|MOVED|ASK)\b/, 'is a cluster that cannot serve this graph at the moment'],
  [
    /^(?:NOAUTH|WRONGPASS)\b|invalid (?:username-)?password|without any password/i,
    'refused the user name or password',
    'Check FALKORDB_PASSWORD, and the user name in FALKORDB_URL if there is one.',
  ],
  [/^BUSY\b|max number of clients/i, 'is too busy'],
  [/unknown command/i, 'has no FalkorDB module', 'Use a FalkorDB server: a plain Redis or Valkey cannot store graphs.'],
];
const TRY_AGAIN = 'Try again later.';
const QUEUE_IS_FULL = /max pending queries/i;
/** Replies that refuse one statement only: a server without free memory, for example, can still be read. */
const REFUSING_REPLIES: readonly Reply[] = [
  [/^READONLY\b/, 'is a read-only replica'],
  [/^NOREPLICAS\b/, 'has lost its replicas'],
  [/^OOM\b|mem consumption exceeded/i, 'has no memory left for this'],
  [/^MISCONF\b/, 'cannot write to its disk'],
  [/^NOPERM\b/, 'does not allow the configured user to do this'],
  [QUEUE_IS_FULL, 'is too busy'],
  [/^query timed out/i, 'stopped the statement at the time limit'],
];

/** Replies after which the address may lead to another server, or to the same server in another role. */
const LEADS_ELSEWHERE = /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|MOVED|ASK|NOAUTH|WRONGPASS)\b/;
/**
 * Replies of a server that has changed since the session was prepared: another program has removed the graph together
 * with its indexes, or has lowered the maximum running time of statements.
 */
const NEEDS_PREPARATION = /empty key|timeout parameter value cannot exceed/i;

const CONNECTION_CODES: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ENOENT: 'is not there',
  ENOTFOUND: 'has an unknown host name',
  EAI_AGAIN: 'has a host name that cannot be looked up now',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ETIMEDOUT: 'does not answer in time',
};

export function tooLate(): Error {
  return Object.assign(new Error('The time limit has passed'), { code: 'ETIMEDOUT' });
}

/** Whether the server sent this error as its reply. Other errors mean that no reply was received. */
export function isReply(error: unknown): error is Error {
  return error instanceof ErrorReply;
}

/** Whether the connection can no longer be used. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof RefusedError) return false;
  return !isReply(error) || LEADS_ELSEWHERE.test(error.message);
}

/** Whether the server refused the statement, and will accept it in a new session. */
export function needsNewSession(error: unknown): boolean {
  return isReply(error) && NEEDS_PREPARATION.test(error.message);
}

/** Whether the error means that the server's queue of statements is full, so that the statement was not run. */
export function isQueueFull(error: unknown): boolean {
  return isReply(error) && QUEUE_IS_FULL.test(error.message);
}

/**
 * An error `unavailable` that concerns one call only: the server was too busy for the call, or refused it but serves
 * other calls.
 */
export class RefusedError extends MemoryError {
  constructor(message: string, context: { hint?: string; cause?: unknown } = {}) {
    super('unavailable', message, { hint: TRY_AGAIN, ...context });
  }
}

/** Whether an error `unavailable` means that other calls would fail too. */
export function isAway(failure: MemoryError): boolean {
  return !(failure instanceof RefusedError);
}

/**
 * Converts a failure to an error for the caller.
 * @param display address without its password
 */
export function failureOf(error: unknown, display: string): unknown {
  if (error instanceof MemoryError) return error;
  if (!isReply(error))
    return unavailable(display, CONNECTION_CODES[codeOf(error)] ?? 'cannot be reached', { cause: error });
  const replyAmong = (replies: readonly Reply[]) => replies.find(([pattern]) => pattern.test(error.message));
  const [, refused] = replyAmong(REFUSING_REPLIES) ?? [];
  if (refused !== undefined) return new RefusedError(sentence(display, refused), { cause: error });
  const [, away, hint] = replyAmong(AWAY_REPLIES) ?? [];
  // Any other reply means that Engraph has a bug, so the error stays unchanged.
  return away === undefined ? error : unavailable(display, away, { cause: error, hint });
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code);
}

/** Makes the error for a server that is too busy to answer within the time limit. */
export function tooBusy(display: string): RefusedError {
  return new RefusedError(sentence(display, 'is too busy'));
}

/** @param display address without its password */
export function unavailable(
  display: string,
  reason: string,
  { hint = TRY_AGAIN, cause }: { hint?: string | undefined; cause?: unknown } = {},
): MemoryError {
  return new MemoryError('unavailable', sentence(display, reason), { hint, cause });
}

function sentence(display: string, reason: string): string {
  return `The graph store is not available: FalkorDB at ${display} ${reason}`;
}
