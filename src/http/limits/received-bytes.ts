/** Limits the memory for request bodies that are still arriving. Clients may send them slowly, for up to a minute. */
import { MemoryError } from '../../domain/errors.js';

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
export function countReceived() {
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
