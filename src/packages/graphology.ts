/** The search for communities in a graph. The build bundles the package into the thread that uses it. */
import communities from 'graphology-communities-louvain';
import type { AbstractGraph } from 'graphology-types';

/** Edges of an undirected graph whose nodes are the numbers from 0 to `nodeCount` - 1. No edge may be a loop. */
export interface Edges {
  from: Int32Array;
  to: Int32Array;
  weights: Float64Array;
}

/** The types of the package describe its default export as a property. At run time, it is the module itself. */
const louvain = communities as unknown as typeof communities.default;

/**
 * Finds communities by the method of Louvain. The same edges always give the same communities.
 *
 * @param resolution factor of the connections expected by chance: the higher, the smaller the communities
 * @returns the community of each node
 */
export function findCommunities(nodeCount: number, edges: Edges, resolution: number): Int32Array {
  const { weights } = edges;
  const getEdgeWeight = (edge: string) => weights[Number(edge)] as number;
  const found = louvain(asGraph(nodeCount, edges), { getEdgeWeight, resolution, randomWalk: false });
  return Int32Array.from({ length: nodeCount }, (_, node) => found[node] as number);
}

/**
 * Returns what `louvain` reads of a graph. A graph of graphology would take about 500 bytes for each edge, which is more
 * than a gigabyte for 100,000 memories.
 */
function asGraph(nodeCount: number, { from, to }: Edges): AbstractGraph {
  const degrees = new Int32Array(nodeCount);
  for (const ends of [from, to]) for (const node of ends) degrees[node] = (degrees[node] as number) + 1;
  const expected = () => undefined;
  return {
    type: 'undirected',
    multi: false,
    order: nodeCount,
    size: from.length,
    selfLoopCount: 0,
    undirectedDegreeWithoutSelfLoops: (node: number) => degrees[node],
    forEachNode: (visit: (node: number) => void) => degrees.forEach((_, node) => void visit(node)),
    forEachEdge: (visit: (edge: number, attributes: object, from?: number, to?: number) => void) =>
      from.forEach((node, edge) => void visit(edge, {}, node, to[edge])),
    // By these, the package recognizes a graph.
    addUndirectedEdgeWithKey: expected,
    dropNode: expected,
  } as unknown as AbstractGraph;
}
