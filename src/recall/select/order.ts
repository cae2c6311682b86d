/** Defines the order of results. No other file defines it (specification, recall rule 3). */
import type { RecallPlan } from '../plan/plan.js';
import type { Candidate } from '../pool.js';

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
