/** Provider name to embedder. */
import type { Embedder } from './embedder.js';
import { createHashEmbedder } from './hash.js';

/** @param dimensions length of every vector, as configured by VECTOR_SIZE */
export async function createEmbedder(_provider: 'auto' | 'hash', dimensions: number): Promise<Embedder> {
  return createHashEmbedder(dimensions);
}
