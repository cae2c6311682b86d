/** One result of a recall or of a listing by tag (docs/decisions.md, "The result object"). */
import { z } from 'zod';
import { cutMetadataFields, memoryFields, recordFields } from './memory-fields.js';
import { relationEntryAnswer, relationType, strength } from './relation.js';

const scoreComponents = z
  .strictObject({
    vector: z.number().describe('Cosine similarity to the query'),
    keyword: z
      .number()
      .describe('2 points for each word of the query in its content, 1 in its tags, of all there can be'),
    exact: z.number().describe('Share of the longest run of the words of the query that it has'),
    importance: z.number().describe('Importance of the memory'),
    confidence: z.number().describe('How sure its type is'),
    recency: z.number().describe('1 for an access now, 0 after 180 days'),
    tag: z.number().describe('Share of the words of the query that its tags have'),
    relation: z.number().describe('How well an edge or an entity ties it to a result'),
    relevance: z.number().describe('What decay has left of it'),
    lexical: z.number().describe('Share of the words of the query that it has: rare words count more, long texts less'),
    meaning: z.number().describe('Closeness in meaning beyond that of unrelated texts'),
    neighbour: z.number().describe('What memories of the same talk lend it'),
    context: z.number().describe('Bonus of context hints and recency bias, added as it is (weight 1)'),
  })
  .describe('The parts of the score, each 0-1 before its weight');

const contribution = z
  .strictObject({
    evidence: z.number().describe('The component, 0-1'),
    weight: z.number().describe('What it is multiplied with'),
    contribution: z.number().describe('evidence times weight'),
  })
  .describe('What a component adds to the score');

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
      .describe('Where recall looked when it found the memory'),
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
      })
      .describe('The contributions add up to the score'),
    terms: z
      .array(
        z.strictObject({
          term: z.string().describe('Stem of a word of the query'),
          weight: z.number().describe('Its worth: rare words have more'),
          in_content: z
            .number()
            .describe('1 when the memory itself or its date has the word; less soon after that date'),
          in_tags: z.boolean().describe('Whether a tag has it'),
        }),
      )
      .describe('Words of the query and where the memory has them'),
    lent_by: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of a memory of the same talk'),
          amount: z.number().describe('What it alone would lend, 0-1'),
        }),
      )
      .optional()
      .describe('Who lends the component neighbour, the most helpful first'),
    said_by_another: z
      .literal(true)
      .optional()
      .describe(
        'A line of a talk whose speaker the query does not name, though it names others: lexical, meaning and neighbour are less',
      ),
  })
  .describe('How the score came about');
export type ScoreExplanationAnswer = z.infer<typeof scoreExplanation>;

const recalledMemory = z.strictObject({
  memory_id: z.string().describe('The same as id'),
  id: memoryFields.id,
  content: memoryFields.content,
  tags: memoryFields.tags,
  importance: memoryFields.importance,
  created_at: z.string().describe('The same as timestamp'),
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
  score: z.number().describe('Weighted sum of the components; in a listing by tag the importance'),
  final_score: z.number().describe('The same as score'),
  match_score: z.number().describe('Evidence of the channel that contributed most, 0-1'),
  match_type: z
    .enum(['semantic', 'keyword', 'tag', 'relation', 'entity'])
    .describe('Channel that contributed most to the score'),
  source: z.enum(['qdrant', 'graph']).describe('qdrant when its vector was found, else graph'),
  score_components: scoreComponents,
  relations: z.array(relationEntryAnswer).describe('Its edges: first those that callers made, the strongest first'),
  deduped_from: z
    .array(z.string())
    .optional()
    .describe('Ids of memories with the same text, tags, type and validity that it stands for'),
  expanded_from_entity: z.string().optional().describe('The entity tag that led to it'),
  from: z
    .strictObject({ id: z.string().describe('Id of the result that it leaves'), type: relationType, strength })
    .optional()
    .describe('The edge that led to it'),
  state_replaces: z.string().optional().describe('Id of the memory it has superseded and whose place it takes'),
  superseded_by: z
    .string()
    .optional()
    .describe('Id of the memory that holds in its place; only in listings and with state_mode history'),
  not_current: z
    .enum(['archived', 'not_yet_valid', 'expired'])
    .optional()
    .describe('Why it does not hold by itself; only in listings and with state_mode history'),
  maybe_outdated_by: z
    .string()
    .optional()
    .describe('Id of a newer result that speaks of the same things and says otherwise; no edge joins the two'),
  outside_tag_scope: z
    .literal(true)
    .optional()
    .describe('It lies outside the tags asked for, and fills up the results'),
  explanation: scoreExplanation.optional(),
});
export type RecallResult = z.infer<typeof recallResult>;

/** A result of a listing, which neither scores nor expands. */
export const listedResult = recallResult.omit({
  deduped_from: true,
  expanded_from_entity: true,
  from: true,
  state_replaces: true,
  maybe_outdated_by: true,
  outside_tag_scope: true,
  explanation: true,
});
export type ListedResult = z.infer<typeof listedResult>;
