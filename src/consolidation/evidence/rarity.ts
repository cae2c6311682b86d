/** What traits are worth as evidence that two memories belong together: the rarer, the more. */
import { inverseDocumentFrequency } from '../../domain/term-weight.js';
import { createTraitIndex } from './trait-index.js';
import { isGiven } from './traits.js';

/** A trait that this share of all memories have tells nothing of two of them, such as the name of the only project. */
const HUB_SHARE = 0.5;
/** In a small store half of the memories are only a few, and these may well belong together. */
const HUB_FREQUENCY_MIN = 5;
/** In a small store a trait that two memories have would otherwise weigh hardly anything. */
const PRIOR_MEMORIES = 100;
/** What more than this share of all memories have says little of any two of them. */
const TELLING_SHARE = 0.05;
const TELLING_FREQUENCY_MIN = 4;

export interface Rarity {
  /** @returns for each trait its place among all that were noted */
  note(traits: Uint32Array): Int32Array;
  /** 0 for what half of all memories have. */
  weightOf(trait: number): number;
  /** What is known of all that were noted, by place: weights as of `weightOf`, and how many memories have them. */
  table(): { weights: Float64Array; frequencies: Int32Array };
  /** Whether few enough memories have it that it says something of two which do. */
  isTelling(trait: number): boolean;
  /** How many memories have it. */
  frequencyOf(trait: number): number;
  /** 0..1, the cosine of the weighted traits: 1 where both have the same ones. */
  likeness(a: Uint32Array, b: Uint32Array): number;
}

/** @param givenWeight how much more tags and entities weigh than words */
export function createRarity(givenWeight = 1): Rarity {
  const index = createTraitIndex();
  let memoryCount = 0;
  /** Worked out once: a memory is compared with many. They hold until another memory is noted. */
  let known: Float64Array | undefined;
  const frequencyOf = (trait: number) => index.frequencyAt(index.placeOf(trait));
  const weighed = (trait: number, frequency: number) => {
    if (frequency >= Math.max(HUB_FREQUENCY_MIN, memoryCount * HUB_SHARE)) return 0;
    const weight = inverseDocumentFrequency(frequency, memoryCount + PRIOR_MEMORIES);
    return isGiven(trait) ? weight * givenWeight : weight;
  };
  const weights = () => {
    if (known) return known;
    known = new Float64Array(index.size);
    for (const place of known.keys()) known[place] = weighed(index.traitAt(place), index.frequencyAt(place));
    return known;
  };
  const weightOf = (trait: number) => weights()[index.placeOf(trait)] ?? weighed(trait, 0);
  const squareOf = (traits: Iterable<number>) => {
    let sum = 0;
    for (const trait of traits) sum += weightOf(trait) ** 2;
    return sum;
  };
  return {
    note: traits => {
      memoryCount += 1;
      known = undefined;
      return Int32Array.from(traits, trait => index.note(trait));
    },
    weightOf,
    table: () => ({ weights: weights(), frequencies: index.frequencies() }),
    isTelling: trait => frequencyOf(trait) <= Math.max(TELLING_FREQUENCY_MIN, memoryCount * TELLING_SHARE),
    frequencyOf,
    likeness: (a, b) => {
      const shared = squareOf(sharedTraits(a, b));
      return shared > 0 ? shared / (Math.sqrt(squareOf(a)) * Math.sqrt(squareOf(b))) : 0;
    },
  };
}

/** @param a in ascending order, as `b` */
export function sharedTraits(a: Uint32Array, b: Uint32Array): number[] {
  const shared: number[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0);
    if (difference === 0) shared.push(a[i] ?? 0);
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return shared;
}
