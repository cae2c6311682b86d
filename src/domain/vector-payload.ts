/** What a vector store needs to know of a memory beside its vector: as much as filters look at. */
import type { Memory } from './memory.js';

export interface VectorPayload {
  tags: readonly string[];
  /** Creation time. */
  timestampMs: number;
  /** Model that made the vector. */
  model: string;
  isArchived?: boolean;
  /** Bounds of validity. */
  validFromMs?: number;
  validToMs?: number;
}

export function payloadOf(memory: Memory, model: string): VectorPayload {
  const { tags, timestamp, archived: isArchived, t_valid, t_invalid } = memory;
  return {
    tags,
    timestampMs: Date.parse(timestamp),
    model,
    isArchived,
    ...(t_valid !== undefined && { validFromMs: Date.parse(t_valid) }),
    ...(t_invalid !== undefined && { validToMs: Date.parse(t_invalid) }),
  };
}

/** Whether the vector store would hold the same of both records beside their vector. */
export function hasSamePayload(one: Memory, other: Memory): boolean {
  return JSON.stringify(payloadOf(one, '')) === JSON.stringify(payloadOf(other, ''));
}
