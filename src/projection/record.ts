/** The record of a memory in a vector store. */
import { payloadOf } from '../domain/vector-payload.js';
import type { VectorRecord } from '../stores/vector-store.js';
import type { VectorOf } from './vector-projection.js';

export function recordOf({ memory, vector, model }: VectorOf): VectorRecord {
  return { id: memory.id, vector, payload: payloadOf(memory, model) };
}
