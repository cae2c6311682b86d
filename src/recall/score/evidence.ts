/** Computes a memory's own evidence for a query: from its words, its tags, its date and its vector. */

import { wordHash } from '../../domain/text/words.js';
import { type NamedDate, presenceInTime } from '../language/names-and-dates.js';
import type { Candidate } from '../pool.js';
import { BOUNDS, RANKING, SPECIFIED } from '../ranking-constants.js';
import type { AnalyzedQuery, TermVariant } from './analyzed-query.js';
import { type AnalyzedMemory, type AnalyzedText, hasStem, hasTagStem, longestRun } from './text.js';

export interface Evidence {
  presence: TermPresence;
  keyword: number;
  exact: number;
  tag: number;
  /** Share of the query's total term weight that the memory's words and date cover, 0..1. */
  coverage: number;
  /** Share of the query's total term weight that words, date and tags cover, reduced for long texts, 0..1. */
  coverageOfFields: number;
  /** Factor for the length of the memory's text, from `lengthDamping`. */
  damping: number;
  /** Stem of the speaker's first name. Undefined without a speaker or outside of conversations. */
  speaker: string | undefined;
  /** Cosine similarity of the vectors of memory and query, 0..1. Negative values become 0. */
  cosine: number;
  /**
   * The similarity in meaning, from 0 for unrelated texts to 1 for identical ones. The whole query and the query
   * without its names contribute equally.
   */
  similarity: number;
}

/**
 * How strongly each term of the query is present in a memory, 0..1. The presence is 1 when the content or the date
 * of the memory has the term.
 */
export type TermPresence = readonly number[];

/** The evidence without that of the vector, which the caller adds. */
export function evidenceOfWords(query: AnalyzedQuery, { text, createdMs, conversations }: AnalyzedMemory): Evidence {
  const matches = matchTerms(query, text);
  const presence =
    query.dates.length === 0 ? matches.inContent : presenceWithDates(query, text, { matches, createdMs });
  const damping = lengthDamping(text.words.length);
  const inFields = presence.map((present, index) => (matches.inTags[index] ? 1 : present * damping));
  const { terms, words } = query;
  return {
    presence,
    keyword: keywordComponent(query, text, matches),
    exact: words.hashes.length === 0 ? 0 : longestRun(text.words, words) / words.hashes.length,
    tag: terms.length === 0 ? 0 : matches.tagCount / terms.length,
    coverage: coverage(query, presence),
    coverageOfFields: coverage(query, inFields),
    damping,
    speaker: conversations.length > 0 ? text.speaker : undefined,
    cosine: 0,
    similarity: 0,
  };
}

/** Whether the memory matches the query by its own words, date, tags or meaning. */
export function isEvidence({ coverage: covered, tag, similarity }: Evidence): boolean {
  return covered > 0 || tag > 0 || similarity >= BOUNDS.similarity;
}

/** The presence of each term of the query in content, date or tags, 0..1. */
export function presenceInFields({ query, own, text }: Pick<Candidate, 'query' | 'own' | 'text'>): number[] {
  return query.analysis.stems.hashes.map((stem, index) => (hasTagStem(text, stem) ? 1 : (own.presence[index] ?? 0)));
}

/** Which terms of a query occur in a text, in the order of the terms. */
interface TermMatches {
  /** 1 for the word itself, less for its pieces and for a word of the metadata. */
  inContent: readonly number[];
  inTags: readonly boolean[];
  contentCount: number;
  tagCount: number;
}

function matchTerms({ terms, keys, variants }: AnalyzedQuery, text: AnalyzedText): TermMatches {
  const inText = keysIn(keys, text.stems, text.further);
  const inMetadata = keysIn(keys, text.metadata);
  const tagStems = keysIn(keys, ...text.tags);
  const inContent: number[] = [];
  let contentCount = 0;
  let tagCount = 0;
  for (const [index, ofTerm] of variants.entries()) {
    const byContent = inText[index] ? 1 : presenceOfPieces(ofTerm, text, inText);
    const byMetadata = inMetadata[index] ? 1 : presenceOfPieces(ofTerm, text, inMetadata);
    inContent.push(Math.max(byContent, BOUNDS.metadata * byMetadata));
    if (inContent[index] === 1) contentCount += 1;
    if (tagStems[index]) tagCount += 1;
  }
  return { inContent, inTags: tagStems.slice(0, terms.length), contentCount, tagCount };
}

