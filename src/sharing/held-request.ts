/** A request whose body is at hand, so that it can be sent to one owner after the other. */
import { randomUUID } from 'node:crypto';
import { IDEMPOTENCY_KEY_HEADER } from '../api/idempotency-key.js';
import { REQUEST_ID_HEADER } from '../http/request-id.js';
import { currentRequestId } from '../request-context.js';

export interface HeldRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | undefined;
}

/** What speaks of the caller's connection or of its rights, which were checked before. */
const LEFT_OUT = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'authorization', 'cookie'];
const STORES: ReadonlySet<string> = new Set(['/memory', '/memory/batch']);

/** What it stores gets its ids now: however often it is sent, each memory is stored once. */
export async function hold(request: Request): Promise<HeldRequest> {
  const { pathname, search } = new URL(request.url);
  const { method } = request;
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !LEFT_OUT.includes(name)));
  const requestId = currentRequestId();
  if (requestId !== undefined) headers[REQUEST_ID_HEADER.toLowerCase()] = requestId;
  if (method === 'POST' && STORES.has(pathname)) headers[IDEMPOTENCY_KEY_HEADER.toLowerCase()] ||= randomUUID();
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  return { method, target: `${pathname}${search}`, headers, body };
}

/** The same request for an application of this process. */
export function toRequest({ method, target, headers, body }: HeldRequest): Request {
  return new Request(`http://localhost${target}`, { method, headers, ...(body && { body }) });
}
