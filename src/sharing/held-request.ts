/** Holds a request with its complete body, so that the request can be sent to one owner after another. */
import { randomUUID } from 'node:crypto';
import { IDEMPOTENCY_KEY_HEADER } from '../api/memories.js';
import { presentedAdminToken } from '../http/auth.js';
import { READ_ONLY_HEADER } from '../http/operations.js';
import { readBytes } from '../http/params.js';
import { REQUEST_ID_HEADER } from '../http/request-id.js';
import { currentRequestId } from '../request-context.js';
import { forwardedHeaders, forwardedQuery } from './forwarded.js';

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
