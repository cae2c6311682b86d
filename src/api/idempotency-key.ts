/**
 * Derives the ids of memories from the idempotency key of their request, so that a repeated request stores nothing
 * twice (docs/decisions.md, "Ids of the caller").
 */
import { createHash } from 'node:crypto';
import { invalidField } from '../domain/errors.js';

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

const KEY_MAX_LENGTH = 255;

/**
 * Adds an id to every memory that has none. The id is derived from the key and the position of the memory. Without a
 * key, the memories stay unchanged.
 *
 * @throws MemoryError `invalid` when the key is too long
 */
export function withIds<Memory extends { id?: string }>(
  memories: readonly Memory[],
  key: string | undefined,
): Memory[] {
  if (key === undefined) return [...memories];
  if (key.length > KEY_MAX_LENGTH) {
    throw invalidField(IDEMPOTENCY_KEY_HEADER, `must have at most ${KEY_MAX_LENGTH} characters`);
  }
  return memories.map((memory, index) => ({ ...memory, id: memory.id ?? idOf(key, index) }));
}

/** Derives a UUID of version 8 (RFC 9562) from the key and the position of the memory in its request. */
function idOf(key: string, index: number): string {
  const bytes = createHash('sha256').update(`${index}:${key}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
