/**
 * Recall as a list of named steps: plan; for each question channels in parallel, merge by id, hydrate, let neighbours lend
 * evidence, score with one pure function; order and take in one place; expand; attach relations in one read; answer.
 */
import { entitySlug } from '../domain/entity.js';
import type { RecallQuery } from '../domain/recall-query.js';
import type { ExpansionOutcome, RecallOutcome, ScoreThreshold } from '../domain/recall-results.js';
import { confidenceOf } from './confidence.js';
import { countHidden } from './hidden.js';
import { planRecall, type RecallPlan } from './plan.js';
import { relationEntries } from './relations.js';
import { toResult } from './result.js';
import { type RecallRun, runRecall } from './run.js';
import type { RecallParts } from './search.js';
import { withinBudget } from './shown.js';

/**
 * Answers a recall. The caller notes the access to what is returned.
 *
 * @throws MemoryError `invalid` for a time expression that cannot be read
 */
export async function recall(parts: RecallParts, query: RecallQuery): Promise<RecallOutcome> {
  const startedMs = parts.clock.elapsedMs();
  const plan = await planRecall(query, parts.settings, parts.clock.nowMs());
  const run = await runRecall(parts, plan);
  const { shown, budget } = withinBudget(plan, run);
  const ids = shown.map(({ candidate }) => candidate.memory.id);
  const hidden = await countHidden(parts, plan, run);
  const relations = await relationEntries(parts.graph, ids, plan.relationLimit);
  return {
    query,
    results: shown.map(scored =>
      toResult(scored, relations.get(scored.candidate.memory.id) ?? [], query.explain === true),
    ),
    duplicatesRemoved: run.duplicatesRemoved,
    sort: plan.sort,
    confidence: confidenceOf(run.results, plan.questions.length > 0),
    isVectorSearchEnabled: run.isVectorSearchEnabled,
    isCurrentOnly: plan.isCurrentOnly,
    window: plan.window,
    suppressed: run.suppressed,
    ...(hidden && { hidden }),
    ...(query.expansion && { expansion: expansionOf(plan, run) }),
    ...((plan.minScore > 0 || plan.usesAdaptiveFloor) && { threshold: thresholdOf(plan, run) }),
    hasRecencyBias: plan.hasRecencyBias,
    omittedCount: budget.omitted,
    isBudgetExceeded: budget.isExceeded,
    durationMs: parts.clock.elapsedMs() - startedMs,
  };
}

function expansionOf(
  { relationLimit, expansionLimit }: RecallPlan,
  { seeds, entityKeys }: RecallRun,
): ExpansionOutcome {
  return {
    seedCount: seeds.length,
    relationLimit,
    limit: expansionLimit,
    entities: [...new Set(entityKeys.map(key => entitySlug(key) ?? key))],
  };
}

function thresholdOf({ minScore }: RecallPlan, { floor, filteredCount }: RecallRun): ScoreThreshold {
  return { minScore, ...(floor !== undefined && { floor }), filteredCount };
}
