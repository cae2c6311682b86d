/**
 * The only error type that callers see, and the HTTP status of each of its codes (docs/decisions.md, "One error body").
 */

import { withoutSecrets } from './secrets.js';

const HTTP_STATUS_BY_CODE = {
  invalid: 400,
  unauthorized: 401,
  admin_required: 401,
  admin_not_configured: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof HTTP_STATUS_BY_CODE;
export type ErrorStatus = (typeof HTTP_STATUS_BY_CODE)[ErrorCode];

export function httpStatusOf(code: ErrorCode): ErrorStatus {
  return HTTP_STATUS_BY_CODE[code];
}

export interface ErrorContext {
  /** Name of the invalid input field, as the caller spelled it. */
  field?: string;
  /** Position of the invalid element in a batch. */
  index?: number;
  /** What the caller can do about the error. */
  hint?: string;
  cause?: unknown;
  /** Time after which the same request may succeed. */
  retryAfterMs?: number;
}

/** A failure whose message is written for the caller. Any other thrown error is internal and is never shown. */
export class MemoryError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly index: number | undefined;
  readonly hint: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    // A message may quote a server, and a server may repeat the key that it was sent.
    super(withoutSecrets(message), { cause: context.cause });
    this.name = 'MemoryError';
    this.code = code;
    this.field = context.field;
    this.index = context.index;
    this.hint = context.hint === undefined ? undefined : withoutSecrets(context.hint);
    this.retryAfterMs = context.retryAfterMs;
  }

  get status(): ErrorStatus {
    return httpStatusOf(this.code);
  }
}

/** Returns the error for an invalid input field (HTTP 400). */
export function invalidField(field: string, problem: string): MemoryError {
  return new MemoryError('invalid', `'${field}' ${problem}`, { field });
}

/** Returns the error for an unknown memory id (HTTP 404). */
export function memoryNotFound(id: string): MemoryError {
  return new MemoryError('not_found', `Memory not found: ${id}`);
}

/**
 * Returns the error for a new memory whose id belongs to another memory (HTTP 409).
 *
 * @param existing `index`: position of the new memory in its batch; `isSameContent`: whether the existing memory has
 * the same content
 */
export function idTaken(id: string, { index, isSameContent }: { index: number; isSameContent: boolean }): MemoryError {
  return new MemoryError('conflict', `A memory with id ${id}${isSameContent ? '' : ' and different content'} exists`, {
    field: 'id',
    index,
    hint: 'Change the existing memory with PATCH, or omit the id to create a new one.',
  });
}

/** Returns the error for a write while the service is read-only (HTTP 403). */
export function readOnlyRefusal(): MemoryError {
  return new MemoryError('forbidden', 'This memory is read-only here; nothing was changed', {
    hint: 'The service was started with ENGRAPH_READ_ONLY.',
  });
}

/** Adds the position in a batch to a failure. Internal errors are passed on unchanged. */
export function atIndex(index: number, error: unknown): unknown {
  if (!(error instanceof MemoryError)) return error;
  return new MemoryError('invalid', `Invalid memory at index ${index}: ${error.message}`, {
    index,
    ...(error.field !== undefined && { field: error.field }),
    ...(error.hint !== undefined && { hint: error.hint }),
  });
}

/** Returns the message of an error, or the text of any other thrown value, without secrets of the settings. */
export function messageOf(error: unknown): string {
  return withoutSecrets(error instanceof Error ? error.message : String(error));
}

/** Returns the error code, such as ECONNREFUSED, or the message of the innermost cause if no error has a code. */
export function causeOf(error: unknown): string {
  let trouble = 'no answer';
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string') return each.code;
    trouble = each.message;
  }
  return trouble;
}

/**
 * Means that a store cannot answer yet, because it still reads its data. Callers treat it like any other failure
 * `unavailable`, but it does not count as a failure of the store.
 */
export class StoreStarting extends MemoryError {}
