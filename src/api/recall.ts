/**
 * Recalls: the search for the memories that answer a question, and for those that an assistant should know at the
 * start of a conversation.
 */
import { z } from 'zod';
import type { InputLimits } from '../domain/input.js';
import { shownMetadata } from '../domain/metadata.js';
import {
  type HiddenCounts,
  type RecallOutcome,
  type ScoreThreshold,
  SORT_ORDERS,
  STATE_MODES,
  type Suppressed,
  TAG_MATCHES,
  TAG_MODES,
} from '../domain/recall.js';
import type { StartupOutcome } from '../domain/results.js';
import { toIso } from '../domain/time.js';
import {
  cutMetadataFields,
  memoryFields,
  queryTimeMs,
  relationType,
  roundThousandths,
  success,
  wholeNumber,
} from './answer-fields.js';
import { memoryId } from './fields.js';
import { isGiven, optional, readField } from './input.js';
import { memoryAnswer, renderMemory } from './memories.js';
import { type Access, type Operation, routeOf } from './operation.js';
import { readRecall, recallParameters } from './recall-request.js';
import { invalidityName, recallResult, renderResult } from './recall-result.js';
import { withWholeTags } from './tags.js';

export function recallOperation(limits: InputLimits): Operation {
  return {
    ...routeOf('recall'),
    access: 'token',
    tag: 'recall',
    summary: 'Search memories, best first',
    query: recallParameters(limits).extend({
      memory_id: optional(memoryId).describe('Answers like GET /memory/:id; all other parameters are ignored'),
    }),
    // AutoMem's client sends the parameters of its tool.
    ignoredQuery: ['format', 'offset'],
    answers: { 200: z.union([recallAnswer, memoryAnswer]) },
    failures: ['invalid', 'not_found'],
    run: async (engine, request) => {
      const { memory_id: id } = request.query;
      if (isGiven(id)) return renderMemory(await engine.get(readField(memoryId, id, 'memory_id')));
      const asked = await withWholeTags(engine, request.query);
      const answer = renderRecall(await engine.recall(readRecall(asked, limits)));
      // The engine treats `*` as no query, but the answer shows the query as the caller sent it.
      return request.query.query === '*' ? { ...answer, query: '*' } : answer;
    },
  };
}

const stateFilter = z
  .strictObject({
    current_only: z.literal(true).describe('Only currently valid memories are shown'),
    suppressed_count: wholeNumber.describe('Number of memories left out because they are not currently valid'),
    replacement_count: wholeNumber.describe('Number of results shown in place of a memory that they supersede'),
    suppressed: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of the memory left out'),
          reason: z
            .enum(['archived', 'not_yet_valid', 'expired', 'superseded'])
            .describe('Why the memory is not currently valid'),
          replacement_id: z.string().optional().describe('Id of the memory that supersedes this memory'),
          relation_type: relationType.optional(),
        }),
      )
      .optional()
      .describe('Present only with state_debug. Without state_debug, suppressed_count counts only superseded memories'),
    replacements: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of the result'),
          replaces_id: z.string().describe('Id of the memory that the result replaces'),
          relation_type: relationType,
        }),
      )
      .optional()
      .describe('Present only with state_debug'),
  })
  .describe('Present only with state_mode current');

const hidden = z
  .strictObject({
    counted_to: wholeNumber.describe('Counting stops at this number, so the true count may be higher'),
    tags: wholeNumber.optional().describe('Number of memories that the recall finds only without the parameter tags'),
    exclude_tags: wholeNumber.optional().describe('Number of memories that the recall finds only without exclude_tags'),
    time: wholeNumber.optional().describe('Number of memories that the same recall finds outside the time window'),
    together: wholeNumber
      .optional()
      .describe(
        'Number of memories that the same recall finds only when all of these filters are left out; present when no filter alone hides a memory',
      ),
    state: wholeNumber
      .optional()
      .describe(
        'Number of archived, expired or not yet valid memories that state_mode history would add; only when nothing was found',
      ),
  })
  .describe(
    'How many memories each filter hides. Present only when nothing was found, or when a filter left fewer than 3 results and fewer than limit',
  );

const expansion = z
  .strictObject({
    enabled: z.literal(true).describe('Expansion was requested'),
    seed_count: wholeNumber.describe('Number of results that expansion started from'),
    expanded_count: wholeNumber.describe('Number of results reached over an edge'),
    relation_limit: wholeNumber.describe('Maximum number of edges followed from one result'),
    expansion_limit: wholeNumber.describe('Maximum number of memories that expansion adds'),
    respect_tags: z.boolean().describe('Whether the requested tags also apply to memories that expansion adds'),
  })
  .describe('Present only with expand_relations');

const entityExpansion = z
  .strictObject({
    enabled: z.literal(true).describe('Expansion was requested'),
    expanded_count: wholeNumber.describe('Number of results reached through an entity'),
    entities_found: z.array(z.string()).describe('The entities that were followed'),
  })
  .describe('Present only with expand_entities');

