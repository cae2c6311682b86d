/**
 * Chooses the projection: vectors in the graph are written together with their memories, and vectors in a separate
 * store are written afterwards.
 */
import { type ProjectionParts, recordOf, settleClaims, type VectorProjection } from './vector-projection.js';
import { vectorsApart } from './vectors-apart.js';

export function createVectorProjection(parts: ProjectionParts): VectorProjection {
  return parts.graph.holdsVectors ? vectorsInGraph(parts) : vectorsApart(parts);
}

function vectorsInGraph({ graph, vectors }: ProjectionParts): VectorProjection {
  return {
    isInGraph: true,
    add: async created => created.every(({ vector }) => vector),
    renew: async () => {},
    refresh: async () => {},
    remove: async () => {},
    put: made => vectors.upsert(made.map(recordOf)),
    discard: ids => vectors.remove(ids),
    settle: embedded => settleClaims(graph, embedded),
    repair: async () => false,
  };
}
