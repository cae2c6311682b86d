/** Measures how similar two texts are by their shared words, to detect facts that are already known. */
import { inverseDocumentFrequency } from './term-weight.js';
import { beginningOf, queryTerms } from './text.js';

/** Maximum number of characters compared. By default, tools do not store longer contents. */
const COMPARED_MAX_LENGTH = 2_000;

/**
 * Number of imaginary memories that are added to the statistics and contain none of the words. Without them, a word
 * that occurs once in a small store would weigh almost nothing, and a new word would outweigh all others.
 */
const PRIOR_MEMORIES = 100;
/**
 * Factor for the weight of a term with a digit. Without it, "Fact number 1" and "Fact number 2" would seem alike,
 * because they differ in only one word of three.
 */
const NUMBER_WEIGHT = 3;
const HOLDS_A_DIGIT = /\p{N}/u;

/** Number of memories in which each term occurs. */
export interface Occurrences {
  memoryCount: number;
  frequencies: ReadonlyMap<string, number>;
}

/** Returns the distinct stems by which a text is compared with other texts. */
export function comparedTerms(text: string): Set<string> {
  return new Set(queryTerms(beginningOf(text, COMPARED_MAX_LENGTH)));
}

/**
 * Weighted Jaccard index, 0..1: the weight of the terms that both sets contain, divided by the weight of the terms that
 * at least one set contains. The weight of a term is its inverse document frequency (`inverseDocumentFrequency`),
 * tripled if the term contains a digit.
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
