/** Renders a recall. */
import type { HiddenCounts, RecallOutcome, ScoreThreshold, Suppressed } from '../../domain/recall-results.js';
import { toIso } from '../../domain/time.js';
import type { RecallAnswer } from '../answers/recall.js';
import { roundMs } from './numbers.js';
import { invalidityName, renderResult } from './result.js';

type Blocks = Partial<RecallAnswer>;
type StateFilter = NonNullable<RecallAnswer['state_filter']>;
type SuppressedAnswer = NonNullable<StateFilter['suppressed']>[number];

export function renderRecall(outcome: RecallOutcome): RecallAnswer {
  const { query, results, isCurrentOnly, hasRecencyBias } = outcome;
  return {
    status: 'success',
    query: query.query ?? '',
    ...(query.queries && { queries: query.queries }),
    results: results.map(renderResult),
    count: results.length,
    dedup_removed: outcome.duplicatesRemoved,
    sort: outcome.sort,
    confidence: outcome.confidence,
    vector_search: {
      enabled: outcome.isVectorSearchEnabled,
      matched: results.some(({ foundBy }) => foundBy.includes('vector')),
    },
    tag_mode: query.tag_mode,
    tag_match: query.tag_match,
    state_mode: isCurrentOnly ? 'current' : 'history',
    ...renderWindow(outcome),
    ...(query.tags.length > 0 && { tags: query.tags }),
    ...(query.exclude_tags.length > 0 && { exclude_tags: query.exclude_tags }),
    ...(isCurrentOnly && { state_filter: renderState(outcome) }),
    ...(outcome.hidden && { hidden: renderHidden(outcome.hidden) }),
    ...renderExpansion(outcome),
    ...(outcome.threshold && { score_filter: renderThreshold(outcome.threshold) }),
    ...(hasRecencyBias && { recency_bias: 'on' }),
    ...(query.scope_fallback && { scope_fallback: true }),
    ...renderTruncation(outcome),
    query_time_ms: roundMs(outcome.durationMs),
  };
}

function renderWindow({ window: { fromMs, toMs } }: RecallOutcome): Blocks {
  if (fromMs === undefined && toMs === undefined) return {};
  return {
    time_window: {
      ...(fromMs !== undefined && { start: toIso(fromMs) }),
      ...(toMs !== undefined && { end: toIso(toMs) }),
    },
  };
}

function renderState({ query, results, suppressed }: RecallOutcome): StateFilter {
  const replacements = results.flatMap(({ memory, replaces }) =>
    replaces ? [{ id: memory.id, replaces_id: replaces.id, relation_type: replaces.type }] : [],
  );
  return {
    current_only: true,
    suppressed_count: suppressed.length,
    replacement_count: replacements.length,
    ...(query.state_debug && { suppressed: suppressed.map(renderSuppressed), replacements }),
  };
}

function renderSuppressed(suppressed: Suppressed): SuppressedAnswer {
  const { id, reason } = suppressed;
  if (reason !== 'superseded') return { id, reason: invalidityName(reason) };
  return { id, reason, replacement_id: suppressed.successorId, relation_type: suppressed.relationType };
}

function renderHidden({ countedTo, excludedTags, ...counts }: HiddenCounts): NonNullable<RecallAnswer['hidden']> {
  return { counted_to: countedTo, ...counts, ...(excludedTags !== undefined && { exclude_tags: excludedTags }) };
}

function renderExpansion({ query, results, expansion }: RecallOutcome): Blocks {
  const request = query.expansion;
  if (!request || !expansion) return {};
  return {
    ...(request.relations && {
      expansion: {
        enabled: true,
        seed_count: expansion.seedCount,
        expanded_count: results.filter(({ from }) => from).length,
        relation_limit: expansion.relationLimit,
        expansion_limit: expansion.limit,
        respect_tags: request.respectTags,
      },
    }),
    ...(request.entities && {
      entity_expansion: {
        enabled: true,
        expanded_count: results.filter(({ expandedFromEntity }) => expandedFromEntity !== undefined).length,
        entities_found: expansion.entities,
      },
    }),
  };
}

function renderThreshold({ minScore, floor, filteredCount }: ScoreThreshold): RecallAnswer['score_filter'] {
  return {
    min_score: minScore > 0 ? minScore : null,
    adaptive_floor: floor ?? null,
    filtered_count: filteredCount,
  };
}

function renderTruncation({ omittedCount, isBudgetExceeded }: RecallOutcome): Blocks {
  if (omittedCount === 0 && !isBudgetExceeded) return {};
  return {
    truncation: {
      applied: true,
      omitted_results: omittedCount,
      ...(isBudgetExceeded && { exceeded: true }),
      reason: 'max_tokens',
    },
  };
}
