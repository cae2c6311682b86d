/** Which failures mean that the server cannot serve now, and how they are put to users. */
import { MemoryError } from '../../domain/errors.js';

/** Replies of a server that cannot do now what it could do later or elsewhere, with what to say of them. */
const UNAVAILABLE_REPLIES: readonly [pattern: RegExp, says: string][] = [
  [/^LOADING\b/, 'is still loading its data'],
  [/^READONLY\b/, 'is a read-only replica'],
  [/^(?:MASTERDOWN|NOREPLICAS)\b/, 'has lost its master or its replicas'],
  [/^(?:CLUSTERDOWN|TRYAGAIN|MOVED|ASK)\b/, 'is a cluster that cannot serve this graph now'],
  [/^OOM\b|mem consumption exceeded/i, 'has no memory left for this'],
  [/^MISCONF\b/, 'cannot write to its disk'],
  [/^(?:NOAUTH|WRONGPASS)\b|invalid (?:username-)?password|without any password/i, 'refused the user name or password'],
  [/^NOPERM\b/, 'does not allow its user to do this'],
  [/^BUSY\b|max pending queries|max number of clients/i, 'is too busy'],
  [/^query timed out/i, 'took longer than its own limit allows'],
  [/unknown command/i, 'has no FalkorDB module'],
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
  for (let type = error; type !== null && typeof type === 'object'; type = Object.getPrototypeOf(type)) {
    if (type.constructor?.name === 'ErrorReply') return true;
  }
  return false;
}

/** Whether the connection is of no use after this. */
export function isConnectionLost(error: unknown): boolean {
  return !isReply(error) || LEADS_ELSEWHERE.test(error.message);
}

/** The graph was removed behind our back, with its indexes. */
export function isGraphGone(error: unknown): boolean {
  return isReply(error) && GRAPH_IS_GONE.test(error.message);
}

/** What of it users may read; undefined when it is a fault of ours. */
function reasonOf(error: unknown): string | undefined {
  if (isReply(error)) return UNAVAILABLE_REPLIES.find(([pattern]) => pattern.test(error.message))?.[1];
  const code = (error as { code?: unknown } | undefined)?.code;
  return (typeof code === 'string' ? CONNECTION_CODES[code] : undefined) ?? 'cannot be reached';
}

/** What a caller gets to see of a failure. @param display address without its password */
export function failureOf(error: unknown, display: string): unknown {
  if (error instanceof MemoryError) return error;
  const reason = reasonOf(error);
  return reason === undefined ? error : unavailable(display, reason, error);
}

/** @param display address without its password */
export function unavailable(display: string, reason: string, cause?: unknown): MemoryError {
  return new MemoryError('unavailable', `The graph store is not available: FalkorDB at ${display} ${reason}`, {
    hint: 'Try again later.',
    cause,
  });
}
