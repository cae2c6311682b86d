/** Analyzes a query once, so that it can be compared with many memories. */
import { inverseDocumentFrequency, type QueryTerm, readQuery, stems } from '../../domain/text/terms.js';
import { wordHash, words } from '../../domain/text/words.js';
import type { TermStatistics } from '../../stores/ports/search-index.js';
import { type NamedDate, namesIn } from '../language/names-and-dates.js';
import { BOUNDS, RANKING } from '../ranking-constants.js';
import { type Phrase, phraseOf } from './text.js';

export interface AnalyzedQuery {
  /** All words, in order. */
  words: Phrase;
  /** Distinct stems of the meaningful words. */
  terms: readonly string[];
  /** The terms, in order. */
  stems: Phrase;
  /** The places of the terms, and then of the terms of their variants, by hash. */
  keys: ReadonlyMap<number, number>;
  /** The other ways to find each term that some memory has, in the order of the terms. */
  variants: readonly (readonly TermVariant[])[];
  /** Weight of each term, in the order of the terms. Rare terms weigh more. */
  weights: readonly number[];
  totalWeight: number;
  /** For each term, whether exactly one memory has it. */
  isInOneMemory: readonly boolean[];
  /** The terms that are names. */
  names: ReadonlySet<string>;
  /** The dates that the query names. A memory noted at such a date counts as containing the terms of the date. */
  dates: readonly NamedDate[];
}

/** Other terms that stand for a term together. */
export interface TermVariant {
  /** The keys in order, if a text must have all of them one after the other. */
  phrase?: Phrase;
  /** The places of the keys in `AnalyzedQuery.keys`. */
  places: readonly number[];
  /** The information of each key as a share of that of all keys, 0..1. */
  shares: readonly number[];
  /** The information of each key as a multiple of that of the term. */
  multiples: readonly number[];
}

/** @param queryTerms the terms of the text, as `termsOf` returns them */
export function analyzeQuery(
  { text, terms: given, dates = [] }: { text: string; terms: readonly QueryTerm[]; dates?: readonly NamedDate[] },
  { memoryCount, frequencies }: TermStatistics,
): AnalyzedQuery {
  const rarityOf = (term: string) => inverseDocumentFrequency(frequencies.get(term) ?? 0, memoryCount);
  const known = given.filter(({ term, isName }) => !isName || frequencies.get(term));
  const terms = known.map(({ term }) => term);
  const weights = withDates(terms, terms.map(rarityOf), dates);
  const keys = new Map(terms.map((term, place) => [wordHash(term), place]));
  const variants = known.map(each => variantsOf(each, { keys, rarityOf, frequencies }));
  return {
    words: phraseOf(words(text).slice(0, BOUNDS.queryWords)),
    terms,
    stems: phraseOf(terms),
    keys,
    variants,
    weights,
    totalWeight: sum(weights),
    isInOneMemory: terms.map(term => frequencies.get(term) === 1),
    names: new Set(stems(namesIn(text).join(' '))),
    dates,
  };
}

function withDates(terms: readonly string[], weights: readonly number[], dates: readonly NamedDate[]): number[] {
  const others = weights.filter((_, index) => !dates.some(date => date.terms.has(terms[index] ?? '')));
  if (dates.length === 0 || others.length === 0) return [...weights];
  const dateWeight = (sum(others) / others.length) * RANKING.dateWeight;
  return weights.map((weight, index) => {
    const date = dates.find(each => each.terms.has(terms[index] ?? ''));
    return date ? dateWeight / date.terms.size : weight;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface Variants {
  /** The keys of the variants are added. */
  keys: Map<number, number>;
  rarityOf(term: string): number;
  frequencies: ReadonlyMap<string, number>;
}

/** Keeps the variants that some memory may have. */
function variantsOf(
  { term, spellings, pieces }: QueryTerm,
  { keys, rarityOf, frequencies }: Variants,
): readonly TermVariant[] {
  const isKnown = (each: string) => frequencies.get(each);
  const placeOf = (each: string) => {
    const place = keys.get(wordHash(each)) ?? keys.size;
    keys.set(wordHash(each), place);
    return place;
  };
  const toVariant = (terms: readonly string[]): TermVariant => {
    const rarities = terms.map(rarityOf);
    const total = sum(rarities);
    return {
      places: terms.map(placeOf),
      shares: rarities.map(rarity => rarity / total),
      multiples: rarities.map(rarity => rarity / rarityOf(term)),
    };
  };
  return [
    ...spellings
      .filter(each => each.every(isKnown))
      .map(each => ({ ...toVariant(each), ...(each.length > 1 && { phrase: phraseOf(each) }) })),
    ...pieces.filter(each => each.some(isKnown)).map(toVariant),
  ];
}

/** The terms of a query. */
export function termsOf(text: string): QueryTerm[] {
  return readQuery(text, BOUNDS.queryWords);
}

/** The terms and the keys of their variants: all that a search looks up. */
export function searchKeys(terms: readonly QueryTerm[]): string[] {
  const others = terms.flatMap(({ spellings, pieces }) => [...spellings.flat(), ...pieces.flat()]);
  return [...new Set([...terms.map(({ term }) => term), ...others])];
}
