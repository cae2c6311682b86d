/** What went wrong with a request, in words for whoever set up the server. */

import { MemoryError } from '../../domain/errors.js';
import { QdrantClientResourceExhaustedError, QdrantClientTimeoutError } from '../../packages/qdrant.js';
import type { QdrantServer } from './server.js';

/** The status of an answer that the client turned into an error. Its class for them is not exported. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

/**
 * Whether a connection ended under a request. Qdrant closes idle ones after seconds, and the client may be about to use one
 * of them: a second attempt gets a new one.
 */
export function isConnectionLoss(error: unknown): boolean {
  return isNetworkFailure(error) && ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error.cause) ?? '');
}

/**
 * The error to throw in place of what the client threw: a MemoryError `unavailable` for all that may pass or that the
 * operator can put right, a plain Error for a request that Qdrant finds wrong. Neither holds the API key.
 */
export function failureOf(error: unknown, server: QdrantServer): Error {
  if (error instanceof MemoryError) return error;
  const status = statusOf(error);
  if (status === 401 || status === 403) return accessFailure(error, status, server);
  if (status !== undefined && status < 500 && ![404, 408, 429].includes(status)) {
    return new Error(`Qdrant refused a request (${status}): ${reasonOf(error)}`, { cause: error });
  }
  const message = `Qdrant at ${server.address} ${outageOf(error, status, server)}`;
  const isRefusal = isRateLimit(error) || (status !== undefined && !GONE_STATUSES.has(status));
  return isRefusal ? new RefusedError(message, error) : new MemoryError('unavailable', message, { cause: error });
}

/** What a proxy answers, or a node, when nobody is there to serve. */
const GONE_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** One call was refused, such as a write to a full disk, by a server that serves others. */
class RefusedError extends MemoryError {
  constructor(message: string, cause: unknown) {
    super('unavailable', message, { cause });
  }
}

/** Whether a failure `unavailable` is of the whole server. */
export function isAway(failure: MemoryError): boolean {
  return !(failure instanceof RefusedError);
}

function accessFailure(error: unknown, status: number, { address, hasApiKey }: QdrantServer): MemoryError {
  const reason = reasonOf(error);
  const message = hasApiKey ? `refused the API key (${status}: ${reason})` : `asks for an API key (${status})`;
  return new MemoryError('unavailable', `Qdrant at ${address} ${message}`, {
    hint: 'Set QDRANT_API_KEY to a key that may read and write the collection.',
    cause: error,
  });
}

function outageOf(error: unknown, status: number | undefined, { timeoutMs }: QdrantServer): string {
  if (status === 429 || isRateLimit(error)) return 'takes no more requests at the moment';
  if (status !== undefined) return `answered with ${status}: ${reasonOf(error)}`;
  if (error instanceof QdrantClientTimeoutError) return `did not answer within ${timeoutMs} ms`;
  if (isNetworkFailure(error)) return `cannot be reached (${codeOf(error.cause) ?? 'no reason given'})`;
  return 'gave an answer that cannot be read';
}

/** The client stumbles over a waiting time that is a date, with an error that names the header. */
function isRateLimit(error: unknown): boolean {
  return (
    error instanceof QdrantClientResourceExhaustedError ||
    (error instanceof Error && error.message.startsWith('Invalid retryAfter'))
  );
}

/** What `fetch` throws, before an answer and in the middle of one. */
function isNetworkFailure(error: unknown): error is TypeError {
  return error instanceof TypeError && /^(?:fetch failed|terminated)/.test(error.message);
}

function codeOf(cause: unknown): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Qdrant's own words: `{"status": {"error": …}}`, or plain text for what its guards refuse. Pages are of a proxy. */
function reasonOf(error: unknown): string {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  const stated = (data as { status?: { error?: unknown } } | undefined)?.status?.error ?? data;
  const reason = typeof stated === 'string' ? stated.trim() : '';
  return reason === '' || reason.startsWith('<') ? 'no reason given' : reason.slice(0, 300);
}
