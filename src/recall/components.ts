/** The score components that words decide. Pure; each is 0..1 (decisions D17, D18). */
import { type NamedDate, presenceInTime } from './dates-named.js';
import type { QueryEvidence, TextEvidence } from './evidence.js';

/** Points of a match, from the specification; each is multiplied with the worth of its term. */
const CONTENT_POINTS = 2;
const TAG_POINTS = 1;

/**
 * How far each term of the query is in the content, 0..1: 1 when the content holds it or was noted on the date that it says,
 * less when only what was said just before or after does.
 */
export type TermPresence = readonly number[];

/** Presence of each term in a text itself, or of a date in the instant it was noted. */
export function ownPresence({ terms, dates }: QueryEvidence, text: TextEvidence, notedMs: number): number[] {
  const inTime = dates.map(date => (isSpelled(date, text) ? 1 : presenceInTime(date, notedMs)));
  return terms.map(term => {
    const ofDates = inTime.filter((_, index) => dates[index]?.terms.has(term));
    return ofDates.length > 0 ? Math.max(...ofDates) : text.contentStems.has(term) ? 1 : 0;
  });
}

/** A day's number alone is no date; with its month it is one, whatever the year. */
const SPELLED_MIN_TERMS = 2;

function isSpelled({ terms }: NamedDate, { contentStems }: TextEvidence): boolean {
  const found = [...terms].filter(term => contentStems.has(term));
  return found.length >= Math.min(SPELLED_MIN_TERMS, terms.size);
}

/** What a text offers a question beside the presence of its terms. */
export interface OwnEvidence {
  tagStems: ReadonlySet<string>;
  /** The terms stand in the content one after the other. */
  hasPhrase: boolean;
}

export function hasPhrase({ terms }: QueryEvidence, text: TextEvidence): boolean {
  return (
    terms.length > 0 &&
    terms.every(term => text.contentStems.has(term)) &&
    longestRun(terms, text.stems) === terms.length
  );
}

/**
 * Points for each term in content and tags, with a bonus for the terms as a phrase, over the points of a content that
 * holds them all as a phrase, at most 1. The phrase counts as one more term of average worth.
 */
export function keywordComponent(evidence: QueryEvidence, own: OwnEvidence, presence: TermPresence): number {
  const { terms, weights, totalWeight } = evidence;
  if (totalWeight === 0) return 0;
  const phraseWeight = totalWeight / terms.length;
  let points = own.hasPhrase ? phraseWeight * CONTENT_POINTS : 0;
  let termsInTags = 0;
  for (const [index, term] of terms.entries()) {
    const weight = weights[index] ?? 0;
    points += weight * CONTENT_POINTS * (presence[index] ?? 0);
    if (!own.tagStems.has(term)) continue;
    points += weight * TAG_POINTS;
    termsInTags += 1;
  }
  if (termsInTags === terms.length) points += phraseWeight * TAG_POINTS;
  return Math.min(1, points / ((totalWeight + phraseWeight) * CONTENT_POINTS));
}

/** 1 when the whole query stands in the content, else the share of its longest run of words that does. */
export function exactComponent({ words }: QueryEvidence, text: TextEvidence): number {
  return words.length === 0 ? 0 : longestRun(words, text.words) / words.length;
}

/** Share of the query's terms that the tags hold. */
export function tagComponent({ terms }: QueryEvidence, text: TextEvidence): number {
  if (terms.length === 0) return 0;
  return terms.filter(term => text.tagStems.has(term)).length / terms.length;
}

/** Length of the longest run of `needle` that stands in `haystack`: the longest common substring, over words. */
function longestRun(needle: readonly string[], haystack: readonly string[]): number {
  const sought = new Set(needle);
  let previous = new Uint16Array(needle.length + 1);
  let current = new Uint16Array(needle.length + 1);
  let longest = 0;
  for (const word of haystack) {
    if (sought.has(word)) {
      for (let index = 0; index < needle.length; index++) {
        const run = needle[index] === word ? (previous[index] ?? 0) + 1 : 0;
        current[index + 1] = run;
        if (run > longest) longest = run;
      }
    } else current.fill(0);
    [previous, current] = [current, previous];
  }
  return longest;
}