const scoreFilter = z
  .strictObject({
    min_score: z.number().nullable().describe('Minimum score; null if none applies'),
    adaptive_floor: z
      .number()
      .nullable()
      .describe('The last score before a wide gap in the scores; null when there is no wide gap'),
    filtered_count: wholeNumber.describe('Number of memories left out because of their score'),
  })
  .describe('Present only when min_score or adaptive_floor applies');

const truncation = z
  .strictObject({
    applied: z.literal(true).describe('The results were longer than max_tokens'),
    omitted_results: wholeNumber.describe('Number of results left out'),
    exceeded: z
      .literal(true)
      .optional()
      .describe('Even the best result alone is longer than allowed; it is returned whole'),
    reason: z.literal('max_tokens').describe('The parameter that set the limit'),
  })
  .describe('Present only when results exceeded max_tokens');

const recallAnswer = z.strictObject({
  status: success,
  query: z.string().describe('The query; empty when none was given'),
  queries: z.array(z.string()).optional().describe('Further queries of the same request'),
  results: z.array(recallResult).describe('In the order of sort; results added by expansion come last'),
  count: wholeNumber.describe('Number of results'),
  dedup_removed: wholeNumber.describe('Number of results left out because another result is equivalent'),
  sort: z
    .enum(SORT_ORDERS)
    .describe('Order of the results. In state_mode history, score puts currently valid memories first'),
  confidence: z.enum(['none', 'low', 'medium', 'high']).describe('How well the best results answer the query'),
  vector_search: z
    .strictObject({
      enabled: z
        .boolean()
        .describe('False while vectors cannot be made or searched. Recall then searches by words only'),
      matched: z.boolean().describe('Whether any result was found by its vector'),
    })
    .describe('Outcome of the vector search'),
  tag_mode: z.enum(TAG_MODES).describe('Whether a result must have any or all of the tags'),
  tag_match: z.enum(TAG_MATCHES).describe('prefix also matches sublevels of the requested tags'),
  state_mode: z.enum(STATE_MODES).describe('current shows only currently valid memories'),
  time_window: z
    .strictObject({
      start: z.string().optional().describe('Earliest creation time, ISO 8601 in UTC'),
      end: z.string().optional().describe('Latest creation time, ISO 8601 in UTC'),
    })
    .optional()
    .describe('Bounds of the creation time'),
  tags: z.array(z.string()).optional().describe('Requested tags'),
  exclude_tags: z.array(z.string()).optional().describe('Excluded tags'),
  state_filter: stateFilter.optional(),
  hidden: hidden.optional(),
  expansion: expansion.optional(),
  entity_expansion: entityExpansion.optional(),
  score_filter: scoreFilter.optional(),
  recency_bias: z.literal('on').optional().describe('Newer memories were boosted'),
  scope_fallback: z.literal(true).optional().describe('Memories without the tags may fill up the results'),
  truncation: truncation.optional(),
  query_time_ms: queryTimeMs,
});
export type RecallAnswer = z.infer<typeof recallAnswer>;

type Blocks = Partial<RecallAnswer>;
type StateFilter = NonNullable<RecallAnswer['state_filter']>;
type SuppressedAnswer = NonNullable<StateFilter['suppressed']>[number];

function renderRecall(outcome: RecallOutcome): RecallAnswer {
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
    query_time_ms: roundThousandths(outcome.durationMs),
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

export function startupRecallOperation(access: Access): Operation {
  return {
    ...routeOf('startupRecall'),
    access,
    tag: 'recall',
    summary: 'Get the memories that an assistant should know at the start of a conversation',
    answers: { 200: startupRecallAnswer },
    failures: [],
    run: async engine => renderStartupRecall(await engine.startupRecall()),
  };
}

const { id, content, tags, importance, type, metadata } = memoryFields;

const startupRecallAnswer = z.strictObject({
  status: success,
  critical_lessons: z
    .array(z.strictObject({ id, content, tags, importance, type, metadata, ...cutMetadataFields }))
    .max(10)
    .describe('Currently valid memories tagged critical, lesson or ai-assistant, most important first'),
  system_rules: z
    .array(z.strictObject({ id, content, tags }))
    .max(5)
    .describe('Currently valid memories tagged system or memory-recall, most important first'),
  lesson_count: wholeNumber.describe('Number of critical_lessons'),
  has_critical: z.boolean().describe('Whether one of critical_lessons has an importance of 0.9 or more'),
  summary: z.string().describe('Number of lessons and number of rules, in a sentence'),
});
export type StartupRecallAnswer = z.infer<typeof startupRecallAnswer>;

const CRITICAL_FROM = 0.9;

function renderStartupRecall({ lessons, rules }: StartupOutcome): StartupRecallAnswer {
  return {
    status: 'success',
    critical_lessons: lessons.map(({ id, content, tags, importance, type, metadata }) => ({
      id,
      content,
      tags: [...tags],
      importance,
      type,
      ...shownMetadata(metadata),
    })),
    system_rules: rules.map(({ id, content, tags }) => ({ id, content, tags: [...tags] })),
    lesson_count: lessons.length,
    has_critical: lessons.some(({ importance }) => importance >= CRITICAL_FROM),
    summary: `Recalled ${lessons.length} lesson(s) and ${rules.length} system rule(s)`,
  };
}
