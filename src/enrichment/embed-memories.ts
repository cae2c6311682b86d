/** The work of kind `embed`: embeds claimed memories. */
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type { Embedder } from '../embedding/embedder.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { WorkClaim } from '../stores/ports/work-queue.js';

export interface EmbedParts {
  projection: Pick<VectorProjection, 'settle'>;
  embedder: Embedder;
  /** Dimensions of stored vectors. */
  dimensions: number;
}

/**
 * Embeds the memories and settles the claims with their vectors. A vector supplied by a caller is stored unchanged,
 * unless VECTOR_SIZE has changed since.
 *
 * @returns the settled tokens
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
