/**
 * Chooses which words of a search are looked up, so that the cost of a search does not grow with the number of
 * memories. Also merges rankings. The same rules apply in every store.
 */
import { type Condition, isSetCondition, type SetField } from '../domain/filter.js';
import { inverseDocumentFrequency } from '../domain/text/terms.js';
import type { TermStatistics, TextHit } from './ports/search-index.js';

/** A term that occurs in more than this share of all memories hardly distinguishes them. Rarer terms are preferred. */
const COMMON_SHARE = 0.25;

export interface WeightedTerm {
  term: string;
  /** Inverse document frequency. */
  weight: number;
}

export interface TermPlan {
  /** The terms that occur in at least one memory, rarest first. */
  terms: readonly WeightedTerm[];
  /** The rarest term, and further terms that fit the budget. Common terms are included only if all terms are common. */
  affordable: readonly WeightedTerm[];
}

export interface TermBudget {
  statistics: TermStatistics;
  /** Upper bound of the number of memories that meet every `SetCondition` of the filter. */
  scopeSize: number;
  /** Maximum number of index entries that may be read. */
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
  return { terms: rarestFirst, affordable };
}

/** A value of a field. A search asks how many memories have this value. */
export type ScopeValue = readonly [field: SetField, value: string];

/** Returns the values whose frequencies `scopeSizeOf` needs. */
export function scopeFields(conditions: readonly Condition[]): ScopeValue[] {
  return conditions
    .filter(isSetCondition)
    .flatMap(({ field, needs, values }) => (needs === 'none' ? [] : values.map((value): ScopeValue => [field, value])));
}

/** Computes an upper bound of the number of memories that meet the conditions, from the frequency of each value. */
export function scopeSizeOf(conditions: readonly Condition[], frequencyOf: (...value: ScopeValue) => number): number {
  const sizes = conditions.filter(isSetCondition).map(({ field, needs, values }) => {
    const counts = values.map(value => frequencyOf(field, value));
    if (needs === 'none') return Number.POSITIVE_INFINITY;
    return needs === 'all' ? Math.min(...counts) : counts.reduce((sum, count) => sum + count, 0);
  });
  return Math.min(...sizes);
}

/** Merges rankings. A memory may occur in more than one of them, with a lower score if fewer terms were used. */
export function bestOf<Hit extends TextHit>(
  rankings: readonly (readonly Hit[])[],
  limit: number,
  inOrder: (a: Hit, b: Hit) => number,
): Hit[] {
  const hits = new Map<string, Hit>();
  for (const hit of rankings.flat()) if (hit.score > (hits.get(hit.id)?.score ?? 0)) hits.set(hit.id, hit);
  return [...hits.values()].sort(inOrder).slice(0, limit);
}
