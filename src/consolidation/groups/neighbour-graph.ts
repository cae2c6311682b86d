/** Which memories are near enough to each other to belong to one group. */
import { eachInSteps } from '../in-steps.js';
import type { WeightedGraph } from './communities.js';
import type { Neighbourhood } from './neighbours.js';

/** Nearest ones kept of each memory. */
const KEPT = 15;
/** Less than this is chance. */
const EVIDENCE_MIN = 0.05;

export interface NeighbourGraph {
  add(neighbourhood: Neighbourhood): void;
  /** The nearest ones of a memory, nearest first. */
  nearestOf(place: number): Int32Array;
  /** Edges between memories that are among the nearest of each other: what many lie near to holds no group together. */
  toGraph(): Promise<WeightedGraph>;
}

/** A hundred and twenty bytes a memory. */
export function createNeighbourGraph(size: number): NeighbourGraph {
  const places = new Int32Array(size * KEPT);
  const evidence = new Float32Array(size * KEPT);
  const counts = new Uint8Array(size);
  const nearestOf = (place: number) => places.subarray(place * KEPT, place * KEPT + (counts[place] ?? 0));
  const edgesOf = (from: number) =>
    [...nearestOf(from)].flatMap((to, index) => {
      const weight = evidence[from * KEPT + index] ?? 0;
      return weight >= EVIDENCE_MIN && nearestOf(to).includes(from) ? [{ to, weight }] : [];
    });
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
      const edges: { to: number; weight: number }[][] = [];
      await eachInSteps(counts.keys(), from => edges.push(edgesOf(from)));
      return {
        neighbours: edges.map(list => list.map(({ to }) => to)),
        weights: edges.map(list => list.map(({ weight }) => weight)),
      };
    },
  };
}
