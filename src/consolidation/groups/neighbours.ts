/** The nearest memories of each memory: those that the vector index names, and those that share the rarest traits. */
import { dotProduct } from '../../domain/vectors.js';
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
  const { ids, traits, rarity, closenessOf } = compared;
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const holders = await holdersOf(compared);
  const search = { limit: NEAREST + 1, filter: { validAtMs: context.nowMs }, models: context.models, isRough: true };
  const likenessOf = (a: number, b: number) => rarity.likeness(traits[a] ?? NONE, traits[b] ?? NONE);
  for (let start = 0; start < ids.length; start += MEMORIES_AT_ONCE) {
    await context.onPage();
    const part = ids.slice(start, start + MEMORIES_AT_ONCE).map((id, offset) => ({ id, from: start + offset }));
    const own = await context.vectors.vectorsOf(part.map(({ id }) => id));
    // The index searches while the traits are compared here.
    const searches = part.map(async ({ id }) => {
      const vector = own.get(id);
      return vector ? context.vectors.search({ ...search, vector }) : [];
    });
    const alike = part.map(({ from }) => mostAlike(from, { compared, holders, likenessOf }));
    const others = await context.vectors.vectorsOf(alike.flat().map(place => ids[place] as string));
    const found: Neighbourhood[] = [];
    for (const [index, hits] of (await Promise.all(searches)).entries()) {
      const { id, from } = part[index] as (typeof part)[number];
      const vector = own.get(id);
      if (!vector) continue;
      const similarities = new Map<number, number>();
      for (const hit of hits) {
        const to = placeOf.get(hit.id);
        if (to !== undefined && to !== from) similarities.set(to, hit.similarity);
      }
      for (const to of alike[index] ?? []) {
        const other = others.get(ids[to] as string);
        if (other) similarities.set(to, dotProduct(vector, other));
      }
      const neighbours = Array.from(similarities, ([to, similarity]): Neighbour => {
        return { to, closeness: closenessOf(similarity), likeness: likenessOf(from, to) };
      });
      found.push({ of: from, neighbours });
    }
    yield found;
  }
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
