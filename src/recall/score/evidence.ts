/** Analyses a question once, so that it can be compared with many memories. */
import { inverseDocumentFrequency } from '../../domain/term-weight.js';
import { queryTerms, words } from '../../domain/text.js';
import { textHash } from '../../domain/text-hash.js';
import type { TermStatistics } from '../../stores/ports/search-index.js';
import type { NamedDate } from '../language/dates-named.js';
import { namesIn } from '../language/names.js';
import { BOUNDS, RANKING } from '../ranking-constants.js';
import { type PreparedRun, prepareRun } from './text.js';

export interface QueryEvidence {
  /** All words, in order. */
  words: PreparedRun;
  /** Distinct stems of the meaningful words. */
  terms: readonly string[];
  /** The hashes of the terms, in order. */
  stems: PreparedRun;
  /** Weight of each term, in the order of the terms. Rare terms weigh more. */
  weights: readonly number[];
  totalWeight: number;
  /** For each term, whether exactly one memory has it. */
  isInOneMemory: readonly boolean[];
  /** The terms that are names. */
  names: ReadonlySet<string>;
  /** The dates that the question names. A memory noted at such a date counts as containing the terms of the date. */
  dates: readonly NamedDate[];
}

export function readEvidence(
  query: string,
  { memoryCount, frequencies }: TermStatistics,
  dates: readonly NamedDate[] = [],
): QueryEvidence {
  const terms = termsOf(query);
  const rarity = terms.map(term => inverseDocumentFrequency(frequencies.get(term) ?? 0, memoryCount));
  const weights = withDates(terms, rarity, dates);
  return {
    words: prepareRun(words(query).slice(0, BOUNDS.questionWords).map(textHash)),
    terms,
    stems: prepareRun(terms.map(textHash)),
    weights,
    totalWeight: sum(weights),
    isInOneMemory: terms.map(term => frequencies.get(term) === 1),
    names: new Set(queryTerms(namesIn(query).join(' '))),
    dates,
  };
}

function withDates(terms: readonly string[], weights: readonly number[], dates: readonly NamedDate[]): number[] {
  const others = weights.filter((_, index) => !dates.some(date => date.terms.has(terms[index] ?? '')));
  if (others.length === 0) return [...weights];
  const dateWeight = (sum(others) / others.length) * RANKING.dateWeight;
  return weights.map((weight, index) => {
    const date = dates.find(each => each.terms.has(terms[index] ?? ''));
    return date ? dateWeight / date.terms.size : weight;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function termsOf(query: string): string[] {
  return queryTerms(query).slice(0, BOUNDS.questionWords);
}
