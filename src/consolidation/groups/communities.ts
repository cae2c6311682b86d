/** Groups of a weighted graph that hold together better than chance (Blondel and others, "Fast Unfolding of Communities", 2008). */

import { eachInSteps } from '../in-steps.js';

/** Undirected: each edge stands with both of its ends, as parallel lists. */
export interface WeightedGraph {
  neighbours: readonly (readonly number[])[];
  weights: readonly (readonly number[])[];
}

interface Level extends WeightedGraph {
  /** Twice the weight within each node, which is a group of the level below. */
  inner: readonly number[];
}

/**
 * Chance is what as many nodes as this would give: else the groups would grow with the number of nodes, and in a large graph
 * take in several subjects each (Fortunato and Barthélemy, "Resolution Limit in Community Detection", 2007).
 */
const NODES_OF_CHANCE = 500;
const GAIN_MIN = 1e-9;
const SWEEPS_MAX = 30;

/** The group of each node. The same graph always gives the same groups. */
export async function findCommunities(graph: WeightedGraph): Promise<number[]> {
  const resolution = Math.max(1, graph.neighbours.length / NODES_OF_CHANCE);
  let level: Level = { ...graph, inner: graph.neighbours.map(() => 0) };
  let groups = graph.neighbours.map((_, node) => node);
  for (;;) {
    const { groupOf, hasMoved } = await moveNodes(level, resolution);
    if (!hasMoved) return groups;
    const { numbers, count } = renumbered(groupOf);
    groups = groups.map(node => numbers[node] ?? 0);
    level = await aggregated(level, numbers, count);
  }
}

async function moveNodes({ neighbours, weights, inner }: Level, resolution: number) {
  const strengths = weights.map((list, node) => sum(list) + (inner[node] ?? 0));
  const total = sum(strengths);
  const groupOf = strengths.map((_, node) => node);
  const ofGroup = [...strengths];
  let hasMoved = false;
  for (let sweep = 0, isMoving = total > 0; isMoving && sweep < SWEEPS_MAX; sweep++) {
    isMoving = false;
    await eachInSteps(neighbours.entries(), ([node, list]) => {
      const [own, strength] = [groupOf[node] as number, strengths[node] as number];
      const toGroup = new Map<number, number>([[own, 0]]);
      for (const [place, other] of list.entries()) {
        const group = groupOf[other] as number;
        toGroup.set(group, (toGroup.get(group) ?? 0) + (weights[node]?.[place] ?? 0));
      }
      ofGroup[own] = (ofGroup[own] ?? 0) - strength;
      const gainOf = (group: number) =>
        (toGroup.get(group) ?? 0) - (resolution * strength * (ofGroup[group] ?? 0)) / total;
      let best = own;
      for (const group of toGroup.keys()) if (gainOf(group) > gainOf(best) + GAIN_MIN) best = group;
      ofGroup[best] = (ofGroup[best] ?? 0) + strength;
      if (best === own) return;
      groupOf[node] = best;
      isMoving = true;
      hasMoved = true;
    });
  }
  return { groupOf, hasMoved };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Numbers without gaps, in order of first appearance. */
function renumbered(groupOf: readonly number[]) {
  const known = new Map<number, number>();
  const numbers = groupOf.map(group => {
    const number = known.get(group) ?? known.size;
    known.set(group, number);
    return number;
  });
  return { numbers, count: known.size };
}

/** The graph of the groups. */
async function aggregated(
  { neighbours, weights, inner }: Level,
  groupOf: readonly number[],
  count: number,
): Promise<Level> {
  const edges = Array.from({ length: count }, () => new Map<number, number>());
  const within = new Array<number>(count).fill(0);
  await eachInSteps(neighbours.entries(), ([node, list]) => {
    const group = groupOf[node] as number;
    within[group] = (within[group] ?? 0) + (inner[node] ?? 0);
    for (const [place, other] of list.entries()) {
      const [target, weight] = [groupOf[other] as number, weights[node]?.[place] ?? 0];
      if (target === group) within[group] = (within[group] ?? 0) + weight;
      else edges[group]?.set(target, (edges[group]?.get(target) ?? 0) + weight);
    }
  });
  return {
    neighbours: edges.map(list => [...list.keys()]),
    weights: edges.map(list => [...list.values()]),
    inner: within,
  };
}
