/** Runs a recall: makes the plan, runs the steps, and reads the answer from the resulting pool. */
import { entitySlug } from '../domain/entity.js';
import type { ExpansionOutcome, RecallOutcome, RecallQuery, ScoreThreshold } from '../domain/recall.js';
import { confidenceOf } from './answer/confidence.js';
import { countHidden, findSuppressed } from './answer/hidden.js';
import { relationEntries } from './answer/relations.js';
import { findOutdating, toResult } from './answer/result.js';
import type { RecallParts } from './context.js';
import { exceedsBudget } from './select/page.js';
import { type RecallRun, runRecall } from './steps.js';

/**
 * Answers a recall. The caller records the access to the returned memories.
 *
 * @throws MemoryError `invalid` for an unreadable time expression
 */
export async function recall(parts: RecallParts, query: RecallQuery): Promise<RecallOutcome> {
  const startedMs = parts.clock.elapsedMs();
  const run = await runRecall(parts, query);
  const { context, pool } = run;
  const { plan } = context;
  const ids = pool.kept.map(({ memory }) => memory.id);
  const hidden = await countHidden(run);
  const suppressed = await findSuppressed(run);
  const relations = await relationEntries(parts.graph, ids, plan.relationLimit);
  const outdating = await findOutdating(context, pool.kept, relations);
  const isExplained = query.explain === true;
  return {
    query,
    results: pool.kept.map(candidate => ({
      ...toResult(candidate, context, isExplained),
      relations: relations.get(candidate.memory.id) ?? [],
      ...outdating(candidate),
    })),
    duplicatesRemoved: countDuplicates(run),
    sort: plan.sort,
    confidence: confidenceOf(run),
    isVectorSearchEnabled: pool.queries.some(query => query.isVectorSearchEnabled),
    isCurrentOnly: plan.isCurrentOnly,
    window: plan.window,
    suppressed,
    ...(hidden && { hidden }),
    ...(query.expansion && { expansion: expansionOf(run) }),
    ...((plan.minScore > 0 || plan.usesAdaptiveFloor) && { threshold: thresholdOf(run) }),
    hasRecencyBias: plan.hasRecencyBias,
    omittedCount: pool.dropped.filter(({ step }) => step === 'budget').length,
    isBudgetExceeded: exceedsBudget(context, pool),
    durationMs: parts.clock.elapsedMs() - startedMs,
  };
}

/** Number of dropped memories that have a duplicate in the answer. */
function countDuplicates({ pool }: RecallRun): number {
  const shown = new Set(pool.kept.map(({ memory }) => memory.id));
  return pool.dropped.filter(({ reason }) => reason.reason === 'duplicate' && shown.has(reason.twinId)).length;
}

function expansionOf({ context: { plan }, pool }: RecallRun): ExpansionOutcome {
  return {
    seedCount: pool.seeds.length,
    relationLimit: plan.relationLimit,
    limit: plan.expansionLimit,
    entities: [...new Set(pool.entityKeys.map(key => entitySlug(key) ?? key))],
  };
}

function thresholdOf({ context: { plan }, pool }: RecallRun): ScoreThreshold {
  const filteredCount = pool.dropped.filter(({ reason }) => reason.reason === 'belowThreshold').length;
  return { minScore: plan.minScore, ...(pool.floor !== undefined && { floor: pool.floor }), filteredCount };
}
