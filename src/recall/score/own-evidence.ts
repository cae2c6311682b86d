/** Computes a memory's own evidence for a question: from its words, its tags, its date and its vector. */

import { BOUNDS } from '../ranking-constants.js';
import {
  coverage,
  exactComponent,
  fieldCoverage,
  keywordComponent,
  lengthDamping,
  matchTerms,
  ownPresence,
  type TermPresence,
  tagComponent,
} from './components.js';
import type { QueryEvidence } from './evidence.js';
import type { TextEvidence } from './text.js';
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
