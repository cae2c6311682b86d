/** Explains failed requests to the operator of the server. */

import { MemoryError, messageOf } from '../../domain/errors.js';
import { QdrantClientResourceExhaustedError, QdrantClientTimeoutError } from '../../packages/qdrant.js';
import { ConnectionFailure } from './post-json.js';
import type { QdrantServer } from './server.js';

/**
 * Returns the status of an answer that the client turned into an error. The error is recognised by its fields, because
 * the client does not export its error class.
 */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

/**
 * Whether a connection ended during a request. Qdrant closes a connection that is idle for some seconds, perhaps just
 * when the client uses it for a request. A second attempt gets a new connection.
 */
export function isConnectionLoss(error: unknown): boolean {
  return isNetworkFailure(error) && ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(error.cause) ?? '');
}

/**
 * Converts an error of the client. A failure that may pass or that the operator can fix becomes a MemoryError
 * `unavailable`. The failure of a request that Qdrant rejects as wrong becomes a plain Error. No error contains the API
 * key.
 */
export function failureOf(error: unknown, server: QdrantServer): Error {
  if (error instanceof MemoryError) return error;
  // The error of the client has the whole answer, which may repeat the key.
  const cause = new Error(messageOf(error));
  const status = statusOf(error);
  if (status === 401 || status === 403) return accessFailure(error, status, server);
  if (isRedirect(status)) {
    return new MemoryError(
      'unavailable',
      `Qdrant at ${server.address} redirects to another address (${status}), and no redirect is followed`,
      { hint: 'Set QDRANT_URL to the address of the server itself.', cause },
    );
  }
  if (status !== undefined && status < 500 && ![404, 408, 429].includes(status)) {
    return new Error(`Qdrant refused a request (${status}): ${reasonOf(error)}`, { cause });
  }
  const message = `Qdrant at ${server.address} ${outageOf(error, status, server)}`;
  const isRefusal = isRateLimit(error) || (status !== undefined && !GONE_STATUSES.has(status));
  return isRefusal ? new RefusedError(message, cause) : new MemoryError('unavailable', message, { cause });
}

function isRedirect(status = 0): boolean {
  return status >= 300 && status < 400;
}

/** Statuses with which a proxy or a node answers when it cannot reach a server behind it. */
const GONE_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** The server refused one call, such as a write to a full disk, but serves other calls. */
class RefusedError extends MemoryError {
  constructor(message: string, cause: unknown) {
    super('unavailable', message, { cause });
  }
}

/** Whether a failure `unavailable` concerns the whole server. */
export function isAway(failure: MemoryError): boolean {
  return !(failure instanceof RefusedError);
}

function accessFailure(error: unknown, status: number, { address, hasApiKey }: QdrantServer): MemoryError {
  const reason = reasonOf(error);
  const message = hasApiKey ? `refused the API key (${status}: ${reason})` : `asks for an API key (${status})`;
  return new MemoryError('unavailable', `Qdrant at ${address} ${message}`, {
    hint: 'Set QDRANT_API_KEY to a key that may read and write the collection.',
    cause: new Error(messageOf(error)),
  });
}

function outageOf(error: unknown, status: number | undefined, { timeoutMs }: QdrantServer): string {
  if (status === 429 || isRateLimit(error)) return 'accepts no more requests at the moment';
  if (status !== undefined) return `answered with ${status}: ${reasonOf(error)}`;
  if (error instanceof QdrantClientTimeoutError) return `did not answer within ${timeoutMs} ms`;
  if (isNetworkFailure(error)) return `cannot be reached (${codeOf(error.cause) ?? 'no reason given'})`;
  return 'sent an answer that cannot be read';
}

/**
 * Whether the server refused a request because of its rate limit. If the header `retry-after` contains a date, the
 * client throws an error that names the header.
 */
function isRateLimit(error: unknown): boolean {
  return (
    error instanceof QdrantClientResourceExhaustedError ||
    (error instanceof Error && error.message.startsWith('Invalid retryAfter'))
  );
}

/**
 * Whether the connection failed, before an answer or during an answer. For requests of the client itself, `fetch` throws
 * a TypeError.
 */
function isNetworkFailure(error: unknown): error is Error {
  const isOfFetch = error instanceof TypeError && /^(?:fetch failed|terminated)/.test(error.message);
  return isOfFetch || error instanceof ConnectionFailure;
}

function codeOf(cause: unknown): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/**
 * Returns Qdrant's own explanation. It is the error in a JSON answer `{"status": {"error": …}}`, or the plain text with
 * which Qdrant's guards refuse a request. An HTML page is ignored, because it comes from a proxy.
 */
function reasonOf(error: unknown): string {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  const stated = (data as { status?: { error?: unknown } } | undefined)?.status?.error ?? data;
  const reason = typeof stated === 'string' ? stated.trim() : '';
  return reason === '' || reason.startsWith('<') ? 'no reason given' : reason.slice(0, 300);
}
