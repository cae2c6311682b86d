/** One result of a recall or of a listing by tag (docs/decisions.md, "The result object"). */
import { z } from 'zod';
import { cutMetadataFields, memoryFields, recordFields } from './memory-fields.js';
import { relationEntryAnswer, relationType, strength } from './relation.js';

const scoreComponents = z
  .strictObject({
    vector: z.number().describe('Cosine similarity to the query'),
    keyword: z
      .number()
      .describe(
        'Share of maximum points: 2 per query word in content, 1 in tags; if all are consecutive, 2 more (tags: 1)',
      ),
    exact: z.number().describe('Length of the longest run of query words in the content, as a share of the query'),
    importance: z.number().describe('Importance of the memory'),
    confidence: z.number().describe('Confidence of the type of the memory'),
    recency: z.number().describe('1 for a memory accessed now, 0 for a memory not accessed for 180 days'),
    tag: z.number().describe('Share of the query words that occur in the tags'),
    relation: z.number().describe('Strength of the edge or entity that leads to the memory'),
    relevance: z.number().describe('Relevance after decay'),
    lexical: z
      .number()
      .describe(
        'Share of the query words that occur in the memory: rare words count more, words in long texts count less',
      ),
    meaning: z.number().describe('Similarity in meaning above that of unrelated texts'),
    neighbour: z.number().describe('Evidence lent by memories of the same conversation'),
    context: z.number().describe('Bonus of context hints and recency bias, added with weight 1'),
    newer: z
      .number()
      .describe('Added with weight 1: what a newer note needs to pass an older one about the same thing, usually 0'),
    inherited: z
      .number()
      .describe('Added with weight 1: what the memory inherits from a memory that it supersedes, usually 0'),
  })
  .describe('Score components before weighting, 0-1 except context');

const contribution = z
  .strictObject({
    evidence: z.number().describe('Component before weighting'),
    weight: z.number().describe('Weight of the component'),
    contribution: z.number().describe('evidence times weight'),
  })
  .describe('Contribution of a component to the score');

export const scoreExplanation = z
  .strictObject({
    found_by: z
      .array(
        z.enum([
          'vector',
          'keyword',
          'date',
          'neighbour',
          'waiting',
          'priority',
          'list',
          'relation',
          'entity',
          'state',
        ]),
      )
      .describe('The channels of recall that found the memory'),
    components: z
      .strictObject({
        vector: contribution,
        keyword: contribution,
        exact: contribution,
        importance: contribution,
        confidence: contribution,
        recency: contribution,
        tag: contribution,
        relation: contribution,
        relevance: contribution,
        lexical: contribution,
        meaning: contribution,
        neighbour: contribution,
        context: contribution,
        newer: contribution,
        inherited: contribution,
      })
      .describe('The contributions add up to the score'),
    terms: z
      .array(
        z.strictObject({
          term: z.string().describe('Stem of a query word'),
          weight: z.number().describe('Weight of the word: rare words weigh more'),
          in_content: z
            .number()
            .describe(
              '1 when the content or date has the word; less when it has only pieces of it, when only the metadata have it, or when the memory is dated soon after a named date; otherwise 0',
            ),
          in_tags: z.boolean().describe('Whether a tag has the word'),
        }),
      )
      .describe('Where the memory contains each query word'),
    lent_by: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of a memory of the same conversation'),
          amount: z.number().describe('Evidence from this memory alone, 0-1'),
        }),
      )
      .optional()
      .describe('Memories that lent evidence to this memory, strongest first'),
    said_by_another: z
      .literal(true)
      .optional()
      .describe(
        'The query names speakers, but not the speaker of this line of a conversation, so lexical, meaning and neighbour are reduced',
      ),
  })
  .describe('How the score was computed');
export type ScoreExplanationAnswer = z.infer<typeof scoreExplanation>;

const recalledMemory = z.strictObject({
  memory_id: z.string().describe('Same as id'),
  id: memoryFields.id,
  content: memoryFields.content,
  tags: memoryFields.tags,
  importance: memoryFields.importance,
  created_at: z.string().describe('Same as timestamp'),
  timestamp: memoryFields.timestamp,
  updated_at: memoryFields.updated_at,
  last_accessed: memoryFields.last_accessed,
  type: memoryFields.type,
  confidence: memoryFields.confidence,
  metadata: memoryFields.metadata,
  ...cutMetadataFields,
  summary: memoryFields.summary,
  t_valid: recordFields.t_valid,
  t_invalid: recordFields.t_invalid,
  archived_at: recordFields.archived_at,
});

export const recallResult = z.strictObject({
  id: memoryFields.id,
  memory: recalledMemory.describe('The memory itself'),
  score: z.number().describe('Weighted sum of the components; in a listing by tag, the importance'),
  final_score: z.number().describe('Same as score'),
  match_score: z.number().describe('Evidence of the strongest channel, 0-1'),
  match_type: z
    .enum(['semantic', 'keyword', 'tag', 'relation', 'entity'])
    .describe('The channel that contributed most to the score'),
  source: z.enum(['qdrant', 'graph']).describe('qdrant when the memory was found by its vector, otherwise graph'),
  score_components: scoreComponents,
  relations: z
    .array(relationEntryAnswer)
    .describe(
      'Edges of the memory: first those created by callers, then those created by the system, strongest first in each group',
    ),
  deduped_from: z
    .array(z.string())
    .optional()
    .describe('Ids of memories with equal text, tags, type and validity that this result represents'),
  expanded_from_entity: z.string().optional().describe('The entity that led to this result'),
  from: z
    .strictObject({
      id: z.string().describe('Id of the result where expansion started'),
      type: relationType,
      strength,
    })
    .optional()
    .describe('The edge that led to this result'),
  state_replaces: z.string().optional().describe('Id of the superseded memory that this result replaces'),
  inherited_from: z
    .string()
    .optional()
    .describe('Id of the superseded memory whose score this result has, because that score is higher than its own'),
  superseded_by: z
    .string()
    .optional()
    .describe('Id of the superseding memory; only in listings and with state_mode history'),
  not_current: z
    .enum(['archived', 'not_yet_valid', 'expired'])
    .optional()
    .describe('Why the memory is not currently valid; only in listings and with state_mode history'),
  maybe_outdated_by: z
    .strictObject({
      memory_id: memoryFields.id,
      content: z.string().describe('Content of the newer memory, or the beginning of a long content'),
      timestamp: memoryFields.timestamp,
    })
    .optional()
    .describe('A newer memory that may replace this one; this is a suggestion that nobody has answered'),
  outside_tag_scope: z
    .literal(true)
    .optional()
    .describe('The memory lacks the requested tags and fills up the results'),
  explanation: scoreExplanation.optional(),
});
export type RecallResult = z.infer<typeof recallResult>;

/** A result of a listing, which neither scores nor expands. */
export const listedResult = recallResult.omit({
  deduped_from: true,
  expanded_from_entity: true,
  from: true,
  state_replaces: true,
  inherited_from: true,
  maybe_outdated_by: true,
  outside_tag_scope: true,
  explanation: true,
});
export type ListedResult = z.infer<typeof listedResult>;
