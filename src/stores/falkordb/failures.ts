/** Which failures mean that the server cannot serve now, and how they are put to users. */
import { ErrorReply } from '@redis/client';
import { MemoryError } from '../../domain/errors.js';

type Reply = readonly [pattern: RegExp, says: string, hint?: string];

/** Replies of a server that cannot serve anything now, with what to say of them. */
const AWAY_REPLIES: readonly Reply[] = [
  [/^LOADING\b/, 'is still loading its data'],
  [/^MASTERDOWN\b/, 'has lost its master'],
  [/^(?:CLUSTERDOWN|TRYAGAIN|MOVED|ASK)\b/, 'is a cluster that cannot serve this graph now'],
  [
    /^(?:NOAUTH|WRONGPASS)\b|invalid (?:username-)?password|without any password/i,
    'refused the user name or password',
    'Check FALKORDB_PASSWORD, and the user name in FALKORDB_URL where there is one.',
  ],
  [/^BUSY\b|max number of clients/i, 'is too busy'],
  [/unknown command/i, 'has no FalkorDB module', 'Name a FalkorDB server: a plain Redis or Valkey holds no graphs.'],
];
const TRY_AGAIN = 'Try again later.';
const QUEUE_IS_FULL = /max pending queries/i;
/** Replies that refuse one statement, and say nothing of the next one: a server that is full can be read. */
const REFUSING_REPLIES: readonly Reply[] = [
  [/^READONLY\b/, 'is a read-only replica'],
  [/^NOREPLICAS\b/, 'has lost its replicas'],
  [/^OOM\b|mem consumption exceeded/i, 'has no memory left for this'],
  [/^MISCONF\b/, 'cannot write to its disk'],
  [/^NOPERM\b/, 'does not allow its user to do this'],
  [QUEUE_IS_FULL, 'is too busy'],
  [/^query timed out/i, 'took longer than its own limit allows'],
];

/** After these the address may lead to another server, or the same one in another role. */
const LEADS_ELSEWHERE = /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|MOVED|ASK|NOAUTH|WRONGPASS)\b/;
const GRAPH_IS_GONE = /empty key/i;

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

/** A reply of the server, as opposed to a failure to get one. */
export function isReply(error: unknown): error is Error {
  return error instanceof ErrorReply;
}

/** Whether the connection is of no use after this. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof RefusedError) return false;
  return !isReply(error) || LEADS_ELSEWHERE.test(error.message);
}

/** The graph was removed behind our back, with its indexes. */
export function isGraphGone(error: unknown): boolean {
  return isReply(error) && GRAPH_IS_GONE.test(error.message);
}

/** The server has taken on as many statements as it may, and has done nothing with this one. */
export function isQueueFull(error: unknown): boolean {
  return isReply(error) && QUEUE_IS_FULL.test(error.message);
}

/** A failure `unavailable` of one call, which the server has not got to, or refuses while it serves others. */
export class RefusedError extends MemoryError {
  constructor(message: string, context: { hint?: string; cause?: unknown } = {}) {
    super('unavailable', message, { hint: TRY_AGAIN, ...context });
  }
}

/** Whether a failure `unavailable` means that nothing else would get an answer either. */
export function isAway(failure: MemoryError): boolean {
  return !(failure instanceof RefusedError);
}

/** What a caller gets to see of a failure. @param display address without its password */
export function failureOf(error: unknown, display: string): unknown {
  if (error instanceof MemoryError) return error;
  if (!isReply(error))
    return unavailable(display, CONNECTION_CODES[codeOf(error)] ?? 'cannot be reached', { cause: error });
  const replyAmong = (replies: readonly Reply[]) => replies.find(([pattern]) => pattern.test(error.message));
  const [, refused] = replyAmong(REFUSING_REPLIES) ?? [];
  if (refused !== undefined) return new RefusedError(sentence(display, refused), { cause: error });
  const [, away, hint] = replyAmong(AWAY_REPLIES) ?? [];
  // Any other reply is about a fault of ours.
  return away === undefined ? error : unavailable(display, away, { cause: error, hint });
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code);
}

/** The server has more to do than it gets to within the time limit. */
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
