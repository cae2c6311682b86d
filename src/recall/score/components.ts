/** The score components that the words of question and memory decide. Pure; each is 0..1. */
import { textHash } from '../../domain/text-hash.js';
import { type NamedDate, presenceInTime } from '../language/dates-named.js';
import type { QueryEvidence } from './evidence.js';
import { hasStem, hasTagStem, longestRunIn, longestRunOfStems, longestRunOfWords, type TextEvidence } from './text.js';

/** Points of a match (specification, "Scoring"). */
const CONTENT_POINTS = 2;
const TAG_POINTS = 1;

/** How far each term of the question is in a memory, 0..1: 1 when its content or the date it was noted has it. */
export type TermPresence = readonly number[];

/** Which terms of a question stand in a text, in their order. */
export interface TermMatches {
  inContent: readonly boolean[];
  inTags: readonly boolean[];
  contentCount: number;
  tagCount: number;
}

export function matchTerms({ terms, stems }: QueryEvidence, text: TextEvidence): TermMatches {
  const inContent = new Array<boolean>(terms.length);
  const inTags = new Array<boolean>(terms.length);
  let contentCount = 0;
  let tagCount = 0;
  for (let index = 0; index < terms.length; index++) {
    const isInContent = hasStem(text, stems.hashes[index] as number);
    const isInTags = hasTagStem(text, terms[index] as string);
    inContent[index] = isInContent;
    inTags[index] = isInTags;
    if (isInContent) contentCount += 1;
    if (isInTags) tagCount += 1;
  }
  return { inContent, inTags, contentCount, tagCount };
}

/** Presence of each term in a text itself, or of a date in the instant it was noted. */
export function ownPresence(
  { terms, dates }: QueryEvidence,
  text: TextEvidence,
  { inContent, notedMs }: Pick<TermMatches, 'inContent'> & { notedMs: number },
): TermPresence {
  if (dates.length === 0) return inContent.map(Number);
  const inTime = dates.map(date => (isSpelled(date, text) ? 1 : presenceInTime(date, notedMs)));
  return terms.map((term, at) => {
    const ofDates = inTime.filter((_, index) => dates[index]?.terms.has(term));
    return ofDates.length > 0 ? Math.max(...ofDates) : Number(inContent[at]);
  });
}

/** A number needs its month to be a date; the year may be missing. */
const SPELLED_MIN_TERMS = 2;

function isSpelled({ terms }: NamedDate, text: TextEvidence): boolean {
  const found = [...terms].filter(term => hasStem(text, textHash(term)));
  return found.length >= Math.min(SPELLED_MIN_TERMS, terms.size);
}

/**
 * 2 points for each term in the content and 1 for each in the tags, 2 more where the terms stand one after the other in the
 * content and 1 where they do in a tag, over the most that the question can have.
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

/** 1 when the whole question stands in the content, else the share of its longest run of words that does. */
export function exactComponent({ words }: QueryEvidence, text: TextEvidence): number {
  const count = words.hashes.length;
  return count === 0 ? 0 : longestRunOfWords(text, words) / count;
}

/** Share of the question's terms that the tags have. */
export function tagComponent({ terms }: QueryEvidence, { tagCount }: TermMatches): number {
  return terms.length === 0 ? 0 : tagCount / terms.length;
}

/** Share of the question, by weight of its terms, that a presence covers. */
export function coverage({ weights, totalWeight }: QueryEvidence, presence: TermPresence): number {
  if (totalWeight === 0) return 0;
  let covered = 0;
  for (let index = 0; index < weights.length; index++) covered += (weights[index] as number) * (presence[index] ?? 0);
  return covered / totalWeight;
}

/** A term in a tag counts this share of one in the content. */
const TAG_SHARE = 0.85;
/**
 * Share of the question, by weight of its terms, that content and tags cover, the content less the longer it is. As in BM25F
 * each field has a weight and only the content is normalised by its length.
 */
export function fieldCoverage(
  evidence: QueryEvidence,
  presence: TermPresence,
  { inTags, damping }: Pick<TermMatches, 'inTags'> & { damping: number },
): number {
  const { weights, totalWeight } = evidence;
  if (totalWeight === 0) return 0;
  let covered = 0;
  for (let index = 0; index < presence.length; index++) {
    const inContent = (presence[index] as number) * damping;
    covered += (weights[index] as number) * (inTags[index] ? Math.max(inContent, TAG_SHARE) : inContent);
  }
  return covered / totalWeight;
}

/** Up to so many stems a text loses nothing: it is about one thing. */
const DAMPED_FROM_STEMS = 60;
/** Share of what a text twice as long loses to one of the usual length, b in BM25. */
const LENGTH_SHARE = 0.24;

/**
 * What the length of a text leaves of its evidence, 0..1: a long text has every word by chance. BM25's normalisation of
 * length, 1 / (1 - b + b * length / usual length) (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009),
 * which here never raises a short text.
 */
export function lengthDamping({ length }: TextEvidence): number {
  if (length <= DAMPED_FROM_STEMS) return 1;
  return 1 / (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / DAMPED_FROM_STEMS);
}
