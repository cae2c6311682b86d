/** What a memory itself has to say to a question: by its words, its tags, its date and its vector. */

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

/** How close a memory is to a question in meaning. */
export interface Similarity {
  /** Cosine similarity of memory and question, 0..1: what lies below 0 says no less than 0. */
  cosine: number;
  /** The same on a scale from unrelated texts, 0, to identity, 1, with as much weight for the question without its names. */
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
  /** Share of the question, by weight of its terms, that its words and its date cover, 0..1. */
  coverage: number;
  /** The same with its tags, and less the longer the text is, 0..1. */
  coverageOfFields: number;
  /** What the length of its text leaves of its words. */
  damping: number;
  /** Stem of the first name of who says it in a talk. */
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

/** Closeness below this is chance. */
const CLOSENESS_MIN = 0.1;

/** Whether the memory itself matches at all. */
export function isEvidence({ coverage: covered, tag, closeness }: OwnEvidence): boolean {
  return covered > 0 || tag > 0 || closeness >= CLOSENESS_MIN;
}
