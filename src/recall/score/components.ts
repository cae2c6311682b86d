/** The score components that the words of question and memory decide. Pure; each is 0..1. */
import { type NamedDate, presenceInTime } from '../language/dates-named.js';
import type { QueryEvidence, TextEvidence } from './evidence.js';

/** Points of a match (specification, "Scoring"). */
const CONTENT_POINTS = 2;
const TAG_POINTS = 1;

/** How far each term of the question is in a memory, 0..1: 1 when its content or the date it was noted has it. */
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

/**
 * 2 points for each term in the content and 1 for each in the tags, 2 more where the terms stand one after the other in the
 * content and 1 where they do in a tag, over the most that the question can have.
 */
export function keywordComponent({ terms }: QueryEvidence, text: TextEvidence): number {
  if (terms.length === 0) return 0;
  const count = (stems: ReadonlySet<string>) => terms.filter(term => stems.has(term)).length;
  let points = count(text.contentStems) * CONTENT_POINTS + count(text.tagStems) * TAG_POINTS;
  if (isPhraseOf(terms, text.stems, text.contentStems)) points += CONTENT_POINTS;
  if (text.tags.some(stems => isPhraseOf(terms, stems, text.tagStems))) points += TAG_POINTS;
  return points / ((terms.length + 1) * (CONTENT_POINTS + TAG_POINTS));
}

/** @param known stems of which those of the text are some: most texts lack one of the terms, which is soon seen */
function isPhraseOf(terms: readonly string[], stems: readonly string[], known: ReadonlySet<string>): boolean {
  return terms.every(term => known.has(term)) && longestRun(terms, stems) === terms.length;
}

/** 1 when the whole question stands in the content, else the share of its longest run of words that does. */
export function exactComponent({ words }: QueryEvidence, text: TextEvidence): number {
  return words.length === 0 ? 0 : longestRun(words, text.words) / words.length;
}

/** Share of the question's terms that the tags have. */
export function tagComponent({ terms }: QueryEvidence, text: TextEvidence): number {
  if (terms.length === 0) return 0;
  return terms.filter(term => text.tagStems.has(term)).length / terms.length;
}

/** Share of the question, by weight of its terms, that a presence covers. */
export function coverage({ weights, totalWeight }: QueryEvidence, presence: TermPresence): number {
  if (totalWeight === 0) return 0;
  let covered = 0;
  for (const [index, weight] of weights.entries()) covered += weight * (presence[index] ?? 0);
  return covered / totalWeight;
}

/** What a tag says of a memory, as a share of what its content says. */
const TAG_SHARE = 0.73;
/** Above 1: one memory that covers the question says more than several that each cover a part. */
const COVERAGE_POWER = 1.2;

/**
 * Share of the question, by weight of its terms, that content and tags cover, the content less the longer it is. As in BM25F
 * each field has a weight and only the content is normalised by its length.
 */
export function lexicalComponent(evidence: QueryEvidence, text: TextEvidence, presence: TermPresence): number {
  const damping = lengthDamping(text);
  const inFields = evidence.terms.map((term, index) =>
    Math.max((presence[index] ?? 0) * damping, text.tagStems.has(term) ? TAG_SHARE : 0),
  );
  return coverage(evidence, inFields) ** COVERAGE_POWER;
}

/** Up to so many stems a text loses nothing: it is about one thing. */
const DAMPED_FROM_STEMS = 65;
/** Share of what a text twice as long loses to one of the usual length, b in BM25. */
const LENGTH_SHARE = 0.22;

/**
 * What the length of a text leaves of its evidence, 0..1: a long text has every word by chance. BM25's normalisation of
 * length, 1 / (1 - b + b * length / usual length) (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009),
 * which here never raises a short text.
 */
export function lengthDamping({ stems }: TextEvidence): number {
  if (stems.length <= DAMPED_FROM_STEMS) return 1;
  return 1 / (1 - LENGTH_SHARE + (LENGTH_SHARE * stems.length) / DAMPED_FROM_STEMS);
}

/** Length of the longest run of `needle` that stands in `haystack`: the longest common substring, over words. */
export function longestRun(needle: readonly string[], haystack: readonly string[]): number {
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
