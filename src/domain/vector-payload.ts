/** The data that a vector store keeps besides a vector: the filter fields, the model of the vector, and relevance. */
import { type FilterValues, filterValuesOf } from './filter-fields.js';
import type { Memory } from './memory.js';

export interface VectorPayload extends FilterValues {
  /** Name of the model that made the vector. */
  model: string;
  /** Relevance after decay. No filter uses the relevance. It is stored for programs that read the store directly. */
  relevance?: number;
}

export function payloadOf(memory: Memory, model: string): VectorPayload {
  const { relevance_score: relevance } = memory;
  return { model, ...filterValuesOf(memory), ...(relevance !== undefined && { relevance }) };
}

/** Whether two memories have the same filter fields in a vector store. */
export function hasSamePayload(one: Memory, other: Memory): boolean {
  return JSON.stringify(filterValuesOf(one)) === JSON.stringify(filterValuesOf(other));
}
