/** The pool that the steps of a recall pass on: the kept candidates, and the dropped memories with the reasons. */
import type { Invalidity } from '../domain/filter.js';
import type {
  DropReason,
  FoundBy,
  PropagatedEvidence,
  Replaced,
  ScoreComponents,
  Successor,
} from '../domain/recall.js';
import type { RelationType } from '../domain/relation.js';
import type { VectorHit } from '../stores/vector-store.js';
import type { Query, RecallPlan } from './plan.js';
import type { QueryVectors } from './retrieve/vector.js';
import type { AnalyzedQuery } from './score/analyzed-query.js';
import type { Evidence } from './score/evidence.js';
import type { AnalyzedMemory } from './score/text.js';

/** A query after retrieval, with the weights of its terms and the results of its channels. */
export interface RetrievedQuery {
  query: Query;
  analysis: AnalyzedQuery;
  /**
   * Undefined when the query has neither a text nor a vector, when no vector store exists, or when the store or the
   * embedder failed.
   */
  vectors: QueryVectors | undefined;
  /** The hits of the vector search by id, nearest first. */
  nearest: ReadonlyMap<string, VectorHit>;
  isVectorSearchEnabled: boolean;
  /**
   * Weight of the similarity in meaning relative to words, 0..1. The weight is higher if the words of the best memory
   * cover less of the query.
   */
  meaningShare: number;
  /** Names in the query that are also speakers of candidates. */
  speakers: ReadonlySet<string>;
  /** The ids of possible answers, each with the channels that found it. */
  foundBy: ReadonlyMap<string, FoundBy[]>;
  /** Whether a channel found as many memories as requested, so that a larger request may find more. */
  mayHaveMore: boolean;
}

export interface Score {
  total: number;
  components: ScoreComponents;
}

/** A candidate for the answer to one query, with everything known about it so far. */
export interface Candidate extends AnalyzedMemory {
  query: RetrievedQuery;
  foundBy: FoundBy[];
  own: Evidence;
  /** Evidence propagated from memories of the same conversation, 0..1. */
  propagated: number;
  /** The memories from which evidence was propagated, largest amount first. Computed only on request. */
  sources(): PropagatedEvidence[];
  recencyBonus: number;
  /** Strength of the connection to a result by edge or entity, 0..1. */
  relation: number;
  score: Score;
  /** The edge that led to the memory. */
  from?: { id: string; type: RelationType; strength: number };
  /** The slug of the entity whose tag led to the memory. */
  entity?: string;
  /** The memory that the candidate supersedes. */
  replaces?: Replaced;
  /** The superseded candidate whose score the candidate has, because that score is higher than its own. */
  heirOf?: Candidate;
  /** The current successor, when the successor does not replace the memory in the answer. */
  supersededBy?: Successor;
  /** Why the memory is not currently valid, when it is shown nevertheless. */
  invalidity?: Invalidity;
  /** Ids of memories with the same text and tags. */
  duplicates?: string[];
  isOutsideTagScope?: boolean;
}

/** A memory that a step has dropped, with the reason. */
export interface Dropped {
  id: string;
  /** Name of the step. */
  step: string;
  reason: DropReason;
  /** Undefined when the memory was dropped before it became a candidate. */
  candidate?: Candidate;
  /** Set for a superseded memory whose place its successor takes. */
  isReplaced?: boolean;
}

export interface Pool {
  /** By how much the number of candidates that are requested from each channel is multiplied. */
  candidateFactor: number;
  /** The queries after retrieval. A listing has one query without text. */
  queries: readonly RetrievedQuery[];
  /** The candidates. From the step `score` on, they have the order of the answer. */
  kept: readonly Candidate[];
  dropped: readonly Dropped[];
  /** All scored candidates, in the order of the answer. */
  considered: readonly Candidate[];
  /** The results from which expansion starts. */
  seeds: readonly Candidate[];
  /** Tag keys of the followed entities. */
  entityKeys: readonly string[];
  /** The score of the adaptive floor, if there is one. */
  floor: number | undefined;
}

export const EMPTY_POOL: Pool = {
  candidateFactor: 1,
  queries: [],
  kept: [],
  dropped: [],
  considered: [],
  seeds: [],
  entityKeys: [],
  floor: undefined,
};

export function superseded({ id, type }: Replaced, successorId: string, step: string): Dropped {
  return { id, step, reason: { reason: 'superseded', successorId, relationType: type } };
}

/** Ids of the memories that the candidates represent: the candidates' own ids and the ids of their duplicates. */
export function idsShown(candidates: readonly Candidate[]): Set<string> {
  return new Set(candidates.flatMap(({ memory, duplicates = [] }) => [memory.id, ...duplicates]));
}

/** The items by query, in their order. */
export function byQuery<Item extends { query: RetrievedQuery }>(
  { queries }: Pick<Pool, 'queries'>,
  items: readonly Item[],
): Map<RetrievedQuery, Item[]> {
  const found = new Map<RetrievedQuery, Item[]>(queries.map(query => [query, []]));
  for (const item of items) found.get(item.query)?.push(item);
  return found;
}

/** Whether expansion or the fallback added the candidate. */
export function isAdded({ from, entity, isOutsideTagScope }: Candidate): boolean {
  return from !== undefined || entity !== undefined || isOutsideTagScope === true;
}

/** Drops candidates from a pool. `reasonOf` returns the reason for a candidate to drop, or undefined to keep it. */
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

type Order = RecallPlan['order'];

export function inOrder(candidates: readonly Candidate[], order: Order): Candidate[] {
  if (order === 'score') return [...candidates].sort(compareScores);
  return [...candidates].sort(order === 'importance' ? compareImportance : compareTimes(order));
}

/**
 * Sorts by score, then importance, then newest, then id, so that equal scores keep one order. With history, a successor
 * may have the score of its predecessor, and then comes first.
 */
export function compareScores(a: Candidate, b: Candidate): number {
  return b.score.total - a.score.total || Number(isSuperseded(a)) - Number(isSuperseded(b)) || compareImportance(a, b);
}

function isSuperseded({ supersededBy }: Candidate): boolean {
  return supersededBy !== undefined;
}

function compareImportance({ memory: a }: Candidate, { memory: b }: Candidate): number {
  return b.importance - a.importance || compareText(b.timestamp, a.timestamp) || compareText(a.id, b.id);
}

function compareTimes(order: Exclude<Order, 'score' | 'importance'>): (a: Candidate, b: Candidate) => number {
  const direction = order === 'time_asc' || order === 'updated_asc' ? 1 : -1;
  return ({ memory: a }, { memory: b }) =>
    direction * (compareText(a.updated_at, b.updated_at) || compareText(a.timestamp, b.timestamp)) ||
    compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
