/** Splits the terms of a search into rare and common ones, and combines the common ones. */
import type { TermStatistics } from '../ports/search-index.js';
import type { WeightedTerm } from '../text-plan.js';

/** A term is common if it occurs in more memories than this. */
const FEW_POSTINGS = 100;
/** Maximum number of common terms that are searched apart, because they are searched in all their combinations. */
const COMMON_MAX = 3;

/** The terms of a search in two parts, each rarest first. */
export interface SplitTerms {
  rare: readonly WeightedTerm[];
  common: readonly WeightedTerm[];
}

/** @param terms rarest first */
export function splitTerms(terms: readonly WeightedTerm[], { frequencies }: TermStatistics): SplitTerms {
  const isCommon = ({ term }: WeightedTerm) => (frequencies.get(term) ?? 0) > FEW_POSTINGS;
  const firstCommon = terms.length > 1 ? terms.findIndex(isCommon) : -1;
  const first = firstCommon < 0 ? terms.length : Math.max(firstCommon, terms.length - COMMON_MAX);
  return { rare: terms.slice(0, first), common: terms.slice(first) };
}

export interface TermCombination {
  present: readonly WeightedTerm[];
  /** The terms of which a memory of this combination contains none. */
  absent: readonly WeightedTerm[];
  /** Sum of the weights of the present terms. */
  weight: number;
  /** Estimated share of all memories, 0..1, if the terms were independent. */
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
