/** The one place that decides the order of results and how many there are (specification, recall rule 3). */
import type { Memory } from '../domain/memory.js';
import type { SortOrder } from '../domain/recall-query.js';
import type { Score } from './score.js';

export interface Scored {
  memory: Memory;
  score: Score;
  /** Found by the vector channel. */
  isVectorHit: boolean;
}

/** Sorting by time considers what scores at least this share of the best: an old weak match is no answer. */
const RELEVANT_SHARE = 0.5;

/** Orders and cuts candidates of a recall that asked something. */
export function orderByScore(candidates: readonly Scored[], sort: SortOrder, limit: number): Scored[] {
  const byScore = [...candidates].sort(compareScores);
  if (sort === 'score') return byScore.slice(0, limit);
  const floor = (byScore[0]?.score.total ?? 0) * RELEVANT_SHARE;
  const relevant = byScore.filter((candidate, rank) => rank < limit || candidate.score.total >= floor);
  return relevant.sort(timeComparison(sort)).slice(0, limit);
}

/** Score, then importance, then newest, then id, so that equal scores keep one order. */
function compareScores(a: Scored, b: Scored): number {
  return (
    b.score.total - a.score.total ||
    b.memory.importance - a.memory.importance ||
    compareText(b.memory.timestamp, a.memory.timestamp) ||
    compareText(a.memory.id, b.memory.id)
  );
}

function timeComparison(sort: SortOrder): (a: Scored, b: Scored) => number {
  const direction = sort === 'time_asc' || sort === 'updated_asc' ? 1 : -1;
  return (a, b) =>
    direction *
      (compareText(a.memory.updated_at, b.memory.updated_at) || compareText(a.memory.timestamp, b.memory.timestamp)) ||
    compareText(a.memory.id, b.memory.id);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
