/**
 * Step: when too few memories have the tags, fills the page with memories without the tags, and marks the added
 * memories.
 */
import { passesFilter } from '../../domain/filter.js';
import type { RecallContext } from '../context.js';
import { EMPTY_POOL, idsShown, type Pool } from '../pool.js';
import { fillPage } from './fill-page.js';

export async function fillFromOutside(context: RecallContext, pool: Pool): Promise<Pool> {
  const { plan } = context;
  const { tags, ...filter } = plan.filter;
  const { limit } = plan.query;
  const missing = limit - pool.kept.length;
  if (!plan.query.scope_fallback || !tags || missing <= 0 || plan.isListing) return pool;
  const questions = plan.questions.map(question => ({ ...question, limit }));
  const outside = await fillPage({ ...context, plan: { ...plan, filter, questions } }, EMPTY_POOL);
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
