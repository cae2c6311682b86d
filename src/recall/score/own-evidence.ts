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
   * The similarity on a scale from 0 (unrelated texts) to 1 (identical texts). The question without its names has the
   * same weight as the whole question.
   */
  closeness: number;
  /** Whether both numbers were computed from the vectors themselves. */
  isMeasured: boolean;
}

export interface OwnEvidence extends Similarity {
  text: TextEvidence;
  presence: TermPresence;
  keyword: number;
  exact: number;
  tag: number;
  /** Share of the question that the memory's words and date cover, 0..1. Each term has its weight. */
  coverage: number;
  /** Share of the question that the memory's words, date and tags cover, reduced for long texts, 0..1. */
  coverageOfFields: number;
  /** Factor for the length of the memory's text. */
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

/** Minimum closeness. A lower closeness occurs by chance. */
const CLOSENESS_MIN = 0.1;

/** Whether the memory itself matches in any way. */
export function isEvidence({ coverage: covered, tag, closeness }: OwnEvidence): boolean {
  return covered > 0 || tag > 0 || closeness >= CLOSENESS_MIN;
}
