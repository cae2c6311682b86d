/** Answers to a recall. */
import { z } from 'zod';
import { SORT_ORDERS, STATE_MODES, TAG_MATCHES, TAG_MODES } from '../../domain/recall-query.js';
import { queryTimeMs, success, wholeNumber } from './common.js';
import { relationType } from './relation.js';
import { recallResult } from './result.js';

const stateFilter = z
  .strictObject({
    current_only: z.literal(true).describe('Only what holds now is shown'),
    suppressed_count: wholeNumber.describe('Memories left out because they do not hold now'),
    replacement_count: wholeNumber.describe('Results that take the place of a memory they have superseded'),
    suppressed: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of the memory left out'),
          reason: z.enum(['archived', 'not_yet_valid', 'expired', 'superseded']).describe('Why it does not hold now'),
          replacement_id: z.string().optional().describe('Id of what has superseded it'),
          relation_type: relationType.optional(),
        }),
      )
      .optional()
      .describe('Present only with state_debug. Without it, suppressed_count covers only superseded memories'),
    replacements: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of the result'),
          replaces_id: z.string().describe('Id of the memory whose place it takes'),
          relation_type: relationType,
        }),
      )
      .optional()
      .describe('Only with state_debug'),
  })
  .describe('Only with state_mode current');

const hidden = z
  .strictObject({
    counted_to: wholeNumber.describe('Counting ends here: such a number may stand for more'),
    tags: wholeNumber.optional().describe('Memories that the same recall finds without tags'),
    exclude_tags: wholeNumber.optional().describe('Memories that it finds without exclude_tags'),
    time: wholeNumber.optional().describe('Memories that it finds outside the time window'),
    together: wholeNumber
      .optional()
      .describe('Memories that it finds only without all of these filters; present where none of them alone hides one'),
    state: wholeNumber
      .optional()
      .describe(
        'Archived, expired or not yet valid memories that state_mode history shows; counted where nothing was found',
      ),
  })
  .describe(
    'How many memories each filter hides. Only where nothing was found, or fewer than 3 within a filter and less than limit',
  );

const expansion = z
  .strictObject({
    enabled: z.literal(true).describe('It was asked for'),
    seed_count: wholeNumber.describe('Results that expansion began from'),
    expanded_count: wholeNumber.describe('Results that an edge led to'),
    relation_limit: wholeNumber.describe('Most edges followed from one result'),
    expansion_limit: wholeNumber.describe('Most memories that expansion adds'),
    respect_tags: z.boolean().describe('Whether the tags asked for hold for them too'),
  })
  .describe('Only with expand_relations');

const entityExpansion = z
  .strictObject({
    enabled: z.literal(true).describe('It was asked for'),
    expanded_count: wholeNumber.describe('Results that an entity led to'),
    entities_found: z.array(z.string()).describe('Entities that were followed'),
  })
  .describe('Only with expand_entities');

const scoreFilter = z
  .strictObject({
    min_score: z.number().nullable().describe('Least score asked for; null for none'),
    adaptive_floor: z.number().nullable().describe('The score after which a wide gap comes; null for none'),
    filtered_count: wholeNumber.describe('Memories left out for their score'),
  })
  .describe('Only where scores are cut');

const truncation = z
  .strictObject({
    applied: z.literal(true).describe('The answer was kept short'),
    omitted_results: wholeNumber.describe('Results left out'),
    exceeded: z.literal(true).optional().describe('The best result alone is longer; it is here whole'),
    reason: z.literal('max_tokens').describe('The parameter that asked for it'),
  })
  .describe('Only where max_tokens left something out');

export const recallAnswer = z.strictObject({
  status: success,
  query: z.string().describe('The question; empty when nothing was asked'),
  queries: z.array(z.string()).optional().describe('Further questions that were asked at once'),
  results: z.array(recallResult).describe('In the order of sort; what expansion adds comes last'),
  count: wholeNumber.describe('Number of results'),
  dedup_removed: wholeNumber.describe('Results left out because another one gives the same'),
  sort: z
    .enum(SORT_ORDERS)
    .describe('Order of the results. With score and state_mode history, what holds now comes first'),
  confidence: z.enum(['none', 'low', 'medium', 'high']).describe('How far the best results answer the question'),
  vector_search: z
    .strictObject({
      enabled: z.boolean().describe('False while vectors cannot be made or searched: recall then goes by words'),
      matched: z.boolean().describe('Whether a result was found by its vector'),
    })
    .describe('What search by meaning did'),
  tag_mode: z.enum(TAG_MODES).describe('Whether a result has any or all of the tags'),
  tag_match: z.enum(TAG_MATCHES).describe('prefix includes the tags below those asked for'),
  state_mode: z.enum(STATE_MODES).describe('current hides what no longer holds'),
  time_window: z
    .strictObject({
      start: z.string().optional().describe('Earliest, ISO 8601 in UTC'),
      end: z.string().optional().describe('Latest, ISO 8601 in UTC'),
    })
    .optional()
    .describe('Bounds of the time of creation'),
  tags: z.array(z.string()).optional().describe('Tags asked for'),
  exclude_tags: z.array(z.string()).optional().describe('Tags left out'),
  state_filter: stateFilter.optional(),
  hidden: hidden.optional(),
  expansion: expansion.optional(),
  entity_expansion: entityExpansion.optional(),
  score_filter: scoreFilter.optional(),
  recency_bias: z.literal('on').optional().describe('Newer memories were raised'),
  scope_fallback: z.literal(true).optional().describe('Memories outside the tags may fill up the results'),
  truncation: truncation.optional(),
  query_time_ms: queryTimeMs,
});
export type RecallAnswer = z.infer<typeof recallAnswer>;
