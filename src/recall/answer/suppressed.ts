/** Lists the memories that a recall of current memories has left out, and the reasons. */
import { invalidityAt } from '../../domain/filter.js';
import type { Suppressed } from '../../domain/recall-results.js';
import { byQuestion, type Candidate, type Dropped, EMPTY_POOL, type RetrievedQuestion } from '../pool.js';
import { fillPage } from '../select/fill-page.js';
import type { RecallRun } from '../steps.js';

/**
 * Each memory is listed once. Memories that the stores themselves filter out are looked up only with `state_debug`.
 */
export async function findSuppressed(run: RecallRun): Promise<Suppressed[]> {
  const { context, pool } = run;
  if (!context.plan.isCurrentOnly) return [];
  const found = [
    ...pool.dropped.filter(isShownOtherwise(run)).flatMap(ofDropped),
    ...pool.kept.flatMap(ofReplaced),
    ...(context.plan.query.state_debug ? await invalidOnes(run) : []),
  ];
  const first = new Map<string, Suppressed>();
  for (const each of found) if (!first.has(each.id)) first.set(each.id, each);
  return [...first.values()];
}

/**
 * Returns a function that says whether the page would have shown a dropped memory. If the page is full, the memory needs
 * at least the lowest score of the page.
 */
function isShownOtherwise({ context, pool }: RecallRun): (dropped: Dropped) => boolean {
  const keptOf = byQuestion(pool.kept);
  const leastOf = new Map<RetrievedQuestion, number>();
  for (const asked of pool.asked) {
    const totals = keptOf(asked).map(({ score }) => score.total);
    const isFull = totals.length >= asked.question.limit;
    leastOf.set(asked, isFull ? totals.reduce((least, total) => Math.min(least, total), Infinity) : -Infinity);
  }
  return ({ candidate }) => {
    if (!candidate) return true;
    const { total } = candidate.score;
    return total >= context.plan.minScore && total >= (leastOf.get(candidate.asked) ?? -Infinity);
  };
}

function ofDropped({ id, reason }: Dropped): Suppressed[] {
  if (reason.reason !== 'superseded') return [];
  const { successorId, relationType } = reason;
  return [{ id, reason: 'superseded', successorId, relationType }];
}

/**
 * Lists the memory that a result replaces, because expansion skips superseded memories without recording them as
 * dropped.
 */
function ofReplaced({ memory, replaces }: Candidate): Suppressed[] {
  if (!replaces) return [];
  return [{ id: replaces.id, reason: 'superseded', successorId: memory.id, relationType: replaces.type }];
}

/** Reads the page of results again without the validity filter, and lists the memories on it that are not valid. */
async function invalidOnes({ context }: RecallRun): Promise<Suppressed[]> {
  const { validAtMs, ...filter } = context.plan.filter;
  if (validAtMs === undefined) return [];
  const plan = { ...context.plan, filter, isCurrentOnly: false };
  const { kept } = await fillPage({ ...context, plan }, EMPTY_POOL);
  return kept.flatMap(({ memory }) => {
    const reason = invalidityAt(memory, validAtMs);
    return reason ? [{ id: memory.id, reason }] : [];
  });
}
