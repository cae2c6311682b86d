/** A memory under consideration, with the evidence for it gathered so far. */
import type { Invalidity } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { FoundBy, Replaced, Successor } from '../domain/recall-results.js';
import type { RelationType } from '../domain/relation.js';
import { exactComponent, hasPhrase, ownPresence, type TermPresence, tagComponent } from './components.js';
import { type QueryEvidence, readText, type TextEvidence } from './evidence.js';
import type { Score, ScoreRules } from './score.js';

export interface Candidate {
  memory: Memory;
  text: TextEvidence;
  /** Which terms of the query its own content holds. */
  presence: TermPresence;
  /** They stand there one after the other. */
  hasPhrase: boolean;
  /** Share of the longest run of the query's words that its content holds, 0..1. */
  exact: number;
  /** Share of the terms that its tags hold, 0..1. */
  tag: number;
  tagStems: ReadonlySet<string>;
  /** Its own closeness in meaning, 0..1. */
  similarity: number;
  /** How well an edge or an entity ties it to a result, 0..1. */
  relation: number;
  foundBy: FoundBy[];
}

/** A candidate with its score, and how it came to be considered where that was not by its own words or meaning. */
export interface Scored {
  candidate: Candidate;
  score: Score;
  /** By which it has its score. */
  rules: ScoreRules;
  /** Presence of each term with what its neighbours lend. */
  presence: TermPresence;
  /** The edge that led to it. */
  from?: { id: string; type: RelationType; strength: number };
  /** The entity tag that led to it. */
  entity?: string;
  /** What it has superseded. */
  replaces?: Replaced;
  /** What holds in its place, where that is not shown instead of it. */
  supersededBy?: Successor;
  /** Why it does not hold by itself, where it is shown all the same. */
  invalidity?: Invalidity;
  /** Ids of memories with the same text and tags. */
  duplicates?: string[];
  isOutsideTagScope?: boolean;
}

/** Ids that results already stand for: their own and those of their duplicates. */
export function idsShown(results: readonly Scored[]): Set<string> {
  return new Set(results.flatMap(({ candidate, duplicates = [] }) => [candidate.memory.id, ...duplicates]));
}

export interface CandidateOrigin {
  foundBy: readonly FoundBy[];
  relation?: number;
}

export function toCandidate(memory: Memory, evidence: QueryEvidence, origin: CandidateOrigin): Candidate {
  const text = readText(memory.content, memory.tags);
  const { foundBy, relation = 0 } = origin;
  return {
    memory,
    text,
    presence: ownPresence(evidence, text, Date.parse(memory.timestamp)),
    hasPhrase: hasPhrase(evidence, text),
    exact: exactComponent(evidence, text),
    tag: tagComponent(evidence, text),
    tagStems: text.tagStems,
    similarity: 0,
    relation,
    foundBy: [...foundBy],
  };
}
