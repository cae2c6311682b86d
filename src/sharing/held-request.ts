/** Holds a request with its complete body, so that the request can be sent to one owner after another. */
import { randomUUID } from 'node:crypto';
import { IDEMPOTENCY_KEY_HEADER } from '../api/memories.js';
import { presentedAdminToken } from '../http/auth.js';
import { REQUEST_ID_HEADER } from '../http/every-request.js';
import { READ_ONLY_HEADER } from '../http/memory-app.js';
import { readBytes } from '../http/params.js';
import { currentRequestId } from '../request-context.js';

export interface HeldRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | undefined;
  /** The admin token that the caller presented. No header of this request contains the token. */
  adminToken: string | undefined;
}

const STORES: ReadonlySet<string> = new Set(['/memory', '/memory/batch']);

/**
 * Reads the whole request. A request that stores memories gets a key from which the ids of the memories are derived, so
 * that a request that is sent twice stores each memory once.
 *
 * @param isReadOnly whether the process that has the memory open must change nothing for the request, and leave no
 * trace of it
 * @throws MemoryError `invalid` when the body is incomplete
 */
export async function bufferRequest(request: Request, isReadOnly = false): Promise<HeldRequest> {
  const { pathname, search } = new URL(request.url);
  const { method } = request;
  const headers = forwardedHeaders(request.headers);
  if (isReadOnly) headers[READ_ONLY_HEADER] = 'true';
  const requestId = currentRequestId();
  if (requestId !== undefined) headers[REQUEST_ID_HEADER.toLowerCase()] = requestId;
  if (method === 'POST' && STORES.has(pathname)) headers[IDEMPOTENCY_KEY_HEADER.toLowerCase()] ||= randomUUID();
  const body = request.body === null ? undefined : await readBytes(request);
  const target = `${pathname}${forwardedQuery(search)}`;
  return { method, target, headers, body, adminToken: presentedAdminToken(request) };
}

/** Converts the held request to a `Request` that an application in this process can answer. */
export function toRequest({ method, target, headers, body }: HeldRequest): Request {
  return new Request(`http://localhost${target}`, { method, headers, ...(body && { body }) });
}

/** Headers about the caller's connection, or about permissions that were already checked. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'accept-encoding',
  'authorization',
  'cookie',
  'x-api-key',
  'x-admin-token',
  'x-admin-api-key',
]);
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(['api_key', 'admin_token']);
/** Headers of an answer that describe the connection, or the encoding of bytes that have already been decoded. */
const CONNECTION_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'];

function forwardedHeaders(headers: Headers): Record<string, string> {
  const named = new Set((headers.get('connection') ?? '').split(',').map(name => name.trim().toLowerCase()));
  const isNotForwarded = (name: string) => NOT_FORWARDED.has(name) || name.startsWith('proxy-') || named.has(name);
  return Object.fromEntries([...headers].filter(([name]) => !isNotForwarded(name)));
}

/** @param search the query string with its question mark, or an empty string */
function forwardedQuery(search: string): string {
  const isSecret = (pair: string) => SECRET_PARAMETERS.has(new URLSearchParams(pair).keys().next().value ?? '');
  const pairs = search.slice(1).split('&');
  const kept = pairs.filter(pair => !isSecret(pair));
  if (kept.length === pairs.length) return search;
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/** Prepares an answer of `fetch` for the caller. */
export function forwardedAnswer(answer: Response): Response {
  const headers = new Headers(answer.headers);
  for (const name of CONNECTION_HEADERS) headers.delete(name);
  return new Response(answer.body, { status: answer.status, headers });
}
