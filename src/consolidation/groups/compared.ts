/**
 * Reads the data from which the similarity of any two compared memories is computed. The data takes about two hundred
 * bytes for each memory.
 */
import { type Closeness, measureCloseness } from '../evidence/closeness.js';
import { comparedPages } from '../evidence/compared-memories.js';
import { createRarity, type Rarity } from '../evidence/rarity.js';
import { readVectors } from '../evidence/read-vectors.js';
import { traitsOf } from '../evidence/traits.js';
import { eachInSteps } from '../in-steps.js';
import type { PlanContext } from '../planner.js';
import { createRows, type Rows } from '../rows.js';

/** Maximum number of vectors from which the mean and the similarity expected by chance are measured. */
const MEASURED_MAX = 500;
/**
 * Weight of tags and entities relative to words. It is higher, because tags and entities name the subject of a memory.
 */
const GIVEN_WEIGHT = 1.75;
/**
 * Number of zero vectors that are included in the mean. Without these zero vectors, the mean of only a few memories
 * would be their common subject.
 */
const PRIOR_MEMORIES = 50;

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
  /**
   * Mean of at most `MEASURED_MAX` vectors. It is subtracted from each vector, because it does not distinguish
   * subjects.
   */
  middle: Float32Array;
}

export async function readCompared(context: PlanContext): Promise<Compared> {
  const ids: string[] = [];
  const traits = createRows();
  const rarity = createRarity(GIVEN_WEIGHT);
  for await (const page of comparedPages(context)) {
    await eachInSteps(page, memory => {
      ids.push(memory.id);
      traits.add(rarity.note(traitsOf(memory)));
    });
  }
  const step = Math.max(1, Math.floor(ids.length / MEASURED_MAX));
  const measured = ids.filter((_, index) => index % step === 0).slice(0, MEASURED_MAX);
  const found = await readVectors(context, measured);
  const vectors = measured.flatMap(id => found.get(id) ?? []);
  return {
    ids,
    traits: traits.finish(),
    ...rarity.table(),
    rarity,
    closenessOf: measureCloseness(vectors),
    middle: middleOf(vectors),
  };
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
