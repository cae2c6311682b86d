/** How much two texts say the same, by the words they share: for telling that something is known already. */
import { inverseDocumentFrequency } from './term-weight.js';
import { beginningOf, queryTerms } from './text.js';

/** Characters that are compared. Tools store no more. */
const COMPARED_MAX_LENGTH = 2_000;

/**
 * As if there were so many more memories, none of which holds any of the words. In a small store a word that occurs once
 * would otherwise weigh hardly anything, and one that is new nearly everything.
 */
const PRIOR_MEMORIES = 100;
/** "Fact number 1" and "Fact number 2" differ in one word of three, and in all that matters. */
const NUMBER_WEIGHT = 3;
const HOLDS_A_DIGIT = /\p{N}/u;

/** In how many memories each term occurs. */
export interface Occurrences {
  memoryCount: number;
  frequencies: ReadonlyMap<string, number>;
}

/** The distinct stems that a text is compared by. */
export function comparedTerms(text: string): Set<string> {
  return new Set(queryTerms(beginningOf(text, COMPARED_MAX_LENGTH)));
}

/**
 * Weighted Jaccard index, 0..1: the weight of the terms that both sets have over the weight of those that either has. A
 * term weighs its inverse document frequency (`inverseDocumentFrequency`), three times as much where it holds a digit.
 */
export function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>, occurrences: Occurrences): number {
  let shared = 0;
  let all = 0;
  for (const term of new Set([...a, ...b])) {
    const weight = weightOf(term, occurrences);
    all += weight;
    if (a.has(term) && b.has(term)) shared += weight;
  }
  return all > 0 ? shared / all : 0;
}

function weightOf(term: string, { frequencies, memoryCount }: Occurrences): number {
  const rarity = inverseDocumentFrequency(frequencies.get(term) ?? 0, memoryCount + PRIOR_MEMORIES);
  return HOLDS_A_DIGIT.test(term) ? rarity * NUMBER_WEIGHT : rarity;
}
