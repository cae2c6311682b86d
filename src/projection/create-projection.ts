/**
 * Chooses how vectors follow their memories: vectors are written with the graph's own writes, or after these writes.
 */
import type { ProjectionParts, VectorProjection } from './vector-projection.js';
import { vectorsApart } from './vectors-apart.js';
import { vectorsInGraph } from './vectors-in-graph.js';

export function createVectorProjection(parts: ProjectionParts): VectorProjection {
  return parts.graph.holdsVectors ? vectorsInGraph(parts) : vectorsApart(parts);
}
