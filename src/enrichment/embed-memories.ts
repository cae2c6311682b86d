/** The work of kind `embed`: claimed memories into vectors. */
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type { Embedder } from '../embedding/embedder.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { WorkClaim } from '../stores/ports/work-queue.js';

export interface EmbedParts {
  projection: Pick<VectorProjection, 'settle'>;
  embedder: Embedder;
  /** Dimensions of the vectors that are kept. */
  dimensions: number;
}

/**
 * Embeds the memories and settles the claims with their vectors. A vector that a caller supplied is stored as it is, unless
 * VECTOR_SIZE has become another since.
 *
 * @returns the tokens that were settled
 */
export async function embedMemories(parts: EmbedParts, claims: readonly WorkClaim[]): Promise<string[]> {
  const { projection, embedder, dimensions } = parts;
  const others = claims.filter(({ embedding }) => embedding?.length !== dimensions);
  const texts = others.map(({ memory }) => memory.content);
  const made = texts.length > 0 ? await embedder.embed(texts, 'document') : [];
  const vectors = new Map(others.map((claim, index) => [claim, made[index]]));
  return projection.settle(
    claims.map(claim => {
      const vector = vectors.has(claim) ? vectors.get(claim) : claim.embedding;
      if (!vector) throw new Error(`the embedder returned no vector for memory ${claim.memory.id}`);
      return { claim, vector, model: vectors.has(claim) ? embedder.model : SUPPLIED_EMBEDDING };
    }),
  );
}
