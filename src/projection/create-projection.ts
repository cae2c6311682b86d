/**
 * Chooses the projection: vectors in the graph are written together with their memories, and vectors in a separate
 * store are written afterwards.
 */
import type { ProjectionParts, VectorProjection } from './vector-projection.js';
import { vectorsApart } from './vectors-apart.js';
import { vectorsInGraph } from './vectors-in-graph.js';

export function createVectorProjection(parts: ProjectionParts): VectorProjection {
  return parts.graph.holdsVectors ? vectorsInGraph(parts) : vectorsApart(parts);
}
