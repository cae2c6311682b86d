/** The projection for vectors in the graph. The graph updates each vector together with its memory. */
import { recordOf } from './record.js';
import { settleClaims } from './settle-claims.js';
import type { ProjectionParts, VectorProjection } from './vector-projection.js';

export function vectorsInGraph({ graph, vectors }: ProjectionParts): VectorProjection {
  return {
    isInGraph: true,
    add: async created => created.every(({ vector }) => vector),
    renew: async () => {},
    refresh: async () => {},
    pushRelevance: async () => {},
    remove: async () => {},
    put: made => vectors.upsert(made.map(recordOf)),
    discard: ids => vectors.remove(ids),
    settle: embedded => settleClaims(graph, embedded),
    mend: async () => false,
  };
}
