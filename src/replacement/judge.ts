/**
 * Decides whether one of two memories may replace the other: both are about the same thing. Which of them is right is
 * left to an assistant or a person. Pure and symmetric.
 */

import { haveOtherScopes } from '../domain/entity.js';
import { stem, words } from '../domain/text/words.js';
import type { Embedder } from '../embedding/embedder.js';
import { type Occurrences, scopeTerms, type Wording, weightOf } from './wording.js';

/**
 * Minimum likeness, measured on pairs of notes of which a half are updates. With a model that understands meaning, the
 * likeness is mostly closeness in meaning. Other vectors add nothing to the words.
 */
const LEAST = { byMeaning: 0.33, byWords: 0.3 };
const MEANING_SHARE = 0.65;
/**
 * Share of the surroundings that is subtracted from the closeness. In a store with many notes on one subject, two notes
 * about one thing are closer to each other than to these.
 */
const SURROUNDINGS_SHARE = 0.5;
/** Number of neighbours that are the surroundings of a memory. */
const SURROUNDING = 10;
/** Minimum share of the distinct words that two duplicates have in common. */
const DUPLICATE_FROM = 0.75;
const NEGATION = /^(?:not?|never|neither|nor)$/;
/** A word with a digit or a capital letter is often a value, and two memories with different values are no duplicates. */
const MAY_BE_VALUE = /[\p{N}\p{Lu}]/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const WORDS_NAMED = 4;

/** The evidence of two vectors of a model that understands meaning. */
export interface Meaning {
  /** Cosine similarity of the two vectors. */
  similarity: number;
  /** Similarities of one of the memories with its nearest other memories, highest first. */
  others: readonly number[];
}

export type Verdict = 'duplicate' | 'replaced';

export interface Judge {
  /** Whether pairs are judged by their vectors too. Without vectors, such a judge cannot judge a pair. */
  readonly usesMeaning: boolean;
  /** @returns the likeness of two memories, 0..1, by estimate if `occurrences` lacks some of their terms */
  likeness(a: Wording, b: Wording, evidence: { occurrences: Occurrences; meaning?: Meaning | undefined }): number;
  /** Whether two memories with this likeness may replace each other. */
  isEnough(likeness: number): boolean;
}

export function createJudge({
  understandsMeaning,
  unrelatedSimilarity,
}: Pick<Embedder, 'understandsMeaning' | 'unrelatedSimilarity'>): Judge {
  const closenessOf = (similarity: number) =>
    Math.max(0, (similarity - unrelatedSimilarity) / (1 - unrelatedSimilarity));
  const least = understandsMeaning ? LEAST.byMeaning : LEAST.byWords;
  return {
    usesMeaning: understandsMeaning,
    likeness: (a, b, { occurrences, meaning }) => {
      if (haveOtherScopes(a.scopes, b.scopes)) return 0;
      const byWords = overlap(a, b, occurrences);
      if (!understandsMeaning) return byWords;
      if (!meaning) return 0;
      const others = meaning.others.slice(0, SURROUNDING).reduce((sum, each) => sum + closenessOf(each), 0);
      const closeness = closenessOf(meaning.similarity) - (SURROUNDINGS_SHARE * others) / SURROUNDING;
      return MEANING_SHARE * closeness + (1 - MEANING_SHARE) * byWords;
    },
    isEnough: likeness => likeness >= least,
  };
}

/** Cosine of the weighted terms, 0..1. */
function overlap(a: Wording, b: Wording, occurrences: Occurrences): number {
  const given = scopeTerms(a, b);
  const weigh = (terms: Iterable<string>) => {
    let sum = 0;
    for (const term of terms) if (!given.has(term)) sum += weightOf(term, occurrences);
    return sum;
  };
  const both = weigh([...a.terms].filter(term => b.terms.has(term)));
  return both === 0 ? 0 : both / Math.sqrt(weigh(a.terms) * weigh(b.terms));
}

/** Tells a memory that says nothing new from one that says something else about the same thing. */
export function verdictOn(a: Wording, b: Wording): Verdict {
  const all = new Set([...a.said, ...b.said]);
  const shared = [...a.said].filter(term => b.said.has(term));
  const isSame =
    shared.length >= DUPLICATE_FROM * all.size && valuesBeside(a, b).length === 0 && valuesBeside(b, a).length === 0;
  return isSame ? 'duplicate' : 'replaced';
}

/** Returns the words of one memory that may be values and that the other lacks. */
function valuesBeside({ memory }: Wording, other: Wording): string[] {
  const theirs = new Set(words(other.memory.content).map(stem));
  // The first word has a capital letter in any case.
  const [first = '', ...rest] = memory.content.match(WORD) ?? [];
  const mine = [first.toLowerCase(), ...rest].filter(word => MAY_BE_VALUE.test(word));
  return [...mine, ...words(memory.content).filter(word => NEGATION.test(word))].filter(
    written => !words(written).every(word => theirs.has(stem(word))),
  );
}

/** Says in a few words why two memories may replace each other. */
export function reasonFor(newer: Wording, older: Wording, occurrences: Occurrences): string {
  if (verdictOn(newer, older) === 'duplicate') return 'says nearly the same';
  const written = new Map([...words(newer.memory.content)].map(word => [stem(word), word]));
  const shared = [...written.keys()]
    .filter(term => newer.said.has(term) && older.terms.has(term))
    .sort((a, b) => weightOf(b, occurrences) - weightOf(a, occurrences))
    .slice(0, WORDS_NAMED);
  return shared.length > 0 ? `shares ${shared.map(term => written.get(term)).join(', ')}` : 'is close in meaning';
}
