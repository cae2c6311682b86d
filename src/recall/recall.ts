/**
 * Recall as a list of named steps: plan; for each question channels in parallel, merge by id, hydrate, let neighbours lend
 * evidence, score with one pure function; order and take in one place; expand; attach relations in one read; answer.
 */
import type { RecallAnswer, StateFilterBlock } from '../domain/answers.js';
import { entitySlug } from '../domain/entity.js';
import type { RecallQuery } from '../domain/recall-query.js';
import { toIso } from '../domain/time.js';
import type { Budgeted } from './budget.js';
import type { Scored } from './candidate.js';
import { confidenceOf } from './confidence.js';
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
export async function recall(parts: RecallParts, query: RecallQuery): Promise<RecallAnswer> {
  const startedMs = parts.clock.elapsedMs();
  const plan = await planRecall(query, parts.settings, parts.clock.nowMs());
  const run = await runRecall(parts, plan);
  const { shown, budget } = withinBudget(plan, run);
  const ids = shown.map(({ candidate }) => candidate.memory.id);
  const relations = await relationEntries(parts.graph, ids, plan.relationLimit);
  const results = shown.map(scored =>
    toResult(scored, relations.get(scored.candidate.memory.id) ?? [], query.explain === true),
  );
  return {
    status: 'success',
    query: query.query ?? '',
    ...(query.queries && { queries: query.queries }),
    results,
    count: results.length,
    dedup_removed: run.duplicatesRemoved,
    sort: plan.sort,
    confidence: confidenceOf(run.results, plan.questions.length > 0),
    vector_search: { enabled: run.isVectorSearchEnabled, matched: results.some(({ source }) => source === 'qdrant') },
    tag_mode: query.tag_mode,
    tag_match: query.tag_match,
    state_mode: plan.isCurrentOnly ? 'current' : 'history',
    ...appliedFilters(plan),
    ...(plan.isCurrentOnly && { state_filter: stateBlock(plan, run, shown) }),
    ...expansionBlocks(plan, run, shown),
    ...scoreBlocks(plan, run),
    ...truncationBlock(budget),
    query_time_ms: Math.round((parts.clock.elapsedMs() - startedMs) * 1000) / 1000,
  };
}

function appliedFilters({ query, window }: RecallPlan): Partial<RecallAnswer> {
  const { fromMs, toMs } = window;
  const bounds = {
    ...(fromMs !== undefined && { start: toIso(fromMs) }),
    ...(toMs !== undefined && { end: toIso(toMs) }),
  };
  return {
    ...(Object.keys(bounds).length > 0 && { time_window: bounds }),
    ...(query.tags.length > 0 && { tags: query.tags }),
    ...(query.exclude_tags.length > 0 && { exclude_tags: query.exclude_tags }),
  };
}

function stateBlock({ query }: RecallPlan, { suppressed }: RecallRun, shown: readonly Scored[]): StateFilterBlock {
  const replacements = shown.flatMap(({ candidate, replaces }) =>
    replaces ? [{ id: candidate.memory.id, replaces_id: replaces.id, relation_type: replaces.type }] : [],
  );
  return {
    current_only: true,
    suppressed_count: suppressed.length,
    replacement_count: replacements.length,
    ...(query.state_debug && { suppressed, replacements }),
  };
}

function expansionBlocks(plan: RecallPlan, run: RecallRun, shown: readonly Scored[]): Partial<RecallAnswer> {
  const request = plan.query.expansion;
  return {
    ...(request?.relations && {
      expansion: {
        enabled: true,
        seed_count: run.seeds.length,
        expanded_count: shown.filter(({ from }) => from).length,
        relation_limit: plan.relationLimit,
        expansion_limit: plan.expansionLimit,
        respect_tags: request.respectTags,
      } as const,
    }),
    ...(request?.entities && {
      entity_expansion: {
        enabled: true,
        expanded_count: shown.filter(({ entity }) => entity !== undefined).length,
        entities_found: [...new Set(run.entityKeys.map(key => entitySlug(key) ?? key))],
      } as const,
    }),
  };
}

function scoreBlocks(plan: RecallPlan, run: RecallRun): Partial<RecallAnswer> {
  const isFiltering = plan.minScore > 0 || plan.usesAdaptiveFloor;
  return {
    ...(isFiltering && {
      score_filter: {
        min_score: plan.minScore > 0 ? plan.minScore : null,
        adaptive_floor: run.floor ?? null,
        filtered_count: run.filteredCount,
      },
    }),
    ...(plan.hasRecencyBias && { recency_bias: 'on' as const }),
    ...(plan.query.scope_fallback && { scope_fallback: true as const }),
  };
}

function truncationBlock({ omitted, isExceeded }: Budgeted): Partial<RecallAnswer> {
  if (omitted === 0 && !isExceeded) return {};
  const exceeded = isExceeded && { exceeded: true as const };
  return { truncation: { applied: true, omitted_results: omitted, ...exceeded, reason: 'max_tokens' } };
}
