/** Reads query strings and JSON bodies, within limits of size (docs/decisions.md, "Request bodies"). */
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type QueryRules, type RawInput, readParameters } from '../api/input.js';
import { MemoryError } from '../domain/errors.js';
import { parseExactly } from '../domain/json.js';

const NESTING_MAX = 64;
/** Maximum number of lists and objects in one body. More would keep the garbage collector busy for long. */
const CONTAINERS_MAX = 1_000_000;

type Bytes = Uint8Array<ArrayBuffer>;

const JSON_MEDIA_TYPE = /^application\/(?:[\w.+-]+\+)?json$/i;

/**
 * The query parameters by name: a text, or an array of texts for a repeated key.
 *
 * @throws MemoryError `invalid` naming an unknown parameter
 */
export function queryOf(request: HonoRequest, rules: QueryRules): RawInput {
  return readParameters(new URL(request.url).searchParams, rules);
}

/**
 * Parses the body of an operation.
 *
 * @returns undefined if the body is empty and may be left out
 * @throws MemoryError `invalid` when it is missing, malformed or nested too deeply, `too_large` when it has too many
 * lists and objects, `unsupported_media_type` when it is not JSON
 */
export function parseBody(request: HonoRequest, bytes: Bytes, isOptional = false): unknown {
  if (bytes.byteLength === 0 && isOptional) return undefined;
  if (bytes.byteLength === 0) throw new MemoryError('invalid', 'A JSON body is required');
  assertJsonType(request);
  return parseBodyJson(bytes);
}

/**
 * Returns the same value as `JSON.parse`. Numbers that JavaScript changes are noted.
 *
 * @throws MemoryError `invalid` for invalid JSON or nesting that is too deep, `too_large` for too many lists and objects
 */
export function parseBodyJson(bytes: Uint8Array): unknown {
  try {
    assertExtent(bytes);
    // Without `fatal`, invalid UTF-8 would be stored permanently as replacement characters.
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw cause instanceof MemoryError ? cause : new MemoryError('invalid', 'The body is not valid JSON', { cause });
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Checks nesting and size before anything is built, because a small text may contain millions of lists. */
function assertExtent(text: Uint8Array): void {
  let depth = 0;
  let containers = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (isInString) {
      if (byte === QUOTE) isInString = false;
      else if (byte === BACKSLASH) at += 1;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth -= 1;
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      depth += 1;
      containers += 1;
      if (depth > NESTING_MAX) throw tooDeep();
      if (containers > CONTAINERS_MAX) throw tooMany();
    }
  }
}

function tooDeep(): MemoryError {
  return new MemoryError('invalid', `The body must not nest deeper than ${NESTING_MAX} levels`);
}

function tooMany(): MemoryError {
  return new MemoryError('too_large', `The body must not contain more than ${CONTAINERS_MAX} lists and objects`);
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

/** @throws MemoryError `unsupported_media_type` */
export function assertJsonType(request: HonoRequest): void {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim() ?? '';
  if (!JSON_MEDIA_TYPE.test(mediaType)) {
    throw new MemoryError('unsupported_media_type', 'The body must be JSON, with Content-Type: application/json');
  }
}

/** The middleware throws MemoryError `too_large`, or `invalid` when the body is incomplete. */
export function limitBody(maxBytes: number): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new MemoryError('too_large', `The request body must not be larger than ${maxBytes} bytes`);
    },
  });
  return async (context, next) => {
    try {
      return await limit(context, next);
    } catch (error) {
      // Errors of routes do not pass through here, so an error that is not a MemoryError is a broken connection.
      if (error instanceof Error && !(error instanceof MemoryError)) throw unreadableBody(error);
      throw error;
    }
  };
}

/** A 400 for a body that was not received completely. */
function unreadableBody(cause: unknown): MemoryError {
  return new MemoryError('invalid', 'The request body could not be read', { cause });
}

/** Bodies up to this size are always received. */
const SMALL_BYTES = 65_536;
/** Maximum number of bytes of all bodies that are arriving: those of a few large batches. */
const RECEIVED_MAX_BYTES = 256 * 1024 * 1024;
const RETRY_AFTER_MS = 5_000;

let receivedBytes = 0;

/**
 * Counts the bytes of a body that arrives. `end` must be called when the body has arrived or failed. `add` throws MemoryError
 * `too_many_requests`.
 */
function countReceived() {
  let size = 0;
  return {
    add: (bytes: number): void => {
      size += bytes;
      receivedBytes += bytes;
      if (size <= SMALL_BYTES || receivedBytes <= RECEIVED_MAX_BYTES) return;
      throw new MemoryError('too_many_requests', 'Too many large requests at once', {
        hint: 'Other large requests are arriving. Wait for the time in Retry-After, or send smaller batches.',
        retryAfterMs: RETRY_AFTER_MS,
      });
    },
    end: (): void => {
      receivedBytes -= size;
    },
  };
}
