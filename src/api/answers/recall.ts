/** Answers to a recall. */
import { z } from 'zod';
import { SORT_ORDERS, STATE_MODES, TAG_MATCHES, TAG_MODES } from '../../domain/recall-query.js';
import { queryTimeMs, success, wholeNumber } from './common.js';
import { relationType } from './relation.js';
import { recallResult } from './result.js';

const stateFilter = z
  .strictObject({
    current_only: z.literal(true).describe('Only currently valid memories are shown'),
    suppressed_count: wholeNumber.describe('Number of memories left out because they are not currently valid'),
    replacement_count: wholeNumber.describe('Number of results that replace a memory they have superseded'),
    suppressed: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of the memory left out'),
          reason: z
            .enum(['archived', 'not_yet_valid', 'expired', 'superseded'])
            .describe('Why it is not currently valid'),
          replacement_id: z.string().optional().describe('Id of the memory that supersedes it'),
          relation_type: relationType.optional(),
        }),
      )
      .optional()
      .describe('Present only with state_debug. Without it, suppressed_count covers only superseded memories'),
    replacements: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of the result'),
          replaces_id: z.string().describe('Id of the memory that it replaces'),
          relation_type: relationType,
        }),
      )
      .optional()
      .describe('Present only with state_debug'),
  })
  .describe('Present only with state_mode current');

const hidden = z
  .strictObject({
    counted_to: wholeNumber.describe('Counting stops at this number: a count that reaches it may be higher'),
    tags: wholeNumber.optional().describe('Number of memories that the same recall finds without tags'),
    exclude_tags: wholeNumber.optional().describe('Number of memories that it finds without exclude_tags'),
    time: wholeNumber.optional().describe('Number of memories that the same recall finds outside the time window'),
    together: wholeNumber
      .optional()
      .describe(
        'Number of memories that it finds only without all of these filters; present when none of the filters alone hides a memory',
      ),
    state: wholeNumber
      .optional()
      .describe(
        'Number of archived, expired or not yet valid memories that state_mode history shows; counted when nothing was found',
      ),
  })
  .describe(
    'How many memories each filter hides. Present only when nothing was found, or when a filter left fewer than 3 results and fewer than limit',
  );

const expansion = z
  .strictObject({
    enabled: z.literal(true).describe('It was requested'),
    seed_count: wholeNumber.describe('Number of results that expansion started from'),
    expanded_count: wholeNumber.describe('Number of results reached over an edge'),
    relation_limit: wholeNumber.describe('Maximum number of edges followed from one result'),
    expansion_limit: wholeNumber.describe('Maximum number of memories that expansion adds'),
    respect_tags: z.boolean().describe('Whether the requested tags also apply to them'),
  })
  .describe('Present only with expand_relations');

const entityExpansion = z
  .strictObject({
    enabled: z.literal(true).describe('It was requested'),
    expanded_count: wholeNumber.describe('Number of results reached through an entity'),
    entities_found: z.array(z.string()).describe('The entities that were followed'),
  })
  .describe('Present only with expand_entities');

const scoreFilter = z
  .strictObject({
    min_score: z.number().nullable().describe('Requested minimum score; null if none was requested'),
    adaptive_floor: z.number().nullable().describe('The score before a wide gap; null when there is none'),
    filtered_count: wholeNumber.describe('Number of memories left out because of their score'),
  })
  .describe('Present only when low scores are cut');

const truncation = z
  .strictObject({
    applied: z.literal(true).describe('Results were left out to limit the length'),
    omitted_results: wholeNumber.describe('Number of results left out'),
    exceeded: z
      .literal(true)
      .optional()
      .describe('Even the best result alone is longer than allowed; it is returned whole'),
    reason: z.literal('max_tokens').describe('The parameter that set the limit'),
  })
  .describe('Present only when max_tokens left something out');

export const recallAnswer = z.strictObject({
  status: success,
  query: z.string().describe('The query; empty when none was given'),
  queries: z.array(z.string()).optional().describe('Further queries of the same request'),
  results: z.array(recallResult).describe('In the order of sort; results added by expansion come last'),
  count: wholeNumber.describe('Number of results'),
  dedup_removed: wholeNumber.describe('Number of results left out because another result is equivalent'),
  sort: z
    .enum(SORT_ORDERS)
    .describe('Order of the results. With score and state_mode history, currently valid memories come first'),
  confidence: z.enum(['none', 'low', 'medium', 'high']).describe('How far the best results answer the question'),
  vector_search: z
    .strictObject({
      enabled: z
        .boolean()
        .describe('False while vectors cannot be made or searched. Recall then searches by words only'),
      matched: z.boolean().describe('Whether any result was found by its vector'),
    })
    .describe('Outcome of the vector search'),
  tag_mode: z.enum(TAG_MODES).describe('Whether a result must have any or all of the tags'),
  tag_match: z.enum(TAG_MATCHES).describe('prefix also matches the tags below the requested ones'),
  state_mode: z.enum(STATE_MODES).describe('current hides memories that are no longer valid'),
  time_window: z
    .strictObject({
      start: z.string().optional().describe('Earliest, ISO 8601 in UTC'),
      end: z.string().optional().describe('Latest, ISO 8601 in UTC'),
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
