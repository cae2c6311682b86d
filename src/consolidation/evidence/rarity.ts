/** The weight of traits as evidence that two memories belong together: rare traits weigh more. */

import type { Memory } from '../../domain/memory.js';
import { inverseDocumentFrequency } from '../../domain/text/terms.js';
import { stem, words } from '../../domain/text/words.js';
import { entitySlugs, isGiven, type NamedTrait, namedTraits, traitNumber } from './traits.js';

/**
 * If at least this share of all memories have a trait, such as the name of the only project, the trait does not show
 * that two memories belong together.
 */
const HUB_SHARE = 0.5;
/**
 * If fewer memories than this number have a trait, the trait always counts, even if these memories are half of a
 * small store. A group of this size may belong together.
 */
const HUB_FREQUENCY_MIN = 5;
/**
 * Added to the number of memories. Otherwise a trait that two memories share would have almost no weight in a small
 * store.
 */
const PRIOR_MEMORIES = 100;
/** If more than this share of all memories have a trait, the trait is weak evidence that two memories are related. */
const INFORMATIVE_SHARE = 0.05;
const INFORMATIVE_FREQUENCY_MIN = 4;

export interface Rarity {
  /** @returns the position of each trait among all noted traits */
  note(traits: Uint32Array): Int32Array;
  /**
   * Returns the weight of a trait. It is 0 if at least five memories and at least half of all memories have it.
   */
  weightOf(trait: number): number;
  /**
   * Returns the weight of each noted trait, as `weightOf` returns it, and the number of memories that have the trait.
   * Both arrays are indexed by the position of the trait.
   */
  table(): { weights: Float64Array; frequencies: Int32Array };
  /** Whether the trait is rare. Two memories that share a rare trait probably belong together. */
  isInformative(trait: number): boolean;
  /** Returns the number of memories with the trait. */
  frequencyOf(trait: number): number;
  /** Returns the cosine of the weighted traits of two memories, 0..1: 1 if both memories have the same traits. */
  likeness(a: Uint32Array, b: Uint32Array): number;
}

/** @param givenWeight weight of tags and entities relative to words */
export function createRarity(givenWeight = 1): Rarity {
  const index = createTraitIndex();
  let memoryCount = 0;
  /** Cache of the weights of all traits, because every comparison uses them. `note` clears the cache. */
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
    isInformative: trait => frequencyOf(trait) <= Math.max(INFORMATIVE_FREQUENCY_MIN, memoryCount * INFORMATIVE_SHARE),
    frequencyOf,
    likeness: (a, b) => {
      const shared = squareOf(sharedTraits(a, b));
      return shared > 0 ? shared / (Math.sqrt(squareOf(a)) * Math.sqrt(squareOf(b))) : 0;
    },
  };
}

/** @param a in ascending order, like `b` */
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

export interface TraitIndex {
  /** Number of distinct traits. */
  readonly size: number;
  /** Counts an occurrence of the trait. Returns the position of the trait, counted from 0. */
  note(trait: number): number;
  /** Returns the position of the trait, or -1 for a trait that was never noted. */
  placeOf(trait: number): number;
  /** Returns how often the trait at this position was noted. */
  frequencyAt(place: number): number;
  traitAt(place: number): number;
  /** Returns the frequencies of all traits, by position. */
  frequencies(): Int32Array;
}

const FIRST_SLOTS = 1_024;
const FREE = -1;

/**
 * Uses open addressing with at most half of the slots occupied. A trait is already a hash, so it is not hashed again.
 */
export function createTraitIndex(): TraitIndex {
  let places = new Int32Array(FIRST_SLOTS).fill(FREE);
  let traits = new Uint32Array(FIRST_SLOTS / 2);
  let frequencies = new Int32Array(FIRST_SLOTS / 2);
  let size = 0;
  const slotOf = (trait: number) => {
    const last = places.length - 1;
    // The lowest bit of a trait encodes its kind, so the slot is chosen by the other bits.
    for (let slot = (trait >>> 1) & last; ; slot = (slot + 1) & last) {
      const place = places[slot] as number;
      if (place === FREE || traits[place] === trait) return slot;
    }
  };
  const grow = () => {
    places = new Int32Array(places.length * 2).fill(FREE);
    traits = longer(traits, new Uint32Array(places.length / 2));
    frequencies = longer(frequencies, new Int32Array(places.length / 2));
    for (let place = 0; place < size; place++) places[slotOf(traits[place] as number)] = place;
  };
  const add = (trait: number) => {
    if (size === traits.length) grow();
    traits[size] = trait;
    places[slotOf(trait)] = size;
    size += 1;
    return size - 1;
  };
  const placeOf = (trait: number) => places[slotOf(trait)] as number;
  return {
    get size() {
      return size;
    },
    note: trait => {
      const known = placeOf(trait);
      const place = known === FREE ? add(trait) : known;
      frequencies[place] = (frequencies[place] as number) + 1;
      return place;
    },
    placeOf,
    frequencyAt: place => frequencies[place] ?? 0,
    traitAt: place => traits[place] ?? 0,
    frequencies: () => frequencies.slice(0, size),
  };
}

function longer<List extends Uint32Array | Int32Array>(list: List, empty: List): List {
  empty.set(list);
  return empty;
}

export interface SharedWords {
  /** The shared words as the first memory spells them, rarest first. */
  shown: readonly string[];
  /** Number of independent words among the shared words: the words of one name count as one word. */
  independentCount: number;
}

type Text = Pick<Memory, 'content' | 'tags' | 'metadata'>;

export function sharedWords(a: Text, b: Text, rarity: Rarity): SharedWords {
  const ofB = new Set(namedTraits(b).map(traitNumber));
  const shared = namedTraits(a)
    .map(trait => ({ trait, number: traitNumber(trait) }))
    .filter(({ number }) => ofB.has(number) && rarity.isInformative(number))
    .sort((one, other) => rarity.weightOf(other.number) - rarity.weightOf(one.number))
    .map(({ trait }) => trait);
  const spelled = new Map(words(a.content).map(word => [stem(word), word]));
  return {
    shown: shared.map(({ kind, name }) => (kind === 'term' ? (spelled.get(name) ?? name) : name)),
    independentCount: countIndependent(shared, [...entitySlugs(a), ...entitySlugs(b)]),
  };
}

function countIndependent(shared: readonly NamedTrait[], slugs: readonly string[]): number {
  const left = new Set(shared.filter(({ kind }) => kind === 'term').map(({ name }) => name));
  let count = shared.length - left.size;
  for (const slug of slugs) {
    const stems = slug.split('-').map(stem);
    if (!stems.every(each => left.has(each))) continue;
    for (const each of stems) left.delete(each);
    count += 1;
  }
  return count + left.size;
}
