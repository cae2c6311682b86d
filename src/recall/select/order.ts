/** Defines the order of results. No other file defines it (specification, recall rule 3). */
import type { RecallPlan } from '../plan/plan.js';
import type { Candidate } from '../pool.js';
import { isEvidence } from '../score/own-evidence.js';

type Order = RecallPlan['order'];

export function inOrder(candidates: readonly Candidate[], order: Order): Candidate[] {
  if (order === 'score') return withoutClaim([...candidates].sort(compareScores));
  return [...candidates].sort(order === 'importance' ? compareImportance : compareTimes(order));
}

/** Sorts by score, then importance, then newest, then id, so that equal scores keep one order. */
export function compareScores(a: Candidate, b: Candidate): number {
  return standingOf(b) - standingOf(a) || compareImportance(a, b);
}

/** The total by which a candidate is sorted. */
export function standingOf({ score, standing }: Candidate): number {
  return standing ?? score.total;
}

function compareImportance({ memory: a }: Candidate, { memory: b }: Candidate): number {
  return b.importance - a.importance || compareText(b.timestamp, a.timestamp) || compareText(a.id, b.id);
}

/** A successor that does not match the question itself is placed directly after the last match. */
function withoutClaim(candidates: readonly Candidate[]): Candidate[] {
  const isClaimed = ({ replaces, own, lent }: Candidate) => !replaces || lent > 0 || isEvidence(own);
  const others = candidates.filter(isClaimed);
  if (others.length === candidates.length) return others;
  const lastMatch = others.findLastIndex(({ own, lent }) => lent > 0 || isEvidence(own));
  const heirs = candidates.filter(candidate => !isClaimed(candidate));
  return [...others.slice(0, lastMatch + 1), ...heirs, ...others.slice(lastMatch + 1)];
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
