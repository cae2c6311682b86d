/** What a vector store needs to know of a memory beside its vector: what filters look at, and who made the vector. */
import { type FilterValues, filterValuesOf } from './filter-fields.js';
import type { Memory } from './memory.js';

export interface VectorPayload extends FilterValues {
  /** Model that made the vector. */
  model: string;
}

export function payloadOf(memory: Memory, model: string): VectorPayload {
  return { model, ...filterValuesOf(memory) };
}

/** Whether the vector store would hold the same of both records beside their vector. */
export function hasSamePayload(one: Memory, other: Memory): boolean {
  return JSON.stringify(payloadOf(one, '')) === JSON.stringify(payloadOf(other, ''));
}
