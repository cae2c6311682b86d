/** Computes a memory's own evidence for a question: from its words, its tags, its date and its vector. */

import { textHash } from '../../domain/text/words.js';
import { type NamedDate, presenceInTime } from '../language/dates-named.js';
import { BOUNDS, RANKING } from '../ranking-constants.js';
import type { QueryEvidence, TermVariant } from './evidence.js';
import {
  hasStem,
  keysInMetadata,
  keysPresent,
  longestRunIn,
  longestRunOfStems,
  longestRunOfWords,
  type TextEvidence,
} from './text.js';
import type { Reading } from './text-cache.js';

/** The closeness of a memory to a question in meaning. */
export interface Similarity {
  /** Cosine similarity of memory and question, 0..1. Negative values become 0. */
  cosine: number;
  /**
   * The similarity on a scale from 0 (unrelated texts) to 1 (identical texts). The whole question and the question
   * without its names contribute equally.
   */
  closeness: number;
}

/** The evidence of a memory's words, tags and date. */
export interface WordEvidence {
  text: TextEvidence;
  presence: TermPresence;
  keyword: number;
  exact: number;
  tag: number;
  /** Share of the question's total term weight that the memory's words and date cover, 0..1. */
  coverage: number;
  /** Share of the question's total term weight that words, date and tags cover, reduced for long texts, 0..1. */
  coverageOfFields: number;
  /** Factor for the length of the memory's text, from `lengthDamping`. */
  damping: number;
  /** Stem of the speaker's first name. Undefined without a speaker or outside of conversations. */
  speaker: string | undefined;
}

export interface OwnEvidence extends WordEvidence, Similarity {}

/** Compares the words of a memory with a question. */
export type WordComparison = (reading: Reading) => WordEvidence;

/** Creates a comparison that computes the evidence of each memory only once. */
export function createWordComparison(evidence: QueryEvidence): WordComparison {
  const known = new Map<Reading, WordEvidence>();
  return reading => {
    const compared = known.get(reading) ?? wordEvidence(evidence, reading);
    known.set(reading, compared);
    return compared;
  };
}

function wordEvidence(evidence: QueryEvidence, { text, notedMs, talks }: Reading): WordEvidence {
  const matches = matchTerms(evidence, text);
  const { inContent, inTags } = matches;
  const damping = lengthDamping(text);
  const presence = ownPresence(evidence, text, { inContent, notedMs });
  return {
    text,
    presence,
    keyword: keywordComponent(evidence, text, matches),
    exact: exactComponent(evidence, text),
    tag: tagComponent(evidence, matches),
    coverage: coverage(evidence, presence),
    coverageOfFields: fieldCoverage(evidence, presence, { inTags, damping }),
    damping,
    speaker: text.speaker !== undefined && talks.length > 0 ? text.speaker : undefined,
  };
}

/** Combines the evidence of words and vector. Lists each field, because spreads would make objects that V8 reads slowly. */
export function ownEvidence(words: WordEvidence, { cosine, closeness }: Similarity): OwnEvidence {
  const { text, presence, keyword, exact, tag, coverage, coverageOfFields, damping, speaker } = words;
  return {
    text,
    presence,
    keyword,
    exact,
    tag,
    coverage,
    coverageOfFields,
    damping,
    speaker,
    cosine,
    closeness,
  };
}

/** Whether the memory matches the question by its own words, date, tags or meaning. */
export function isEvidence({ coverage: covered, tag, closeness }: OwnEvidence): boolean {
  return covered > 0 || tag > 0 || closeness >= BOUNDS.closeness;
}

/** Points of a match (specification, "Scoring"). */
const CONTENT_POINTS = 2;
const TAG_POINTS = 1;

/**
 * How strongly each term of the question is present in a memory, 0..1. The presence is 1 when the content or the date
 * of the memory has the term.
 */
export type TermPresence = readonly number[];

/** Which terms of a question occur in a text, in the order of the terms. */
export interface TermMatches {
  /** 1 for the word itself, less for its pieces and for a word of the metadata. */
  inContent: readonly number[];
  inTags: readonly boolean[];
  contentCount: number;
  tagCount: number;
}

function matchTerms({ terms, placeOf, keys, variants }: QueryEvidence, text: TextEvidence): TermMatches {
  const present = keysPresent(text, keys);
  const inMetadata = keysInMetadata(text, keys);
  const presenceIn = (found: readonly boolean[], index: number) =>
    found[index] ? 1 : presenceOfPieces(variants[index] ?? [], text, found);
  const inContent = terms.map((_, index) => {
    const inText = presenceIn(present, index);
    return inMetadata && inText < 1 ? Math.max(inText, BOUNDS.metadata * presenceIn(inMetadata, index)) : inText;
  });
  const inTags = new Array<boolean>(terms.length).fill(false);
  for (const stemsOfOne of text.tags) {
    for (const stem of stemsOfOne) {
      const place = placeOf.get(stem);
      if (place !== undefined) inTags[place] = true;
    }
  }
  let contentCount = 0;
  let tagCount = 0;
  for (let index = 0; index < terms.length; index++) {
    if (inContent[index] === 1) contentCount += 1;
    if (inTags[index]) tagCount += 1;
  }
  return { inContent, inTags, contentCount, tagCount };
}

