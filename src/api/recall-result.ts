/** One result of a recall or of a listing by tag (docs/decisions.md, "The result object"). */
import { z } from 'zod';
import type { Invalidity } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import { shownMetadata } from '../domain/metadata.js';
import type { FoundBy, RecalledMemory, ScoreComponents, ScoreExplanation } from '../domain/recall.js';
import {
  cutMetadataFields,
  memoryFields,
  recordFields,
  relationEntryAnswer,
  relationType,
  roundScore,
  strength,
} from './answer-fields.js';
import { previewOf } from './memories.js';

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

export function renderResult(result: RecalledMemory): RecallResult {
  const { memory, components, relations, duplicateIds, expandedFromEntity, from, replaces, explanation } = result;
  const { supersededBy, invalidity, maybeOutdatedBy } = result;
  const score = roundScore(result.score);
  return {
    id: memory.id,
    memory: renderRecalledMemory(memory),
    score,
    final_score: score,
    match_score: roundScore(result.matchScore),
    match_type: result.matchType,
    source: result.foundBy.includes('vector') ? 'qdrant' : 'graph',
    score_components: eachComponent(name => roundScore(components[name])),
    relations,
    ...(duplicateIds && { deduped_from: duplicateIds }),
    ...(expandedFromEntity !== undefined && { expanded_from_entity: expandedFromEntity }),
    ...(from && { from }),
    ...(replaces && { state_replaces: replaces.id }),
    ...(result.inheritedFrom !== undefined && { inherited_from: result.inheritedFrom }),
    ...(supersededBy && { superseded_by: supersededBy.id }),
    ...(invalidity && { not_current: invalidityName(invalidity) }),
    ...(maybeOutdatedBy && { maybe_outdated_by: renderSuggestion(maybeOutdatedBy) }),
    ...(result.isOutsideTags && { outside_tag_scope: true }),
    ...(explanation && { explanation: renderExplanation(result, explanation) }),
  };
}

function renderSuggestion(newer: Memory): NonNullable<RecallResult['maybe_outdated_by']> {
  return { memory_id: newer.id, content: previewOf(newer), timestamp: newer.timestamp };
}

/** The name of the reason in answers. */
export function invalidityName(reason: Invalidity): 'archived' | 'not_yet_valid' | 'expired' {
  return reason === 'notYetValid' ? 'not_yet_valid' : reason;
}

export function renderRecalledMemory(memory: Memory): RecallResult['memory'] {
  return {
    memory_id: memory.id,
    id: memory.id,
    content: memory.content,
    tags: [...memory.tags],
    importance: memory.importance,
    created_at: memory.timestamp,
    timestamp: memory.timestamp,
    updated_at: memory.updated_at,
    last_accessed: memory.last_accessed,
    type: memory.type,
    confidence: memory.confidence,
    ...shownMetadata(memory.metadata),
    ...(memory.summary !== undefined && { summary: memory.summary }),
    ...(memory.t_valid !== undefined && { t_valid: memory.t_valid }),
    ...(memory.t_invalid !== undefined && { t_invalid: memory.t_invalid }),
    ...(memory.archived_at !== undefined && { archived_at: memory.archived_at }),
  };
}

export function renderExplanation(
  { components, foundBy }: { components: ScoreComponents; foundBy: readonly FoundBy[] },
  { weights, contributions, terms, propagatedFrom, isSaidByAnother }: ScoreExplanation,
): ScoreExplanationAnswer {
  return {
    found_by: [...foundBy],
    components: eachComponent(name => ({
      evidence: roundScore(components[name]),
      weight: weights[name],
      contribution: roundScore(contributions[name]),
    })),
    terms: terms.map(({ term, weight, inContent, inTags }) => ({
      term,
      weight: roundScore(weight),
      in_content: inContent,
      in_tags: inTags,
    })),
    ...(propagatedFrom.length > 0 && {
      lent_by: propagatedFrom.map(({ id, amount }) => ({ id, amount: roundScore(amount) })),
    }),
    ...(isSaidByAnother && { said_by_another: true }),
  };
}

function eachComponent<Value>(read: (name: keyof ScoreComponents) => Value): Record<keyof ScoreComponents, Value> {
  return {
    vector: read('vector'),
    keyword: read('keyword'),
    exact: read('exact'),
    importance: read('importance'),
    confidence: read('confidence'),
    recency: read('recency'),
    tag: read('tag'),
    relation: read('relation'),
    relevance: read('relevance'),
    lexical: read('lexical'),
    meaning: read('meaning'),
    neighbour: read('neighbour'),
    context: read('context'),
    newer: read('newer'),
    inherited: read('inherited'),
  };
}
