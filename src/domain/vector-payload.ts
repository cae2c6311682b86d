/** What a vector store needs to know of a memory beside its vector: what filters look at, and who made the vector. */
import { type FilterValues, filterValuesOf } from './filter-fields.js';
import type { Memory } from './memory.js';

export interface VectorPayload extends FilterValues {
  /** Model that made the vector. */
  model: string;
  /** Of decay, for those who read a store themselves: no filter looks at it. */
  relevance?: number;
}

export function payloadOf(memory: Memory, model: string): VectorPayload {
  const { relevance_score: relevance } = memory;
  return { model, ...filterValuesOf(memory), ...(relevance !== undefined && { relevance }) };
}

/** Whether a search in the vector store would be filtered alike for both records. */
export function hasSamePayload(one: Memory, other: Memory): boolean {
  return JSON.stringify(filterValuesOf(one)) === JSON.stringify(filterValuesOf(other));
}