/**
 * Presence of a term of which a text has only pieces: the share of their information that the text has. Pieces that
 * many memories have say less than the term.
 */
function presenceOfPieces(variants: readonly TermVariant[], text: TextEvidence, present: readonly boolean[]): number {
  let most = 0;
  for (const { run, places, shares, multiples } of variants) {
    if (run && (!places.every(place => present[place]) || longestRunOfStems(text, run) < places.length)) continue;
    let share = 0;
    let multiple = 0;
    for (const [index, place] of places.entries()) {
      if (!present[place]) continue;
      share += shares[index] as number;
      multiple += multiples[index] as number;
    }
    most = Math.max(most, BOUNDS.pieces * share * Math.min(1, multiple));
  }
  return most;
}

/**
 * Presence of each term in the text itself. The terms of a date are present if the text contains the date, or if the
 * memory was noted at that date. They are partly present if the memory was noted soon after it.
 */
function ownPresence(
  { terms, dates }: QueryEvidence,
  text: TextEvidence,
  { inContent, notedMs }: Pick<TermMatches, 'inContent'> & { notedMs: number },
): TermPresence {
  if (dates.length === 0) return inContent;
  const inTime = dates.map(date => (isSpelled(date, text) ? 1 : presenceInTime(date, notedMs)));
  return terms.map((term, at) => {
    const ofDates = inTime.filter((_, index) => dates[index]?.terms.has(term));
    return ofDates.length > 0 ? Math.max(...ofDates) : (inContent[at] ?? 0);
  });
}

/** A text with "3 June" contains the date "3 June 2026". If the date has only one term, this term is enough. */
function isSpelled({ terms }: NamedDate, text: TextEvidence): boolean {
  const found = [...terms].filter(term => hasStem(text, textHash(term)));
  return found.length >= Math.min(BOUNDS.dateTerms, terms.size);
}

/**
 * The keyword component. A memory gets 2 points for each term in the content and 1 for each in the tags, plus 2 if the
 * terms are consecutive in the content and 1 if they are consecutive in a tag. The sum is divided by the maximum for
 * the question.
 */
function keywordComponent(
  { terms, stems }: QueryEvidence,
  text: TextEvidence,
  { contentCount, tagCount }: TermMatches,
): number {
  const count = terms.length;
  if (count === 0) return 0;
  const isPhrase = (tag: readonly string[]) => longestRunIn(tag, terms) === count;
  let points = contentCount * CONTENT_POINTS + tagCount * TAG_POINTS;
  if (contentCount === count && longestRunOfStems(text, stems) === count) points += CONTENT_POINTS;
  if (tagCount === count && text.tags.some(isPhrase)) points += TAG_POINTS;
  return points / ((count + 1) * (CONTENT_POINTS + TAG_POINTS));
}

/**
 * The exact component. It is 1 when the content contains the whole question. Otherwise it is the longest run of the
 * question's words in the content, as a share of the question.
 */
function exactComponent({ words }: QueryEvidence, text: TextEvidence): number {
  const count = words.hashes.length;
  return count === 0 ? 0 : longestRunOfWords(text, words) / count;
}

/** Share of the question's terms that the tags have. */
function tagComponent({ terms }: QueryEvidence, { tagCount }: TermMatches): number {
  return terms.length === 0 ? 0 : tagCount / terms.length;
}

/** Share of the question's total term weight that is present, 0..1. */
export function coverage({ weights, totalWeight }: QueryEvidence, presence: TermPresence): number {
  if (totalWeight === 0) return 0;
  let covered = 0;
  for (let index = 0; index < weights.length; index++) covered += (weights[index] as number) * (presence[index] ?? 0);
  return covered / totalWeight;
}

/**
 * Share of the question's total term weight that content and tags cover, 0..1. A tag counts like the content of a short
 * text.
 */
function fieldCoverage(
  { weights, totalWeight }: QueryEvidence,
  presence: TermPresence,
  { inTags, damping }: Pick<TermMatches, 'inTags'> & { damping: number },
): number {
  if (totalWeight === 0) return 0;
  let covered = 0;
  for (let index = 0; index < presence.length; index++) {
    covered += (weights[index] as number) * (inTags[index] ? 1 : (presence[index] as number) * damping);
  }
  return covered / totalWeight;
}

/**
 * Factor that lowers the score of a long text, 0..1. Such a text is more likely to contain a word by chance. The factor
 * is the length normalisation of BM25, 1 / (1 - b + b * length / usual length) (Robertson and Zaragoza, "The
 * Probabilistic Relevance Framework", 2009). Unlike in BM25, it never raises the score of a short text.
 */
function lengthDamping({ length }: TextEvidence): number {
  const { lengthShare, usualWords } = RANKING;
  if (length <= usualWords) return 1;
  return 1 / (1 - lengthShare + (lengthShare * length) / usualWords);
}
