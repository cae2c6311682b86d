/** The one place that decides the order of results (specification, recall rule 3). */
import type { SortOrder } from '../domain/recall-query.js';
import type { Scored } from './candidate.js';

/** Sorting by time considers first what scores at least this share of the best: an old weak match is no answer. */
const RELEVANT_SHARE = 0.5;

/** Score, then importance, then newest, then id, so that equal scores keep one order. */
export function compareScores(a: Scored, b: Scored): number {
  return (
    b.score.total - a.score.total ||
    b.candidate.memory.importance - a.candidate.memory.importance ||
    compareText(b.candidate.memory.timestamp, a.candidate.memory.timestamp) ||
    compareText(a.candidate.memory.id, b.candidate.memory.id)
  );
}

/** The order in which candidates are taken until there are enough; what is taken is then shown in `arrange`'s order. */
export function preferenceOrder(candidates: readonly Scored[], sort: SortOrder): Scored[] {
  const byScore = [...candidates].sort(compareScores);
  if (sort === 'score') return byScore;
  const floor = (byScore[0]?.score.total ?? 0) * RELEVANT_SHARE;
  const relevant = byScore.filter(({ score }) => score.total >= floor);
  const others = byScore.slice(relevant.length);
  return [...arrange(relevant, sort), ...others];
}

export function arrange(results: readonly Scored[], sort: SortOrder): Scored[] {
  return [...results].sort(sort === 'score' ? compareScores : timeComparison(sort));
}

/** By score whatever the order shown; what expansion and the fallback added comes after what was asked for. */
export function bestFirst(results: readonly Scored[]): Scored[] {
  const asked = results.filter(scored => !isAdded(scored));
  return [...asked.sort(compareScores), ...results.filter(isAdded)];
}

/** What holds before what does not, each in its order; what was added stays as it is, behind what was asked for. */
export function holdingFirst(results: readonly Scored[]): Scored[] {
  const rank = (scored: Scored) => {
    if (isAdded(scored)) return 2;
    return scored.supersededBy || scored.invalidity ? 1 : 0;
  };
  return [...results].sort((a, b) => rank(a) - rank(b));
}

/** Whether expansion or the fallback has added it. */
export function isAdded({ from, entity, isOutsideTagScope }: Scored): boolean {
  return from !== undefined || entity !== undefined || isOutsideTagScope === true;
}

function timeComparison(sort: SortOrder): (a: Scored, b: Scored) => number {
  const direction = sort === 'time_asc' || sort === 'updated_asc' ? 1 : -1;
  return ({ candidate: { memory: a } }, { candidate: { memory: b } }) =>
    direction * (compareText(a.updated_at, b.updated_at) || compareText(a.timestamp, b.timestamp)) ||
    compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
