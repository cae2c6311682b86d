/** The nearest memories of each memory: those that the vector index names, and those that share the rarest traits. */
import { dotProduct } from '../../domain/vectors.js';
import type { VectorHit } from '../../stores/vector-store.js';
import { eachInSteps } from '../in-steps.js';
import type { PlanContext } from '../planner.js';
import type { Compared } from './compared.js';

/** By vectors, and as many by traits. */
const NEAREST = 15;
const MEMORIES_AT_ONCE = 20;
/** A trait that more memories have leads to none of them. */
const HOLDERS_MAX = 64;

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
  const { ids, traits, rarity } = compared;
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const holders = await holdersOf(compared);
  const likenessOf = (a: number, b: number) => rarity.likeness(traits[a] ?? NONE, traits[b] ?? NONE);
  let begun = beginSearch(context, ids, 0);
  for (let start = 0; start < ids.length; start += MEMORIES_AT_ONCE) {
    await context.onPage();
    const page = begun;
    // The index searches for the next page while this one is worked on here.
    begun = beginSearch(context, ids, start + MEMORIES_AT_ONCE);
    const alike = page.part.map((_, offset) => mostAlike(start + offset, { compared, holders, likenessOf }));
    yield await neighbourhoods({ context, compared, placeOf, likenessOf }, { ...page, start, alike });
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
  const search = { limit: NEAREST + 1, filter: { validAtMs: context.nowMs }, models: context.models, isRough: true };
  const vectors = context.vectors.vectorsOf(part);
  const hits = vectors.then(found => {
    const nearest = (vector: Float32Array | undefined) => (vector ? context.vectors.search({ ...search, vector }) : []);
    return Promise.all(part.map(id => nearest(found.get(id))));
  });
  // Nobody waits for it any more when the run has ended before.
  hits.catch(() => undefined);
  return { part, vectors, hits };
}

interface LookedAtPage extends SearchedPage {
  /** Place of its first memory. */
  start: number;
  /** Places of the memories that are most alike by traits, for each memory. */
  alike: readonly (readonly number[])[];
}

interface NeighbourhoodParts {
  context: PlanContext;
  compared: Compared;
  placeOf: ReadonlyMap<string, number>;
  likenessOf(a: number, b: number): number;
}

async function neighbourhoods(
  { context, compared: { ids, closenessOf }, placeOf, likenessOf }: NeighbourhoodParts,
  { part, vectors, hits, start, alike }: LookedAtPage,
): Promise<Neighbourhood[]> {
  const similarities = (await hits).map((found, offset) => {
    const placed = found.map(({ id, similarity }) => [placeOf.get(id) ?? -1, similarity] as const);
    return new Map(placed.filter(([to]) => to >= 0 && to !== start + offset));
  });
  const unknown = alike.map((places, offset) => places.filter(place => !similarities[offset]?.has(place)));
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
      return { to, closeness: closenessOf(similarity), likeness: likenessOf(from, to) };
    });
    return [{ of: from, neighbours }];
  });
}

const NONE = new Uint32Array();

/** Places of memories by trait, for traits that few have. */
async function holdersOf({ traits, rarity }: Compared): Promise<Map<number, number[]>> {
  const holders = new Map<number, number[]>();
  await eachInSteps(traits.entries(), ([place, own]) => {
    for (const trait of own) {
      const frequency = rarity.frequencyOf(trait);
      if (frequency < 2 || frequency > HOLDERS_MAX || rarity.weightOf(trait) === 0) continue;
      const known = holders.get(trait);
      if (known) known.push(place);
      else holders.set(trait, [place]);
    }
  });
  return holders;
}

interface AlikeParts {
  compared: Compared;
  holders: ReadonlyMap<number, readonly number[]>;
  likenessOf(a: number, b: number): number;
}

function mostAlike(place: number, { compared, holders, likenessOf }: AlikeParts): number[] {
  const others = new Set([...(compared.traits[place] ?? [])].flatMap(trait => holders.get(trait) ?? []));
  others.delete(place);
  return [...others]
    .map(other => ({ other, likeness: likenessOf(place, other) }))
    .sort((a, b) => b.likeness - a.likeness || a.other - b.other)
    .slice(0, NEAREST)
    .map(({ other }) => other);
}
