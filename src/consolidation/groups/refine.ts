/**
 * Moves each memory to the group that it fits best. The memory is compared with all members of a group together,
 * because two notes on one subject may have no word in common.
 */
import type { PlanContext } from '../planner.js';
import type { Compared } from './compared.js';
import type { NeighbourGraph } from './neighbour-graph.js';
import { createProfiles } from './profiles.js';
import { renumbered } from './renumber.js';
import { createVectorSums, type VectorSums } from './vector-sums.js';

const PASSES_MAX = 6;
/** Refining ends when a pass moves fewer than this share of the memories. */
const MOVED_MIN = 0.002;
/** A memory with a weaker fit than this belongs to no group. */
const FIT_MIN = 0.05;
export const MEMBERS_MIN = 3;
const MEMORIES_AT_ONCE = 50;

interface RefineParts {
  context: PlanContext;
  compared: Compared;
  neighbours: NeighbourGraph;
}

/** @returns the group of each memory, or -1 for a memory without a group */
export async function refineGroups(parts: RefineParts, found: Int32Array): Promise<Int32Array> {
  let { groupOf, groupCount } = renumbered(withoutSmall(found));
  let vectorSums = emptySums(parts, groupCount);
  const centred = createCentring(parts.compared.middle);
  for await (const page of vectorPages(parts)) {
    for (const { place, vector } of page) addTo(vectorSums, groupOf[place], centred(vector));
  }
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const moved = await movedOnce(parts, { groupOf, vectorSums });
    const next = withoutSmall(moved.groupOf);
    const movedCount = next.filter((group, place) => group !== groupOf[place]).length;
    groupOf = next;
    vectorSums = moved.vectorSums;
    if (movedCount < groupOf.length * MOVED_MIN) break;
  }
  return groupOf;
}

function withoutSmall(groupOf: Int32Array): Int32Array {
  const counts = new Int32Array(groupOf.length);
  for (const group of groupOf) if (group >= 0) counts[group] = (counts[group] as number) + 1;
  return groupOf.map(group => (group >= 0 && (counts[group] as number) >= MEMBERS_MIN ? group : -1));
}

interface Grouped {
  groupOf: Int32Array;
  vectorSums: VectorSums;
}

/**
 * Moves each memory once. Each vector is read only once, because it is added immediately to the sum of its new group
 * for the next pass.
 */
async function movedOnce(parts: RefineParts, { groupOf, vectorSums }: Grouped): Promise<Grouped> {
  const profiles = await createProfiles(parts.compared, { groupOf, vectorSums });
  const next = { groupOf: groupOf.slice(), vectorSums: emptySums(parts, vectorSums.groupCount) };
  const centred = createCentring(parts.compared.middle);
  for await (const page of vectorPages(parts)) {
    for (const { place, vector: asRead } of page) {
      const vector = centred(asRead);
      const near = groupsNear(parts.neighbours, groupOf, place);
      const { group, fit } = profiles.bestFor(place, vector, near);
      next.groupOf[place] = fit > FIT_MIN ? group : -1;
      addTo(next.vectorSums, next.groupOf[place], vector);
    }
  }
  return next;
}

function emptySums({ compared }: RefineParts, groupCount: number): VectorSums {
  return createVectorSums(groupCount, compared.middle.length);
}

function addTo(vectorSums: VectorSums, group: number | undefined, vector: Float32Array): void {
  if (group !== undefined && group >= 0) vectorSums.add(group, vector);
}

/**
 * Returns the groups of the memory and of its neighbours. The group of the memory comes first, so that the memory stays
 * in its group if another group fits equally well.
 */
function groupsNear(neighbours: NeighbourGraph, groupOf: Int32Array, place: number): Set<number> {
  const near = new Set([place, ...neighbours.nearestOf(place)].map(each => groupOf[each] ?? -1));
  near.delete(-1);
  return near;
}

async function* vectorPages({ context, compared: { ids } }: RefineParts) {
  for (let start = 0; start < ids.length; start += MEMORIES_AT_ONCE) {
    await context.onPage();
    const part = ids.slice(start, start + MEMORIES_AT_ONCE);
    const vectors = await context.vectors.vectorsOf(part);
    yield part.flatMap((id, offset) => {
      const vector = vectors.get(id);
      return vector ? [{ place: start + offset, vector }] : [];
    });
  }
}

/**
 * Returns a function that subtracts the mean from a vector and scales it to unit length. Its next call overwrites the
 * result, because a new array for each vector would cause long pauses of the garbage collector.
 */
function createCentring(middle: Float32Array): (vector: Float32Array) => Float32Array {
  const moved = new Float32Array(middle.length);
  return vector => {
    let square = 0;
    for (let index = 0; index < moved.length; index++) {
      const value = (vector[index] as number) - (middle[index] as number);
      moved[index] = value;
      square += value * value;
    }
    const length = Math.sqrt(square) || 1;
    for (let index = 0; index < moved.length; index++) moved[index] = (moved[index] as number) / length;
    return moved;
  };
}
