/** All memories that are compared, with what tells how alike two of them are, in about two hundred bytes each. */
import { type Closeness, measureCloseness } from '../evidence/closeness.js';
import { comparedPages } from '../evidence/compared-memories.js';
import { createRarity, type Rarity } from '../evidence/rarity.js';
import { readVectors } from '../evidence/read-vectors.js';
import { traitsOf } from '../evidence/traits.js';
import type { PlanContext } from '../planner.js';

/** Vectors from which chance and the middle are measured. */
const MEASURED_MAX = 500;
/** Tags and entities were chosen to tell what a memory is about. */
const GIVEN_WEIGHT = 1.75;
/** As if so many memories lay around zero: the middle of a few memories is what they are about. */
const PRIOR_MEMORIES = 50;

export interface Compared {
  /** In ascending order. */
  ids: readonly string[];
  traits: readonly Uint32Array[];
  rarity: Rarity;
  closenessOf: Closeness;
  /** What all vectors have in common, whatever they are about. */
  middle: Float32Array;
}

export async function readCompared(context: PlanContext): Promise<Compared> {
  const ids: string[] = [];
  const traits: Uint32Array[] = [];
  const rarity = createRarity(GIVEN_WEIGHT);
  for await (const page of comparedPages(context)) {
    for (const memory of page) {
      const own = traitsOf(memory);
      ids.push(memory.id);
      traits.push(own);
      rarity.note(own);
    }
  }
  const step = Math.max(1, Math.floor(ids.length / MEASURED_MAX));
  const measured = ids.filter((_, index) => index % step === 0).slice(0, MEASURED_MAX);
  const found = await readVectors(context, measured);
  const vectors = measured.flatMap(id => found.get(id) ?? []);
  return { ids, traits, rarity, closenessOf: measureCloseness(vectors), middle: middleOf(vectors) };
}

function middleOf(vectors: readonly Float32Array[]): Float32Array {
  const middle = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (const [index, value] of vector.entries()) {
      middle[index] = (middle[index] ?? 0) + value / (vectors.length + PRIOR_MEMORIES);
    }
  }
  return middle;
}
