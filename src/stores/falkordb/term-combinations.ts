/** Splits the terms of a search into separate terms and up to three frequent terms that are searched in combinations. */
import type { TermStatistics } from '../ports/search-index.js';
import type { WeightedTerm } from '../text-plan.js';

/** A term is frequent if more memories than this contain it. */
const FREQUENT_ABOVE = 100;
/** Minimum number of rows for which combined terms are worth a statement of their own. */
const ROWS_MIN = 500;
/** Maximum number of combined terms. `n` terms have 2^n - 1 combinations, and each combination is one search. */
const COMBINED_MAX = 3;

/** The terms of a search in two parts, each rarest first. */
export interface SplitTerms {
  separate: readonly WeightedTerm[];
  /** Frequent terms. A search for a single term has none, because it needs no combinations. */
  combined: readonly WeightedTerm[];
}

/**
 * @param terms rarest first
 * @param passingShare share of the memories that pass the filter, 0..1
 */
export function splitTerms(
  terms: readonly WeightedTerm[],
  { frequencies }: TermStatistics,
  passingShare: number,
): SplitTerms {
  const frequencyOf = ({ term }: WeightedTerm) => frequencies.get(term) ?? 0;
  const postingsOf = (some: readonly WeightedTerm[]) => some.reduce((sum, term) => sum + frequencyOf(term), 0);
  const firstFrequent = terms.findIndex(term => frequencyOf(term) > FREQUENT_ABOVE);
  const firstCombined = firstFrequent < 0 ? terms.length : Math.max(firstFrequent, terms.length - COMBINED_MAX);
  const [separate, combined] = [terms.slice(0, firstCombined), terms.slice(firstCombined)];
  // For few rows, grouping is faster than a further statement. If most rows belong to separate terms, combinations would
  // only add to the work.
  const rows = postingsOf(combined) * passingShare;
  const isWorthwhile = terms.length > 1 && rows >= ROWS_MIN && postingsOf(combined) >= postingsOf(separate);
  return isWorthwhile ? { separate, combined } : { separate: terms, combined: [] };
}

export interface TermCombination {
  present: readonly WeightedTerm[];
  /** The terms of which a memory of this combination contains none. */
  absent: readonly WeightedTerm[];
  /** Sum of the weights of the present terms. */
  weight: number;
  /** Estimated share of all memories that contain exactly these terms, 0..1. The estimate assumes independent terms. */
  expectedShare: number;
}

/** Returns every combination of one or more of the terms, greatest weight first. */
export function combinationsOf(terms: readonly WeightedTerm[], statistics: TermStatistics): TermCombination[] {
  const { memoryCount, frequencies } = statistics;
  const shareOf = ({ term }: WeightedTerm) => (frequencies.get(term) ?? 0) / Math.max(1, memoryCount);
  const combination = (bits: number): TermCombination => {
    const isPresent = (at: number) => ((bits >> at) & 1) === 1;
    const shares = terms.map((term, at) => (isPresent(at) ? shareOf(term) : 1 - shareOf(term)));
    const present = terms.filter((_, at) => isPresent(at));
    return {
      present,
      absent: terms.filter((_, at) => !isPresent(at)),
      weight: weightOf(present),
      expectedShare: shares.reduce((product, share) => product * Math.max(0, share), 1),
    };
  };
  const all = Array.from({ length: 2 ** terms.length - 1 }, (_, index) => combination(index + 1));
  return all.sort((a, b) => b.weight - a.weight);
}

export function weightOf(terms: readonly WeightedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}