/** For the place of each key, whether one of the texts has it. */
function keysIn(keys: ReadonlyMap<number, number>, ...texts: readonly ArrayLike<number>[]): boolean[] {
  const found = new Array<boolean>(keys.size).fill(false);
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      const place = keys.get(text[at] as number);
      if (place !== undefined) found[place] = true;
    }
  }
  return found;
}

/**
 * Presence of a term of which a text has only pieces: the share of their information that the text has. Pieces that
 * many memories have say less than the term.
 */
function presenceOfPieces(variants: readonly TermVariant[], text: AnalyzedText, found: readonly boolean[]): number {
  let most = 0;
  for (const { phrase, places, shares, multiples } of variants) {
    if (phrase && longestRun(text.stems, phrase) < places.length) continue;
    let share = 0;
    let multiple = 0;
    for (const [index, place] of places.entries()) {
      if (!found[place]) continue;
      share += shares[index] as number;
      multiple += multiples[index] as number;
    }
    most = Math.max(most, BOUNDS.pieces * share * Math.min(1, multiple));
  }
  return most;
}

/**
 * Presence of each term. The terms of a date are present if the text contains the date, or if the memory was noted at
 * that date. They are partly present if the memory was noted soon after it.
 */
function presenceWithDates(
  { terms, dates }: AnalyzedQuery,
  text: AnalyzedText,
  { matches, createdMs }: { matches: TermMatches; createdMs: number },
): TermPresence {
  const ofDates = dates.map(date => (isSpelled(date, text) ? 1 : presenceInTime(date, createdMs)));
  return terms.map((term, index) => {
    const ofTerm = ofDates.filter((_, date) => dates[date]?.terms.has(term));
    return ofTerm.length > 0 ? Math.max(...ofTerm) : (matches.inContent[index] ?? 0);
  });
}

/** A text with "3 June" contains the date "3 June 2026". If the date has only one term, this term is enough. */
function isSpelled({ terms }: NamedDate, text: AnalyzedText): boolean {
  const found = [...terms].filter(term => hasStem(text, wordHash(term)));
  return found.length >= Math.min(BOUNDS.dateTerms, terms.size);
}

/**
 * The keyword component. A memory gets 2 points for each term in the content and 1 for each in the tags, plus 2 if the
 * terms are consecutive in the content and 1 if they are consecutive in a tag. The sum is divided by the maximum for
 * the query.
 */
function keywordComponent(
  { terms, stems }: AnalyzedQuery,
  text: AnalyzedText,
  { contentCount, tagCount }: TermMatches,
): number {
  const count = terms.length;
  if (count === 0) return 0;
  let points = contentCount * SPECIFIED.contentPoints + tagCount * SPECIFIED.tagPoints;
  if (contentCount === count && longestRun(text.stems, stems) === count) points += SPECIFIED.contentPoints;
  if (tagCount === count && text.tags.some(tag => longestRun(tag, stems) === count)) points += SPECIFIED.tagPoints;
  return points / ((count + 1) * (SPECIFIED.contentPoints + SPECIFIED.tagPoints));
}

/** Share of the query's total term weight that is present, 0..1. */
export function coverage({ weights, totalWeight }: AnalyzedQuery, presence: TermPresence): number {
  if (totalWeight === 0) return 0;
  let covered = 0;
  for (let index = 0; index < weights.length; index++) covered += (weights[index] as number) * (presence[index] ?? 0);
  return covered / totalWeight;
}

/**
 * Factor that lowers the score of a long text, 0..1. Such a text is more likely to contain a word by chance. The factor
 * is the length normalization of BM25, 1 / (1 - b + b * length / usual length) (Robertson and Zaragoza, "The
 * Probabilistic Relevance Framework", 2009). Unlike in BM25, it never raises the score of a short text.
 */
function lengthDamping(length: number): number {
  const { lengthShare, usualWords } = RANKING;
  if (length <= usualWords) return 1;
  return 1 / (1 - lengthShare + (lengthShare * length) / usualWords);
}
