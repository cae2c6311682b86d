/** What the steps of a recall hand on: the memories under consideration, and what became of the others. */
import type { Invalidity } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { FoundBy, Lender, Replaced, ScoreComponents, Successor } from '../domain/recall-results.js';
import type { RelationType } from '../domain/relation.js';
import type { DropReason } from '../domain/why-not.js';
import type { VectorHit } from '../stores/vector-store.js';
import type { Question } from './plan/question.js';
import type { QuestionVectors } from './retrieve/question-vectors.js';
import type { QueryEvidence } from './score/evidence.js';
import type { OwnEvidence } from './score/own-evidence.js';
import type { Reading } from './score/text-cache.js';

/** What a search of the vectors has named. */
export interface Nearest {
  /** Nearest first; those within the limit of the search are candidates. */
  hits: readonly VectorHit[];
  /** Whether every vector that passes the filter is among them. */
  isAll: boolean;
}

/** A question as retrieval found it: what its words weigh, and how far its channels reached. */
export interface AskedQuestion {
  question: Question;
  evidence: QueryEvidence;
  /** Undefined without text or a vector store, or when the store or the embedder failed. */
  vectors: QuestionVectors | undefined;
  /** What the search of the vectors has named; absent as `vectors`. */
  nearest: Nearest | undefined;
  isVectorSearchEnabled: boolean;
  /** How far closeness in meaning counts beside words, 0..1: the less of the question any one memory's words cover, the more. */
  meaningShare: number;
  /** Those of the names in the question by whom a candidate is said in a talk. */
  speakers: ReadonlySet<string>;
  /** Whether a channel found as many as it was asked for, and may be asked for more. */
  mayHaveMore: boolean;
}

/** What a channel has found, before its memory is read. */
export interface Hit {
  asked: AskedQuestion;
  id: string;
  foundBy: FoundBy;
}

export interface Score {
  total: number;
  components: ScoreComponents;
}

/** A memory considered as an answer to one question, with all that is known of it so far. */
export interface Candidate {
  memory: Memory;
  reading: Reading;
  asked: AskedQuestion;
  foundBy: FoundBy[];
  own: OwnEvidence;
  /** Evidence that memories of the same talk lend it, 0..1. */
  lent: number;
  lenders(): Lender[];
  /** What the recency bias adds. */
  bonus: number;
  /** How well an edge or an entity ties it to a result, 0..1. */
  relation: number;
  score: Score;
  /** The edge that led to it. */
  from?: { id: string; type: RelationType; strength: number };
  /** The entity tag that led to it. */
  entity?: string;
  /** The total by which it is ordered, where something puts it before a memory with a higher score. */
  standing?: number;
  /** What it has superseded. */
  replaces?: Replaced;
  /** The result that speaks of the same things and is newer. */
  maybeOutdatedBy?: string;
  /** What is current in its place, where that is not shown instead of it. */
  supersededBy?: Successor;
  /** Why it is not valid by itself, where it is shown all the same. */
  invalidity?: Invalidity;
  /** Ids of memories with the same text and tags. */
  duplicates?: string[];
  isOutsideTagScope?: boolean;
}

/** A memory that a step has taken out, and why. */
export interface Dropped {
  id: string;
  /** Name of the step. */
  step: string;
  reason: DropReason;
  /** Absent where it was taken out before it was read. */
  candidate?: Candidate;
}

export interface Pool {
  /** How many times the usual number of candidates each channel is asked for. */
  reach: number;
  /** One for each question; a listing has one that asks nothing. */
  asked: readonly AskedQuestion[];
  hits: readonly Hit[];
  /** From the step `score` on in the order of the answer. */
  kept: readonly Candidate[];
  dropped: readonly Dropped[];
  /** Everything that was scored, in the order of the answer. */
  considered: readonly Candidate[];
  /** What expansion began from. */
  seeds: readonly Candidate[];
  /** Tag keys of the entities that were followed. */
  entityKeys: readonly string[];
  /** Where the adaptive floor lies, if there is one. */
  floor: number | undefined;
}

export const EMPTY_POOL: Pool = {
  reach: 1,
  asked: [],
  hits: [],
  kept: [],
  dropped: [],
  considered: [],
  seeds: [],
  entityKeys: [],
  floor: undefined,
};

/** Ids that candidates already stand for: their own and those of their duplicates. */
export function idsShown(candidates: readonly Candidate[]): Set<string> {
  return new Set(candidates.flatMap(({ memory, duplicates = [] }) => [memory.id, ...duplicates]));
}

/** Whether expansion or the fallback has added it. */
export function isAdded({ from, entity, isOutsideTagScope }: Candidate): boolean {
  return from !== undefined || entity !== undefined || isOutsideTagScope === true;
}

/** Parts the candidates of a pool: `reasonOf` says why one is dropped, or undefined where it stays. */
export function dropWhere(pool: Pool, step: string, reasonOf: (candidate: Candidate) => DropReason | undefined): Pool {
  const kept: Candidate[] = [];
  const dropped: Dropped[] = [];
  for (const candidate of pool.kept) {
    const reason = reasonOf(candidate);
    if (reason) dropped.push({ id: candidate.memory.id, step, reason, candidate });
    else kept.push(candidate);
  }
  return { ...pool, kept, dropped: [...pool.dropped, ...dropped] };
}
