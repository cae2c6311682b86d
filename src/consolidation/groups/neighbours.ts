/** Finds the nearest memories of each memory: by the vector index, and by rare traits that they share. */
import { partsOf } from '../../domain/collections.js';
import { dotProduct } from '../../domain/vectors.js';
import { inSteps } from '../../event-loop.js';
import type { VectorHit } from '../../stores/vector-store.js';
import { searchWithRetry } from '../evidence/compared-memories.js';
import type { PlanContext } from '../planner.js';
import { type Alike, type Compared, createAlike } from './compared.js';

/** Maximum number of neighbours from each of the two searches, by vectors and by traits. */
const NEAREST = 15;
const MEMORIES_AT_ONCE = 20;
const SEARCHES_AT_ONCE = 4;

export interface Neighbour {
  /** Position of the neighbour in `Compared.ids`. */
  to: number;
  /** Cosine of the vectors. */
  similarity: number;
  /** Closeness of the vectors above chance, and similarity of the traits. Each value is 0..1. */
  closeness: number;
  likeness: number;
}

export interface Neighbourhood {
  /** Position of the memory in `Compared.ids`. */
  of: number;
  /** In no particular order. */
  neighbours: readonly Neighbour[];
}

/**
 * Returns the neighbourhoods of all memories that have a vector, in pages. Each pair occurs at most twice, once for
 * each of its memories.
 */
export async function* neighbourPages(context: PlanContext, compared: Compared): AsyncGenerator<Neighbourhood[]> {
  const { ids } = compared;
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const alike = createAlike(compared);
  let begun = beginSearch(context, ids, 0);
  for (let start = 0; start < ids.length; start += MEMORIES_AT_ONCE) {
    await context.onPage();
    const page = begun;
    // The index searches for the next page while this page is processed.
    begun = beginSearch(context, ids, start + MEMORIES_AT_ONCE);
    const mostAlike: number[][] = [];
    for await (const offset of inSteps(page.part.keys())) {
      mostAlike.push(alike.mostAlike(start + offset, NEAREST));
    }
    yield await neighbourhoods({ context, compared, placeOf, alike }, { ...page, start, mostAlike });
  }
}

interface SearchedPage {
  /** Ids of the memories in this part. */
  part: readonly string[];
  vectors: Promise<Map<string, Float32Array>>;
  /** The hits for each memory, in no particular order; empty for a memory without a vector. */
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
  // If the run ends early, nothing awaits this promise, so this handler prevents an unhandled rejection.
  hits.catch(() => undefined);
  return { part, vectors, hits };
}

/** Runs only a few searches at once, because the search of a recall waits for all searches that started before it. */
async function nearestTo(context: PlanContext, vectors: readonly (Float32Array | undefined)[]): Promise<VectorHit[][]> {
  const search = { limit: NEAREST + 1, filter: { validAtMs: context.nowMs }, models: context.models, isRough: true };
  const found: VectorHit[][] = [];
  for (const some of partsOf(vectors, SEARCHES_AT_ONCE)) {
    await context.onPage();
    const hits = some.map(vector => (vector ? searchWithRetry(context, { ...search, vector }) : []));
    found.push(...(await Promise.all(hits)));
  }
  return found;
}

interface LookedAtPage extends SearchedPage {
  /** Position of the first memory of the page. */
  start: number;
  /** For each memory, the positions of the memories with the most similar traits. */
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
      return { to, similarity, closeness: closenessOf(similarity), likeness: alike.likeness(from, to) };
    });
    return [{ of: from, neighbours }];
  });
}
