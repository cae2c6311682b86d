/** The traits of a memory, encoded as numbers, so that the traits of a hundred thousand memories fit in memory. */
import { entitiesOf, entitySlug, isEntityNames, isEntityTag, ownTags, slugOf } from '../../domain/entity.js';
import type { Memory } from '../../domain/memory.js';
import { tagKey } from '../../domain/tags.js';
import { inverseDocumentFrequency } from '../../domain/text/terms.js';
import { stem, wordHash, words } from '../../domain/text/words.js';
import { comparedTerms, PRIOR_MEMORIES } from '../../replacement/wording.js';

/** Maximum number of terms of a memory. Only the first terms of a longer text are used. */
const TERMS_MAX = 60;

export type TraitKind = 'entity' | 'tag' | 'term';

interface NamedTrait {
  kind: TraitKind;
  /** The slug of an entity, the key of a tag, or the stem of a word. */
  name: string;
}

/** Returns the distinct traits: entities, tags given by callers, and the stems of the meaningful words. */
function namedTraits(memory: Pick<Memory, 'content' | 'tags' | 'metadata'>): NamedTrait[] {
  const tags = ownTags(memory).map(tagKey);
  const slugs = entitySlugs(memory);
  const terms = comparedTerms(memory.content);
  // A name that occurs in the text already counts through its words, so the name itself must not count too.
  const unwritten = [...slugs].filter(slug => !slug.split('-').every(word => terms.has(stem(word))));
  const of = (kind: TraitKind, names: Iterable<string>) => Array.from(names, (name): NamedTrait => ({ kind, name }));
  return [
    ...of('entity', unwritten),
    ...of('tag', new Set(tags.filter(tag => !isEntityTag(tag)))),
    ...of('term', [...terms].slice(0, TERMS_MAX)),
  ];
}

/** Returns the slugs of the entities that enrichment found, and of the entities in tags. */
function entitySlugs(memory: Pick<Memory, 'tags' | 'metadata'>): Set<string> {
  const { entities } = memory.metadata;
  return new Set([
    ...(isEntityNames(entities) ? entitiesOf(entities).map(({ name }) => slugOf(name)) : []),
    ...memory.tags.flatMap(tag => entitySlug(tagKey(tag)) ?? []),
  ]);
}

/** Returns the distinct traits in ascending order. Collisions of two traits are rare enough to be ignored. */
export function traitsOf(memory: Pick<Memory, 'content' | 'tags' | 'metadata'>): Uint32Array {
  return Uint32Array.from(new Set(namedTraits(memory).map(traitNumber))).sort();
}

/** Returns 31 bits of a hash, and one bit for the kind: 0 for the stem of a word, 1 for any other trait. */
export function traitNumber({ kind, name }: NamedTrait): number {
  return ((wordHash(`${kind}:${name}`) << 1) | (kind === 'term' ? 0 : 1)) >>> 0;
}

/** Whether the trait is a tag or the name of an entity, and not a word of the text. */
function isGiven(trait: number): boolean {
  return trait % 2 === 1;
}

/**
 * If at least this share of all memories have a trait, such as the name of the only project, the trait does not show
 * that two memories belong together.
 */
const HUB_SHARE = 0.5;
/** If more than this share of all memories have a trait, the trait is weak evidence that two memories are related. */
const INFORMATIVE_SHARE = 0.05;
/**
 * A trait of fewer memories than this number always counts, even if they are half of a small store. A group of this
 * size may belong together.
 */
const FEW_MEMORIES = 5;

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
  let memoryCount = 0;
  /** Positions of the traits, in the order in which they were first noted, and the frequency at each position. */
  const places = new Map<number, number>();
  const frequencies: number[] = [];
  /** Cache of the weights of all traits, because every comparison uses them. `note` clears the cache. */
  let known: Float64Array | undefined;
  const noteTrait = (trait: number) => {
    const place = places.get(trait) ?? places.size;
    places.set(trait, place);
    frequencies[place] = (frequencies[place] ?? 0) + 1;
    return place;
  };
  const frequencyOf = (trait: number) => frequencies[places.get(trait) ?? -1] ?? 0;
  const weighed = (trait: number) => {
    const frequency = frequencyOf(trait);
    if (frequency >= Math.max(FEW_MEMORIES, memoryCount * HUB_SHARE)) return 0;
    const weight = inverseDocumentFrequency(frequency, memoryCount + PRIOR_MEMORIES);
    return isGiven(trait) ? weight * givenWeight : weight;
  };
  const weights = () => {
    known ??= Float64Array.from(places.keys(), weighed);
    return known;
  };
  const weightOf = (trait: number) => weights()[places.get(trait) ?? -1] ?? weighed(trait);
  const squareOf = (traits: Iterable<number>) => {
    let sum = 0;
    for (const trait of traits) sum += weightOf(trait) ** 2;
    return sum;
  };
  return {
    note: traits => {
      memoryCount += 1;
      known = undefined;
      return Int32Array.from(traits, noteTrait);
    },
    weightOf,
    table: () => ({ weights: weights(), frequencies: Int32Array.from(frequencies) }),
    isInformative: trait => {
      const frequency = frequencyOf(trait);
      return frequency < FEW_MEMORIES || frequency <= memoryCount * INFORMATIVE_SHARE;
    },
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
