/** Moves each memory to the group with which it has most in common: two notes on one subject may share no word. */
import type { PlanContext } from '../planner.js';
import type { Compared } from './compared.js';
import type { NeighbourGraph } from './neighbour-graph.js';
import { createProfiles } from './profiles.js';

const PASSES_MAX = 6;
/** Fewer moves than this share end it. */
const MOVED_MIN = 0.002;
/** With less in common a memory belongs to no group. */
const FIT_MIN = 0.05;
export const MEMBERS_MIN = 3;
const MEMORIES_AT_ONCE = 100;

interface RefineParts {
  context: PlanContext;
  compared: Compared;
  neighbours: NeighbourGraph;
}

/** @returns the group of each memory, -1 where it has none */
export async function refineGroups(parts: RefineParts, found: readonly number[]): Promise<number[]> {
  let groupOf = withoutSmall(found);
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const next = withoutSmall(await movedOnce(parts, groupOf));
    const moved = next.filter((group, place) => group !== groupOf[place]).length;
    groupOf = next;
    if (moved < groupOf.length * MOVED_MIN) break;
  }
  return groupOf;
}

function withoutSmall(groupOf: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const group of groupOf) counts.set(group, (counts.get(group) ?? 0) + 1);
  return groupOf.map(group => (group >= 0 && (counts.get(group) ?? 0) >= MEMBERS_MIN ? group : -1));
}

async function movedOnce(parts: RefineParts, groupOf: readonly number[]): Promise<number[]> {
  const profiles = await createProfiles(parts.compared, groupOf);
  for await (const page of vectorPages(parts)) {
    for (const { place, vector } of page) profiles.addVector(groupOf[place] ?? -1, vector);
  }
  const next = [...groupOf];
  for await (const page of vectorPages(parts)) {
    for (const { place, vector } of page) {
      const near = groupsNear(parts.neighbours, groupOf, place);
      const { group, fit } = profiles.bestFor(place, vector, near);
      next[place] = fit > FIT_MIN ? group : -1;
    }
  }
  return next;
}

/** Its own first, so that it stays where two are equal. */
function groupsNear(neighbours: NeighbourGraph, groupOf: readonly number[], place: number): Set<number> {
  const near = new Set([place, ...neighbours.nearestOf(place)].map(each => groupOf[each] ?? -1));
  near.delete(-1);
  return near;
}

/** Of unit length, with the middle taken from them. */
async function* vectorPages({ context, compared: { ids, middle } }: RefineParts) {
  for (let start = 0; start < ids.length; start += MEMORIES_AT_ONCE) {
    await context.onPage();
    const part = ids.slice(start, start + MEMORIES_AT_ONCE);
    const vectors = await context.vectors.vectorsOf(part);
    yield part.flatMap((id, offset) => {
      const vector = vectors.get(id);
      return vector ? [{ place: start + offset, vector: centred(vector, middle) }] : [];
    });
  }
}

/** Plain loops, since it runs for each memory several times. */
function centred(vector: Float32Array, middle: Float32Array): Float32Array {
  const moved = new Float32Array(vector.length);
  let square = 0;
  for (let index = 0; index < vector.length; index++) {
    const value = (vector[index] as number) - (middle[index] ?? 0);
    moved[index] = value;
    square += value * value;
  }
  const length = Math.sqrt(square) || 1;
  for (let index = 0; index < moved.length; index++) moved[index] = (moved[index] as number) / length;
  return moved;
}
