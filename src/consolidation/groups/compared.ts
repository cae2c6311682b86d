/**
 * Reads the data from which the similarity of any two compared memories is computed. The data takes about two hundred
 * bytes for each memory.
 */

import { inSteps } from '../../event-loop.js';
import { type Closeness, comparedPages, measureCloseness, readVectors } from '../evidence/compared-memories.js';
import { createRarity, type Rarity, traitsOf } from '../evidence/traits.js';
import type { PlanContext } from '../planner.js';
import { createRows, placesByNumber, type Rows, rowAt } from '../rows.js';

/** Maximum number of vectors from which the similarity expected by chance is measured. */
const MEASURED_MAX = 500;
/**
 * Weight of tags and entities relative to words. It is higher, because tags and entities name the subject of a memory.
 */
const GIVEN_WEIGHT = 1.75;

export interface Compared {
  /** In ascending order. */
  ids: readonly string[];
  /** For each memory, the positions of its traits in `weights`, in ascending order of the traits. */
  traits: Rows;
  /** Weight of each trait, and the number of memories that have it. */
  weights: Float64Array;
  frequencies: Int32Array;
  rarity: Rarity;
  closenessOf: Closeness;
}

export async function readCompared(context: PlanContext): Promise<Compared> {
  const ids: string[] = [];
  const traits = createRows();
  const rarity = createRarity(GIVEN_WEIGHT);
  for await (const page of comparedPages(context)) {
    for await (const memory of inSteps(page)) {
      ids.push(memory.id);
      traits.add(rarity.note(traitsOf(memory)));
    }
  }
  const step = Math.max(1, Math.floor(ids.length / MEASURED_MAX));
  const measured = ids.filter((_, index) => index % step === 0).slice(0, MEASURED_MAX);
  const found = await readVectors(context, measured);
  return {
    ids,
    traits: traits.finish(),
    ...rarity.table(),
    rarity,
    closenessOf: measureCloseness(measured.flatMap(id => found.get(id) ?? [])),
  };
}

/** Maximum number of memories with a trait. A more frequent trait is not used to find similar memories. */
const HOLDERS_MAX = 64;
const HOLDERS_MIN = 2;

export interface Alike {
  /** Returns the cosine of the weighted traits of two memories, 0..1: 1 if both memories have the same traits. */
  likeness(a: number, b: number): number;
  /** Returns the positions of the most similar memories, at most `limit`, best first. */
  mostAlike(place: number, limit: number): number[];
}

type Given = Pick<Compared, 'traits' | 'weights' | 'frequencies'>;

/** Precomputes the length of the weighted trait vector of each memory, and lists the memories with each rare trait. */
export function createAlike(given: Given): Alike {
  const { traits, weights } = given;
  const squares = weights.map(weight => weight ** 2);
  const lengths = lengthsOf(traits, squares);
  const holders = holdersOf(given);
  /** For each trait, the value that `question` had when `ask` last met this trait. */
  const isOwn = new Int32Array(weights.length);
  let asked = -1;
  let question = 0;

  const ask = (place: number) => {
    if (asked === place) return;
    asked = place;
    question += 1;
    for (const trait of rowAt(traits, place)) isOwn[trait] = question;
  };

  const likeness = (a: number, b: number) => {
    ask(a);
    const end = traits.starts[b + 1] as number;
    let shared = 0;
    for (let at = traits.starts[b] as number; at < end; at++) {
      const trait = traits.values[at] as number;
      if (isOwn[trait] === question) shared += squares[trait] as number;
    }
    return shared > 0 ? shared / ((lengths[a] as number) * (lengths[b] as number)) : 0;
  };

  const othersOf = (place: number) => {
    const others = new Set<number>();
    for (const trait of rowAt(traits, place)) for (const other of rowAt(holders, trait)) others.add(other);
    others.delete(place);
    return others;
  };

  return {
    likeness,
    mostAlike: (place, limit) =>
      Array.from(othersOf(place), other => ({ other, likeness: likeness(place, other) }))
        .sort((a, b) => b.likeness - a.likeness || a.other - b.other)
        .slice(0, limit)
        .map(({ other }) => other),
  };
}

function lengthsOf({ starts, values }: Rows, squares: Float64Array): Float64Array {
  const lengths = new Float64Array(starts.length - 1);
  for (const place of lengths.keys()) {
    let sum = 0;
    for (let at = starts[place] as number; at < (starts[place + 1] as number); at++) {
      sum += squares[values[at] as number] as number;
    }
    lengths[place] = Math.sqrt(sum);
  }
  return lengths;
}

/** Returns, for each rare trait, the positions of the memories that have the trait. */
function holdersOf({ traits: { starts, values }, weights, frequencies }: Given): Rows {
  const leads = (trait: number) => {
    const frequency = frequencies[trait] as number;
    return frequency >= HOLDERS_MIN && frequency <= HOLDERS_MAX && weights[trait] !== 0;
  };
  const leading = values.map(trait => (leads(trait) ? trait : -1));
  const holders = placesByNumber(leading, weights.length);
  // Map `holders.values`, which are positions in `values`, to memories. `values` is ordered by memory.
  let place = 0;
  const memoryAt = new Int32Array(values.length);
  for (const at of values.keys()) {
    while (at >= (starts[place + 1] as number)) place += 1;
    memoryAt[at] = place;
  }
  return { starts: holders.starts, values: holders.values.map(at => memoryAt[at] as number) };
}
