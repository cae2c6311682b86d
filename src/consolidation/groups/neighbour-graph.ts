/** Builds the graph of memories that are near enough to each other to belong to one group. */
import { eachInSteps } from '../in-steps.js';
import type { WeightedGraph } from './communities.js';
import type { Neighbourhood } from './neighbours.js';

/** Number of nearest memories kept for each memory. */
const KEPT = 15;
/** Minimum evidence for an edge. Weaker evidence may be due to chance. */
const EVIDENCE_MIN = 0.05;

export interface NeighbourGraph {
  add(neighbourhood: Neighbourhood): void;
  /** Returns the nearest memories of a memory, nearest first. */
  nearestOf(place: number): Int32Array;
  /**
   * Builds a graph that connects two memories only if each is among the nearest of the other. A memory that is near to
   * many memories therefore does not connect their groups.
   */
  toGraph(): Promise<WeightedGraph>;
}

/** Creates a graph that takes about a hundred and twenty bytes for each memory. */
export function createNeighbourGraph(size: number): NeighbourGraph {
  const places = new Int32Array(size * KEPT);
  const evidence = new Float32Array(size * KEPT);
  const counts = new Uint8Array(size);
  const nearestOf = (place: number) => places.subarray(place * KEPT, place * KEPT + (counts[place] ?? 0));
  const endOf = (place: number) => place * KEPT + (counts[place] as number);
  const isNearestOf = (place: number, other: number) => {
    for (let at = place * KEPT; at < endOf(place); at++) if (places[at] === other) return true;
    return false;
  };
  /** Calls `visit` for each edge of the memory `from`, with the position of the edge in `places` and `evidence`. */
  const eachEdge = (from: number, visit: (at: number) => void) => {
    for (let at = from * KEPT; at < endOf(from); at++) {
      if ((evidence[at] as number) >= EVIDENCE_MIN && isNearestOf(places[at] as number, from)) visit(at);
    }
  };
  const countEdges = async () => {
    const starts = new Int32Array(size + 1);
    await eachInSteps(counts.keys(), from => {
      let count = 0;
      eachEdge(from, () => {
        count += 1;
      });
      starts[from + 1] = (starts[from] as number) + count;
    });
    return starts;
  };
  return {
    add: ({ of: from, neighbours }) => {
      const nearest = neighbours.map(({ to, closeness, likeness }) => ({ to, weight: (closeness + likeness) / 2 }));
      nearest.sort((a, b) => b.weight - a.weight || a.to - b.to);
      for (const [index, { to, weight }] of nearest.slice(0, KEPT).entries()) {
        places[from * KEPT + index] = to;
        evidence[from * KEPT + index] = weight;
        counts[from] = index + 1;
      }
    },
    nearestOf,
    toGraph: async () => {
      const starts = await countEdges();
      const values = new Int32Array(starts[size] as number);
      const weights = new Float64Array(values.length);
      let end = 0;
      await eachInSteps(counts.keys(), from =>
        eachEdge(from, at => {
          values[end] = places[at] as number;
          weights[end] = evidence[at] as number;
          end += 1;
        }),
      );
      return { neighbours: { starts, values }, weights };
    },
  };
}
