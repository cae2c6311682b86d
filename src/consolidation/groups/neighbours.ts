/** The nearest memories of each memory: those that the vector index names, and those that share the rarest traits. */
import { partsOf } from '../../domain/parts.js';
import { dotProduct } from '../../domain/vectors.js';
import type { VectorHit } from '../../stores/vector-store.js';
import { searchAgain } from '../evidence/search-again.js';
import type { PlanContext } from '../planner.js';
import { type Alike, createAlike } from './alike.js';
import type { Compared } from './compared.js';

/** By vectors, and as many by traits. */
const NEAREST = 15;
const MEMORIES_AT_ONCE = 20;
const SEARCHES_AT_ONCE = 4;

export interface Neighbour {
  /** Its place in `ids`. */
  to: number;
  /** How close the vectors are above chance, and how alike the traits, 0..1. */
  closeness: number;
  likeness: number;
}

export interface Neighbourhood {
  /** Place of the memory in `ids`. */
  of: number;
  /** In no order. */
  neighbours: readonly Neighbour[];
}

/** Each pair comes up to twice, once from each end. */
export async function* neighbourPages(context: PlanContext, compared: Compared): AsyncGenerator<Neighbourhood[]> {
  const { ids } = compared;
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const alike = createAlike(compared);
  let begun = beginSearch(context, ids, 0);
  for (let start = 0; start < ids.length; start += MEMORIES_AT_ONCE) {
    await context.onPage();
    const page = begun;
    // The index searches for the next page while this one is worked on here.
    begun = beginSearch(context, ids, start + MEMORIES_AT_ONCE);
    const mostAlike = page.part.map((_, offset) => alike.mostAlike(start + offset, NEAREST));
    yield await neighbourhoods({ context, compared, placeOf, alike }, { ...page, start, mostAlike });
  }
}

interface SearchedPage {
  /** Ids of its memories. */
  part: readonly string[];
  vectors: Promise<Map<string, Float32Array>>;
  /** For each memory, in no order; empty where it has no vector. */
  hits: Promise<VectorHit[][]>;
}

function beginSearch(context: PlanContext, ids: readonly string[], start: number): SearchedPage {
  const part = ids.slice(start, start + MEMORIES_AT_ONCE);
  const vectors = context.vectors.vectorsOf(part);
  const hits = vectors.then(found =>
    nearestTo(
      context,
      part.map(id => found.get(id)),
    ),
  );
  // Nobody waits for it any more when the run has ended before.
  hits.catch(() => undefined);
  return { part, vectors, hits };
}

/** Few at once, because a recall's own search waits for those that were begun before it. */
async function nearestTo(context: PlanContext, vectors: readonly (Float32Array | undefined)[]): Promise<VectorHit[][]> {
  const search = { limit: NEAREST + 1, filter: { validAtMs: context.nowMs }, models: context.models, isRough: true };
  const found: VectorHit[][] = [];
  for (const some of partsOf(vectors, SEARCHES_AT_ONCE)) {
    await context.onPage();
    const hits = some.map(vector => (vector ? searchAgain(context, { ...search, vector }) : []));
    found.push(...(await Promise.all(hits)));
  }
  return found;
}

interface LookedAtPage extends SearchedPage {
  /** Place of its first memory. */
  start: number;
  /** Places of the memories that are most alike by traits, for each memory. */
  mostAlike: readonly (readonly number[])[];
}

interface NeighbourhoodParts {
  context: PlanContext;
  compared: Compared;
  placeOf: ReadonlyMap<string, number>;
  alike: Alike;
}

async function neighbourhoods(
  { context, compared: { ids, closenessOf }, placeOf, alike }: NeighbourhoodParts,
  { part, vectors, hits, start, mostAlike }: LookedAtPage,
): Promise<Neighbourhood[]> {
  const similarities = (await hits).map((found, offset) => {
    const placed = found.map(({ id, similarity }) => [placeOf.get(id) ?? -1, similarity] as const);
    return new Map(placed.filter(([to]) => to >= 0 && to !== start + offset));
  });
  const unknown = mostAlike.map((places, offset) => places.filter(place => !similarities[offset]?.has(place)));
  const others = await context.vectors.vectorsOf(unknown.flat().map(place => ids[place] as string));
  const own = await vectors;
  return part.flatMap((id, offset): Neighbourhood[] => {
    const vector = own.get(id);
    const from = start + offset;
    const known = similarities[offset];
    if (!vector || !known) return [];
    for (const to of unknown[offset] ?? []) {
      const other = others.get(ids[to] as string);
      if (other) known.set(to, dotProduct(vector, other));
    }
    const neighbours = Array.from(known, ([to, similarity]): Neighbour => {
      return { to, closeness: closenessOf(similarity), likeness: alike.likeness(from, to) };
    });
    return [{ of: from, neighbours }];
  });
}
