/** What a request carries: its query string and its JSON body (decisions D12). */
import type { HonoRequest } from 'hono';
import { MemoryError } from '../domain/errors.js';
import type { RawParameters } from '../domain/recall-query.js';
import { unreadableBody } from './body-limit.js';

const JSON_MEDIA_TYPE = /^application\/(?:[\w.+-]+\+)?json$/i;

/** The query parameters by name: text, or an array of texts where a key repeats. */
export function readQuery(request: HonoRequest): RawParameters {
  const valuesByName = new Map<string, string[]>();
  for (const [name, value] of new URL(request.url).searchParams) {
    const values = valuesByName.get(name);
    if (values) values.push(value);
    else valuesByName.set(name, [value]);
  }
  return Object.fromEntries([...valuesByName].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}

/**
 * Reads the body of a request that must have one.
 *
 * @throws MemoryError `invalid` when it is absent, malformed or breaks off, `unsupported_media_type` when it is not JSON
 */
export async function readJsonBody(request: HonoRequest): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.byteLength === 0) throw new MemoryError('invalid', 'A JSON body is required');
  return parseBody(request, bytes);
}

/**
 * Reads the body of a request that may have none, which is undefined.
 *
 * @throws MemoryError as `readJsonBody`
 */
export async function readOptionalJsonBody(request: HonoRequest): Promise<unknown> {
  const bytes = await readBytes(request);
  return bytes.byteLength === 0 ? undefined : parseBody(request, bytes);
}

async function readBytes(request: HonoRequest): Promise<ArrayBuffer> {
  return await request.arrayBuffer().catch((error: unknown) => {
    throw unreadableBody(error);
  });
}

function parseBody(request: HonoRequest, bytes: ArrayBuffer): unknown {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim() ?? '';
  if (!JSON_MEDIA_TYPE.test(mediaType)) {
    throw new MemoryError('unsupported_media_type', 'The body must be JSON, with Content-Type: application/json');
  }
  return parseJson(bytes);
}

function parseJson(bytes: ArrayBuffer): unknown {
  try {
    // Bytes that are no UTF-8 would otherwise be stored as replacement characters, for good.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new MemoryError('invalid', 'The body is not valid JSON', { cause: error });
  }
}
