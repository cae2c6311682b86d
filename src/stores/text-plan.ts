/** Which words of a search are looked up, by the same rules in every store: its cost must not grow with the memory. */
import { type Condition, isSetCondition } from '../domain/filter.js';
import type { SetField } from '../domain/filter-fields.js';
import { inverseDocumentFrequency } from '../domain/term-weight.js';
import type { TermStatistics } from './ports/search-index.js';

/** A term in more than this share of all memories finds nothing that rarer ones would not. */
const COMMON_SHARE = 0.25;

export interface WeightedTerm {
  term: string;
  /** Inverse document frequency. */
  weight: number;
}

export interface TermPlan {
  /** Those that occur, rarest first. */
  terms: readonly WeightedTerm[];
  /** Those of them that tell memories apart, as far as the budget reaches; the rarest in any case. */
  affordable: readonly WeightedTerm[];
  /** Whether the budget reaches for all of them. */
  isComplete: boolean;
}

export interface TermBudget {
  statistics: TermStatistics;
  /** At most so many memories meet the set conditions of the filter. */
  scopeSize: number;
  /** Index entries that may be read. */
  postingsMax: number;
}

export function planTerms(terms: readonly string[], { statistics, scopeSize, postingsMax }: TermBudget): TermPlan {
  const { memoryCount, frequencies } = statistics;
  const frequencyOf = ({ term }: WeightedTerm) => frequencies.get(term) ?? 0;
  const rarestFirst = terms
    .map(term => ({ term, weight: inverseDocumentFrequency(frequencies.get(term) ?? 0, memoryCount) }))
    .filter(each => frequencyOf(each) > 0)
    .sort((a, b) => frequencyOf(a) - frequencyOf(b));
  const distinctive = rarestFirst.filter(each => frequencyOf(each) <= memoryCount * COMMON_SHARE);
  const candidates = distinctive.length > 0 ? distinctive : rarestFirst;
  let postings = 0;
  const affordable = candidates.filter((each, index) => {
    postings += Math.min(frequencyOf(each), scopeSize);
    return index === 0 || postings <= postingsMax;
  });
  return {
    terms: rarestFirst,
    affordable,
    isComplete: affordable.length === rarestFirst.length && postings <= postingsMax,
  };
}

/** A value of a field, in how many of whose memories a search is interested. */
export type ScopeValue = readonly [field: SetField, value: string];

/** The values whose frequencies `scopeSizeOf` asks for. */
export function scopeFields(conditions: readonly Condition[]): ScopeValue[] {
  return conditions
    .filter(isSetCondition)
    .flatMap(({ field, needs, values }) => (needs === 'none' ? [] : values.map((value): ScopeValue => [field, value])));
}

/** An upper bound of how many memories meet the conditions, from how many have each value. */
export function scopeSizeOf(conditions: readonly Condition[], frequencyOf: (...value: ScopeValue) => number): number {
  const sizes = conditions.filter(isSetCondition).map(({ field, needs, values }) => {
    const counts = values.map(value => frequencyOf(field, value));
    if (needs === 'none') return Number.POSITIVE_INFINITY;
    return needs === 'all' ? Math.min(...counts) : counts.reduce((sum, count) => sum + count, 0);
  });
  return Math.min(...sizes);
}
