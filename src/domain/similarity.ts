/** Measures how similar two texts are by their shared words, to detect facts that are already known. */
import { inverseDocumentFrequency } from './term-weight.js';
import { beginningOf, queryTerms } from './text.js';

/** Maximum number of characters compared. Tools store no more. */
const COMPARED_MAX_LENGTH = 2_000;

/**
 * Number of imaginary memories without any of the words, added to the statistics. In a small store a word that occurs
 * once would otherwise weigh almost nothing, and a new word almost everything.
 */
const PRIOR_MEMORIES = 100;
/** "Fact number 1" and "Fact number 2" differ in only one word of three, but that word decides. */
const NUMBER_WEIGHT = 3;
const HOLDS_A_DIGIT = /\p{N}/u;

/** Number of memories in which each term occurs. */
export interface Occurrences {
  memoryCount: number;
  frequencies: ReadonlyMap<string, number>;
}

/** The distinct stems of a text that are compared. */
export function comparedTerms(text: string): Set<string> {
  return new Set(queryTerms(beginningOf(text, COMPARED_MAX_LENGTH)));
}

/**
 * Weighted Jaccard index, 0..1: the weight of the terms in both sets divided by the weight of the terms in either. A
 * term weighs its inverse document frequency (`inverseDocumentFrequency`), and three times that if it contains a digit.
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
