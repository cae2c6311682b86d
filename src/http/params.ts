/** Reads the query string and the JSON body of a request (docs/decisions.md, "Request bodies"). */
import type { HonoRequest } from 'hono';
import type { RawInput } from '../api/input.js';
import { type QueryRules, readQuery } from '../api/query.js';
import type { InputLimits } from '../domain/bounds.js';
import { MemoryError } from '../domain/errors.js';
import { ASSOCIATIONS_MAX } from '../domain/relation.js';
import { unreadableBody } from './body-limit.js';
import { type JsonLimits, parseJson } from './json-body.js';
import { countReceived } from './limits/received-bytes.js';

/** Maximum bytes of a character. JSON may write a character as two escapes of six bytes each. */
const CHARACTER_MAX_BYTES = 12;
/** Maximum bytes of a number in an embedding, with its comma. */
const NUMBER_MAX_BYTES = 32;
/** Maximum total bytes of all fields except content and embedding, such as tags and metadata. */
const REST_MAX_BYTES = 1_048_576;
/** Limits of a body without memories. */
const OTHER_BODIES: JsonLimits = { itemMaxBytes: REST_MAX_BYTES, listMaxItems: Infinity };

type Bytes = Uint8Array<ArrayBuffer>;

const JSON_MEDIA_TYPE = /^application\/(?:[\w.+-]+\+)?json$/i;

/**
 * The query parameters by name: a text, or an array of texts for a repeated key.
 *
 * @throws MemoryError `invalid` naming an unknown parameter
 */
export function queryOf(request: HonoRequest, rules: QueryRules): RawInput {
  return readQuery(new URL(request.url).searchParams, rules);
}

/**
 * Parses a required body.
 *
 * @throws MemoryError `invalid` when it is missing, malformed, nested too deeply or incomplete, `too_large` when an
 * item is larger than any memory may be, `unsupported_media_type` when it is not JSON
 */
export async function parseJsonBody(request: HonoRequest, bytes: Bytes, limits: InputLimits): Promise<unknown> {
  if (bytes.byteLength === 0) throw new MemoryError('invalid', 'A JSON body is required');
  return parseBody(request, bytes, jsonLimits(limits));
}

function jsonLimits({ contentMaxLength, vectorSize, batchMaxSize }: InputLimits): JsonLimits {
  return {
    itemMaxBytes: contentMaxLength * CHARACTER_MAX_BYTES + vectorSize * NUMBER_MAX_BYTES + REST_MAX_BYTES,
    listMaxItems: Math.max(batchMaxSize, ASSOCIATIONS_MAX),
  };
}

/**
 * Parses an optional body. Returns undefined when the body is empty.
 *
 * @throws MemoryError as in `parseJsonBody`
 */
export async function parseOptionalJsonBody(request: HonoRequest, bytes: Bytes): Promise<unknown> {
  return bytes.byteLength === 0 ? undefined : parseBody(request, bytes, OTHER_BODIES);
}

/**
 * Copies the bytes only once. `arrayBuffer` would copy them twice, which at 30 MB delays other requests.
 *
 * @throws MemoryError `invalid` when the body is incomplete, `too_many_requests` when large bodies fill too much memory
 */
export async function readBytes({ body }: Request): Promise<Bytes> {
  const parts: Uint8Array[] = [];
  const receiving = countReceived();
  try {
    for await (const part of body ?? []) {
      receiving.add(part.byteLength);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof MemoryError ? error : unreadableBody(error);
  } finally {
    receiving.end();
  }
  return Buffer.concat(parts);
}

async function parseBody(request: HonoRequest, bytes: Uint8Array, limits: JsonLimits): Promise<unknown> {
  assertJsonType(request);
  return parseJson(bytes, limits);
}

/** @throws MemoryError `unsupported_media_type` */
export function assertJsonType(request: HonoRequest): void {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim() ?? '';
  if (!JSON_MEDIA_TYPE.test(mediaType)) {
    throw new MemoryError('unsupported_media_type', 'The body must be JSON, with Content-Type: application/json');
  }
}
