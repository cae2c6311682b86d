/** Analyses a question once, so that it can be compared with many memories. */
import { inverseDocumentFrequency, type QueryTerm, readQuery, stems } from '../../domain/text/terms.js';
import { textHash, words } from '../../domain/text/words.js';
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
  /** The place of each term in `terms`. */
  placeOf: ReadonlyMap<string, number>;
  /** The hashes of the terms, in order. */
  stems: PreparedRun;
  /** The hashes of the terms, and then of the terms of their variants. */
  keys: PreparedRun;
  /** The other ways to find each term that some memory has, in the order of the terms. */
  variants: readonly (readonly TermVariant[])[];
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

/** Other terms that stand for a term together. */
export interface TermVariant {
  /** The keys in order, if a text must have all of them one after the other. */
  run?: PreparedRun;
  /** The places of the keys in `QueryEvidence.keys`. */
  places: readonly number[];
  /** The information of each key as a share of that of all keys, 0..1. */
  shares: readonly number[];
  /** The information of each key as a multiple of that of the term. */
  multiples: readonly number[];
}

/** @param asked the terms of the question, as `askedTerms` returns them */
export function readEvidence(
  { query, asked: given }: { query: string; asked: readonly QueryTerm[] },
  statistics: TermStatistics,
  dates: readonly NamedDate[] = [],
): QueryEvidence {
  const { memoryCount, frequencies } = statistics;
  const asked = given.filter(({ term, isName }) => !isName || (frequencies.get(term) ?? 0) > 0);
  const terms = asked.map(({ term }) => term);
  const rarity = terms.map(term => inverseDocumentFrequency(frequencies.get(term) ?? 0, memoryCount));
  const weights = withDates(terms, rarity, dates);
  const { keys, variants } = readVariants(asked, statistics);
  return {
    words: prepareRun(words(query).slice(0, BOUNDS.questionWords).map(textHash)),
    terms,
    placeOf: new Map(terms.map((term, place) => [term, place])),
    stems: prepareRun(terms.map(textHash)),
    keys: prepareRun(keys.map(textHash)),
    variants,
    weights,
    totalWeight: sum(weights),
    isInOneMemory: terms.map(term => frequencies.get(term) === 1),
    names: new Set(stems(namesIn(query).join(' '))),
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

/** Keeps the variants that some memory may have. */
function readVariants(asked: readonly QueryTerm[], { memoryCount, frequencies }: TermStatistics) {
  const places = new Map(asked.map(({ term }, place) => [term, place]));
  const placeOf = (key: string) => {
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place;
  };
  const rarityOf = (key: string) => inverseDocumentFrequency(frequencies.get(key) ?? 0, memoryCount);
  const isKnown = (key: string) => (frequencies.get(key) ?? 0) > 0;
  const variants = asked.map(({ term, spellings, pieces }) =>
    [
      ...spellings.filter(keys => keys.every(isKnown)).map(keys => ({ keys, isRun: true })),
      ...pieces.filter(keys => keys.some(isKnown)).map(keys => ({ keys, isRun: false })),
    ].map(({ keys, isRun }): TermVariant => {
      const rarity = keys.map(rarityOf);
      const total = sum(rarity);
      return {
        ...(isRun && keys.length > 1 && { run: prepareRun(keys.map(textHash)) }),
        places: keys.map(placeOf),
        shares: rarity.map(each => each / total),
        multiples: rarity.map(each => each / rarityOf(term)),
      };
    }),
  );
  return { keys: [...places.keys()], variants };
}

export function askedTerms(query: string): QueryTerm[] {
  return readQuery(query, BOUNDS.questionWords);
}

/** The terms and the keys of their variants: all that a search looks up. */
export function searchKeys(asked: readonly QueryTerm[]): string[] {
  const terms = asked.map(({ term }) => term);
  const others = asked.flatMap(({ spellings, pieces }) => [...spellings.flat(), ...pieces.flat()]);
  return [...new Set([...terms, ...others])].slice(0, BOUNDS.searchKeys);
}
