/** The steps of a recall in their order. Each step gets the pool of the step before it. */
import { passesFilter } from '../domain/filter.js';
import type { RecallQuery } from '../domain/recall.js';
import { inSteps } from '../event-loop.js';
import { createContext, grow, type RecallContext, type RecallParts } from './context.js';
import { expand } from './expand/expand.js';
import { EMPTY_POOL, idsShown, type Pool, type RetrievedQuery } from './pool.js';
import { BOUNDS } from './ranking-constants.js';
import { retrieve } from './retrieve/retrieve.js';
import { propagate } from './score/propagate.js';
import { hydrate, score } from './score/score.js';
import { budget, dedupe, markValidity, page, threshold } from './select/page.js';
import { newer, supersede } from './select/supersede.js';

/**
 * The step `fillPage` runs its own list of steps, `PAGE_STEPS`. It runs them again with more candidates when the page
 * has too few results.
 */
export const STEPS: readonly Step[] = [fillPage, expand, threshold, fillFromOutside, markValidity, budget];

export interface RecallRun {
  context: RecallContext;
  pool: Pool;
}

/** @throws MemoryError `invalid` for an unreadable time expression */
export async function runRecall(parts: RecallParts, request: RecallQuery): Promise<RecallRun> {
  const context = await createContext(parts, request);
  return { context, pool: await runSteps(STEPS, context, EMPTY_POOL) };
}

/** One step of a recall. It reads the result of the steps before it, and changes nothing but its candidates. */
type Step = (context: RecallContext, pool: Pool) => Promise<Pool> | Pool;

/** Runs the steps in order. */
export async function runSteps(steps: readonly Step[], context: RecallContext, pool: Pool): Promise<Pool> {
  let current = pool;
  for await (const step of inSteps(steps)) current = await step(context, current);
  return current;
}

/** The steps from the queries to a page. A step that reorders, such as a reranking model, belongs after `score`. */
export const PAGE_STEPS: readonly Step[] = [retrieve, hydrate, propagate, score, supersede, dedupe, newer, page];

/** Step: fills a page. Requests more candidates when too many of them are versions or copies of a few memories. */
export function fillPage(context: RecallContext, before: Pool): Promise<Pool> {
  return grow({
    from: 1,
    read: candidateFactor => runSteps(PAGE_STEPS, context, { ...before, candidateFactor }),
    isEnough: found => !found.queries.some(query => query.mayHaveMore && isShort(context, found, query)),
  });
}

/** Whether more candidates must be requested, because too few are left for the query. */
function isShort({ plan }: RecallContext, pool: Pool, query: RetrievedQuery): boolean {
  if (plan.order === 'score' && !plan.isListing) return isCrowded(pool, query);
  // If results are ordered by time, count only those of the channel `list`. This channel has exactly this order, but the
  // other channels are sorted by how well a memory matches.
  const listed = pool.kept.filter(candidate => candidate.query === query && candidate.foundBy.includes('list'));
  return listed.length < query.query.limit;
}

/**
 * Whether outdated versions or copies have taken the places of so many candidates that too few are left. The limit of the
 * query has no influence up to `channelCandidates`, so that the same memories compete for every limit.
 */
function isCrowded({ considered, dropped }: Pool, query: RetrievedQuery): boolean {
  const crowding = dropped.filter(
    ({ step, candidate }) => (step === 'supersede' || step === 'dedupe') && candidate?.query === query,
  );
  const left = considered.filter(candidate => candidate.query === query).length - crowding.length;
  return crowding.length > 0 && left < Math.max(BOUNDS.channelCandidates, query.query.limit);
}

/** Step: fills the page with memories outside of the tags, if the caller allows that (`scope_fallback`). */
async function fillFromOutside(context: RecallContext, pool: Pool): Promise<Pool> {
  const { plan } = context;
  const { tags, ...filter } = plan.filter;
  const { limit } = plan.request;
  const missing = limit - pool.kept.length;
  if (!plan.request.scope_fallback || !tags || missing <= 0 || plan.isListing) return pool;
  const queries = plan.queries.map(query => ({ ...query, limit }));
  const outside = await fillPage({ ...context, plan: { ...plan, filter, queries } }, EMPTY_POOL);
  const shown = idsShown(pool.kept);
  const least = Math.max(plan.minScore, pool.floor ?? 0);
  const fitting = outside.kept
    .filter(({ memory, score }) => !shown.has(memory.id) && score.total >= least)
    .slice(0, missing)
    .map(candidate => ({ ...candidate, isOutsideTagScope: !passesFilter(candidate.memory, { tags }) }));
  const taken = new Set(fitting.map(({ memory }) => memory.id));
  const dropped = outside.dropped.filter(
    ({ reason }) => reason.reason === 'superseded' || (reason.reason === 'duplicate' && taken.has(reason.twinId)),
  );
  return { ...pool, kept: [...pool.kept, ...fitting], dropped: [...pool.dropped, ...dropped] };
}
