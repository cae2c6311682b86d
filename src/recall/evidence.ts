/** What a query says and what a memory's text offers it, each worked out once. */
import { isEntityTag } from '../domain/entity.js';
import { inverseDocumentFrequency } from '../domain/term-weight.js';
import { queryTerms, stem, words } from '../domain/text.js';
import type { TermStatistics } from '../stores/graph-store.js';

export interface QueryEvidence {
  /** Every word, in order. */
  words: readonly string[];
  /** Distinct stems of the words that carry meaning. */
  terms: readonly string[];
  /** Worth of each term, in their order: rare ones say more. */
  weights: readonly number[];
  totalWeight: number;
}

/** Longer queries are pasted texts; their beginning says what they are about. */
const QUERY_MAX_WORDS = 64;

export function readEvidence(query: string, { memoryCount, frequencies }: TermStatistics): QueryEvidence {
  const terms = termsOf(query);
  const weights = terms.map(term => inverseDocumentFrequency(frequencies.get(term) ?? 0, memoryCount));
  return {
    words: words(query).slice(0, QUERY_MAX_WORDS),
    terms,
    weights,
    totalWeight: weights.reduce((sum, weight) => sum + weight, 0),
  };
}

export function termsOf(query: string): string[] {
  return queryTerms(query).slice(0, QUERY_MAX_WORDS);
}

/** What a memory's text has to offer a query. */
export interface TextEvidence {
  words: readonly string[];
  stems: readonly string[];
  contentStems: ReadonlySet<string>;
  tagStems: ReadonlySet<string>;
}

export function readText(content: string, tags: readonly string[]): TextEvidence {
  const found = words(content);
  const contentStems = found.map(stem);
  return {
    words: found,
    stems: contentStems,
    contentStems: new Set(contentStems),
    // What the content names is no evidence twice.
    tagStems: new Set(words(tags.filter(tag => !isEntityTag(tag)).join(' ')).map(stem)),
  };
}
