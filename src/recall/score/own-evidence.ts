/** Computes a memory's own evidence for a question: from its words, its tags, its date and its vector. */

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
   * The similarity on a scale from unrelated texts, 0, to identical texts, 1. The question without its names has the
   * same weight as the whole question.
   */
  closeness: number;
  /** Whether both were computed from the vectors themselves. */
  isMeasured: boolean;
}

export interface OwnEvidence extends Similarity {
  text: TextEvidence;
  presence: TermPresence;
  keyword: number;
  exact: number;
  tag: number;
  /** Share of the question that its words and its date cover, by weight of the terms, 0..1. */
  coverage: number;
  /** The same including its tags, and reduced for long texts, 0..1. */
  coverageOfFields: number;
  /** Factor for the length of its text. */
  damping: number;
  /** Stem of the speaker's first name in a conversation. */
  speaker: string | undefined;
}

export function ownEvidence(
  evidence: QueryEvidence,
  { text, notedMs, talks }: Reading,
  similarity: Similarity,
): OwnEvidence {
  const matches = matchTerms(evidence, text);
  const { inContent, inTags } = matches;
  const damping = lengthDamping(text);
  const presence = ownPresence(evidence, text, { inContent, notedMs });
  const { cosine, closeness, isMeasured } = similarity;
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
    cosine,
    closeness,
    isMeasured,
  };
}

/** Closeness below this occurs by chance. */
const CLOSENESS_MIN = 0.1;

/** Whether the memory itself matches at all. */
export function isEvidence({ coverage: covered, tag, closeness }: OwnEvidence): boolean {
  return covered > 0 || tag > 0 || closeness >= CLOSENESS_MIN;
}
