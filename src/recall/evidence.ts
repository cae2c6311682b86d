/** What a query says, worked out once and shared by all candidates: its words, its terms and what each term is worth. */
import { queryTerms, stem, words } from '../domain/text.js';

export interface QueryEvidence {
  /** Every word, in order. */
  words: readonly string[];
  /** Distinct stems of the words that carry meaning. */
  terms: readonly string[];
  /** Worth of each term: rare ones say more (inverse document frequency, Robertson and Spärck Jones). */
  weights: ReadonlyMap<string, number>;
}

/** Longer queries are pasted texts; their beginning says what they are about. */
const QUERY_MAX_WORDS = 64;

/**
 * @param frequencies in how many of the `memoryCount` memories each term occurs
 */
export function readEvidence(
  query: string,
  statistics: { memoryCount: number; frequencies: ReadonlyMap<string, number> },
): QueryEvidence {
  const terms = termsOf(query);
  return {
    words: words(query).slice(0, QUERY_MAX_WORDS),
    terms,
    weights: new Map(terms.map(term => [term, inverseDocumentFrequency(term, statistics)])),
  };
}

export function termsOf(query: string): string[] {
  return queryTerms(query).slice(0, QUERY_MAX_WORDS);
}

/** ln(1 + (N - n + 0.5) / (n + 0.5)), never negative. */
function inverseDocumentFrequency(
  term: string,
  { memoryCount, frequencies }: { memoryCount: number; frequencies: ReadonlyMap<string, number> },
): number {
  const frequency = frequencies.get(term) ?? 0;
  return Math.log(1 + (Math.max(memoryCount, frequency) - frequency + 0.5) / (frequency + 0.5));
}

/** What a memory's text has to offer a query. */
export interface TextEvidence {
  words: readonly string[];
  stems: readonly string[];
  tagStems: ReadonlySet<string>;
}

export function readText(content: string, tags: readonly string[]): TextEvidence {
  const found = words(content);
  return { words: found, stems: found.map(stem), tagStems: new Set(words(tags.join(' ')).map(stem)) };
}
