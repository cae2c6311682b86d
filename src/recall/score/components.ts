/** Computes, without side effects, the score components that compare words. Each component is 0..1. */
import { textHash } from '../../domain/text-hash.js';
import { type NamedDate, presenceInTime } from '../language/dates-named.js';
import { BOUNDS, RANKING } from '../ranking-constants.js';
import type { QueryEvidence, TermVariant } from './evidence.js';
import {
  hasStem,
  hasTagStem,
  keysInMetadata,
  keysPresent,
  longestRunIn,
  longestRunOfStems,
  longestRunOfWords,
  type TextEvidence,
} from './text.js';

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

export function matchTerms({ terms, keys, variants }: QueryEvidence, text: TextEvidence): TermMatches {
  const present = keysPresent(text, keys);
  const inMetadata = keysInMetadata(text, keys);
  const presenceIn = (found: readonly boolean[], index: number) =>
    found[index] ? 1 : presenceOfPieces(variants[index] ?? [], text, found);
  const inContent = terms.map((_, index) => {
    const inText = presenceIn(present, index);
    return inMetadata && inText < 1 ? Math.max(inText, BOUNDS.metadata * presenceIn(inMetadata, index)) : inText;
  });
  const inTags = new Array<boolean>(terms.length);
  let contentCount = 0;
  let tagCount = 0;
  for (let index = 0; index < terms.length; index++) {
    const isInTags = hasTagStem(text, terms[index] as string);
    inTags[index] = isInTags;
    if (inContent[index] === 1) contentCount += 1;
    if (isInTags) tagCount += 1;
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
export function ownPresence(
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
export function keywordComponent(
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
export function exactComponent({ words }: QueryEvidence, text: TextEvidence): number {
  const count = words.hashes.length;
  return count === 0 ? 0 : longestRunOfWords(text, words) / count;
}

/** Share of the question's terms that the tags have. */
export function tagComponent({ terms }: QueryEvidence, { tagCount }: TermMatches): number {
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
export function fieldCoverage(
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
export function lengthDamping({ length }: TextEvidence): number {
  const { lengthShare, usualWords } = RANKING;
  if (length <= usualWords) return 1;
  return 1 / (1 - lengthShare + (lengthShare * length) / usualWords);
}
