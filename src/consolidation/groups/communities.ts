/**
 * Finds groups of nodes in a weighted graph. The nodes of a group are connected more strongly than by chance (Blondel
 * and others, "Fast Unfolding of Communities", 2008).
 */

import { eachInSteps } from '../in-steps.js';
import { placesByNumber, type Rows, rowCount } from '../rows.js';
import { type Numbered, renumbered } from './renumber.js';
import { createSums } from './sums.js';

/** An undirected graph. Each edge is listed at both of its ends. */
export interface WeightedGraph {
  /** For each node, the other ends of its edges. */
  neighbours: Rows;
  /** Weights of the edges, in the order of `neighbours`. */
  weights: Float64Array;
}

interface Level extends WeightedGraph {
  /**
   * For each node, twice the weight of the edges within it. Each node of a level is a group of nodes of the level
   * below.
   */
  inner: Float64Array;
}

/**
 * If a graph has more nodes than this number, the connections expected by chance are computed as in a graph with this
 * number of nodes. Otherwise groups would grow with the number of nodes, and each group would contain several subjects
 * (Fortunato and Barthélemy, "Resolution Limit in Community Detection", 2007).
 */
const NODES_OF_CHANCE = 500;
const GAIN_MIN = 1e-9;
const SWEEPS_MAX = 30;

/** Returns the group of each node. The same graph always gives the same groups. */
export async function findCommunities(graph: WeightedGraph): Promise<Int32Array> {
  const size = rowCount(graph.neighbours);
  const resolution = Math.max(1, size / NODES_OF_CHANCE);
  let level: Level = { ...graph, inner: new Float64Array(size) };
  let groups = Int32Array.from({ length: size }, (_, node) => node);
  for (;;) {
    const { groupOf, hasMoved } = await moveNodes(level, resolution);
    if (!hasMoved) return groups;
    const next = renumbered(groupOf);
    groups = groups.map(node => next.groupOf[node] as number);
    level = await aggregated(level, next);
  }
}

async function moveNodes(level: Level, resolution: number) {
  const { neighbours, weights } = level;
  const strengths = strengthsOf(level);
  const total = strengths.reduce((sum, strength) => sum + strength, 0);
  const groupOf = Int32Array.from(strengths.keys());
  const ofGroup = strengths.slice();
  const toGroup = createSums(groupOf.length);
  let hasMoved = false;
  for (let sweep = 0, isMoving = total > 0; isMoving && sweep < SWEEPS_MAX; sweep++) {
    isMoving = false;
    await eachInSteps(groupOf.keys(), node => {
      const [own, strength] = [groupOf[node] as number, strengths[node] as number];
      toGroup.clear();
      toGroup.add(own, 0);
      for (let at = neighbours.starts[node] as number; at < (neighbours.starts[node + 1] as number); at++) {
        toGroup.add(groupOf[neighbours.values[at] as number] as number, weights[at] as number);
      }
      ofGroup[own] = (ofGroup[own] as number) - strength;
      const gainOf = (group: number) =>
        toGroup.of(group) - (resolution * strength * (ofGroup[group] as number)) / total;
      let best = own;
      for (const group of toGroup.keys()) if (gainOf(group) > gainOf(best) + GAIN_MIN) best = group;
      ofGroup[best] = (ofGroup[best] as number) + strength;
      if (best === own) return;
      groupOf[node] = best;
      isMoving = true;
      hasMoved = true;
    });
  }
  return { groupOf, hasMoved };
}

/** Returns, for each node, the weight of its edges to other nodes plus its `inner` weight. */
function strengthsOf({ neighbours: { starts }, weights, inner }: Level): Float64Array {
  return inner.map((within, node) => {
    let sum = 0;
    for (let at = starts[node] as number; at < (starts[node + 1] as number); at++) sum += weights[at] as number;
    return sum + within;
  });
}

/** Builds the graph whose nodes are the groups. */
async function aggregated({ neighbours, weights, inner }: Level, { groupOf, groupCount }: Numbered): Promise<Level> {
  const nodesOf = placesByNumber(groupOf, groupCount);
  const starts = new Int32Array(groupCount + 1);
  // The number of edges never grows: edges within a group are dropped, and all edges between two groups become one
  // edge.
  const ends = new Int32Array(neighbours.values.length);
  const sums = new Float64Array(ends.length);
  const within = new Float64Array(groupCount);
  const toGroup = createSums(groupCount);
  let end = 0;
  await eachInSteps(within.keys(), group => {
    toGroup.clear();
    let own = 0;
    for (let place = nodesOf.starts[group] as number; place < (nodesOf.starts[group + 1] as number); place++) {
      const node = nodesOf.values[place] as number;
      own += inner[node] as number;
      for (let at = neighbours.starts[node] as number; at < (neighbours.starts[node + 1] as number); at++) {
        const target = groupOf[neighbours.values[at] as number] as number;
        if (target === group) own += weights[at] as number;
        else toGroup.add(target, weights[at] as number);
      }
    }
    within[group] = own;
    for (const target of toGroup.keys()) {
      ends[end] = target;
      sums[end] = toGroup.of(target);
      end += 1;
    }
    starts[group + 1] = end;
  });
  return { neighbours: { starts, values: ends.slice(0, end) }, weights: sums.slice(0, end), inner: within };
}
