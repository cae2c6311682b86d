/** The parameters of a recall (docs/decisions.md, "Recall"), declared once for the query string and for the tool. */
import { z } from 'zod';
import { countProblem, halfCharacterProblem, type InputLimits, lengthProblem } from '../domain/input.js';
import {
  EXPANSION_LIMIT_MAX,
  MAX_TOKENS_MAX,
  QUERIES_MAX,
  questionOf,
  RECALL_DEFAULTS,
  RECENCY_BIASES,
  RELATION_LIMIT_MAX,
  type RecallQuery,
  SORT_ORDERS,
  STATE_MODES,
  TAG_MATCHES,
  TAG_MODES,
  TIME_QUERY_MAX_LENGTH,
} from '../domain/recall.js';
import {
  amount,
  choice,
  count,
  embedding,
  endTime,
  flag,
  idList,
  stringList,
  text,
  textList,
  time,
  typeList,
  unitNumber,
} from './fields.js';
import { alsoNamed, optional, perLimits, readObject } from './input.js';

const LANGUAGE_MAX_LENGTH = 100;
/** Maximum length of a path in Linux. */
export const PATH_MAX_LENGTH = 4_096;

/** A listing by tag also accepts these parameters, but not the values `all` of tag_mode and `prefix` of tag_match. */
function sharedParameters(limits: InputLimits) {
  return {
    tags: optional(stringList).describe('Only memories with these tags or tags below them: project includes project:x'),
    tag_mode: optional(choice(TAG_MODES)).describe('any (default) or all of the tags'),
    tag_match: optional(choice(TAG_MATCHES)).describe('prefix (default) includes tags below; exact does not'),
    limit: optional(count({ max: limits.recallMaxLimit })).describe(
      `Maximum number of memories, ${RECALL_DEFAULTS.limit} by default`,
    ),
  };
}

/** Parameters that only a ranked recall accepts. A listing by tag refuses them. */
export function rankingParameters(limits: InputLimits) {
  const question = text(limits.recallTextMaxLength);
  return {
    query: optional(question).describe(
      'Question in plain words; without one, or with *, the most important memories. Only the first 2,000 characters are read',
    ),
    embedding: optional(embedding(limits.vectorSize)).describe('Your own vector of the query'),
    exclude_tags: optional(stringList).describe('Leaves out memories with any of these tags or tags below them'),
    start: optional(time).describe("Earliest creation time: ISO 8601, or words such as 'last week'"),
    end: optional(endTime).describe('Latest creation time, in the form of start; a day counts to its end'),
    sort: optional(choice(SORT_ORDERS)).describe('score by default; time_desc with time bounds and no query'),
    order_by: optional(choice(SORT_ORDERS)).describe('Same as sort'),
    queries: optional(questions(limits.recallTextMaxLength))
      .describe('Several questions at once, merged')
      .meta({ maxItems: QUERIES_MAX }),
    per_query_limit: optional(count({ max: limits.recallMaxLimit })).describe(
      'Maximum number of results per query, when there are several queries',
    ),
    auto_decompose: optional(flag).describe('Also search for the names and subjects in the query'),
    time_query: alsoNamed(
      // Recall checks the length, because `start` and `end` override a time_query that cannot be read.
      optional(text(Number.MAX_SAFE_INTEGER).meta({ maxLength: TIME_QUERY_MAX_LENGTH })).describe(
        "Creation time in words: 'last 7 days', 'yesterday', 'in May 2024'",
      ),
      'time',
    ),
    context: optional(question).describe('Your present work; memories that fit it rank higher'),
    language: alsoNamed(
      optional(text(LANGUAGE_MAX_LENGTH)).describe('Programming language in use; boosts memories that fit'),
      'lang',
    ),
    active_path: alsoNamed(
      optional(text(PATH_MAX_LENGTH)).describe('File being edited; style memories for its language rank higher'),
      'file_path',
      'focus_path',
    ),
    context_tags: optional(stringList).describe('Tags to boost'),
    context_types: optional(typeList).describe('Memory types to boost'),
    priority_ids: optional(idList).describe('Ids of memories to boost to the top, if they pass the filters'),
    expand_relations: alsoNamed(
      optional(flag).describe('Adds memories related to the results'),
      'expand_associations',
      'expand',
    ),
    expand_entities: alsoNamed(
      optional(flag).describe('Adds memories about the same people and things'),
      'entity_expansion',
    ),
    relation_limit: optional(count({ max: RELATION_LIMIT_MAX })).describe(
      'Maximum number of relations shown per result, and followed by expansion',
    ),
    expansion_limit: alsoNamed(
      optional(count({ max: EXPANSION_LIMIT_MAX })).describe('Maximum number of memories that expansion adds'),
      'relation_expansion_limit',
    ),
    expand_min_importance: optional(unitNumber).describe('Minimum importance of memories that expansion adds, 0-1'),
    expand_min_strength: optional(unitNumber).describe('Minimum strength of relations that are followed, 0-1'),
    expand_respect_tags: optional(flag).describe('Expansion adds only memories with the tags'),
    state_mode: optional(choice(STATE_MODES)).describe(
      'current (default) hides replaced and expired memories; history shows them',
    ),
    current_only: optional(flag).describe(
      'Older name for state_mode: true means current, false means history. Overrides state_mode',
    ),
    state_debug: optional(flag).describe('List hidden and replaced memories'),
    min_score: optional(amount).describe('Leave out results below this score'),
    adaptive_floor: optional(flag).describe('Leave out results after a wide gap in the scores'),
    recency_bias: optional(choice(RECENCY_BIASES)).describe(
      'Boost newer memories: on, off, or auto (decided by the words of the query)',
    ),
    scope_fallback: optional(flag).describe(
      'Fill up the results with memories without the tags when too few memories have them',
    ),
    explain: optional(flag).describe('Explains how the score of each result was computed'),
    max_tokens: optional(count({ max: MAX_TOKENS_MAX })).describe(
      'Approximate maximum length of the answer; the lowest scores are left out first',
    ),
  };
}

export const recallParameters = perLimits(limits =>
  z.object({ ...rankingParameters(limits), ...sharedParameters(limits) }),
);

export type RecallParameters = z.output<ReturnType<typeof recallParameters>>;

/** A comma separates queries only in a single text. In an item of an array, a comma is part of the query. */
function questions(maxLength: number) {
  const items = textList({ maxCount: QUERIES_MAX, maxLength }, 'must be an array of strings');
  return items.transform((texts, context): string[] => {
    const asked = [...new Set(texts.map(questionOf).filter(item => item !== '' && item !== '*'))];
    const [message] = [
      countProblem(asked, QUERIES_MAX),
      ...texts.map(item => lengthProblem(item.trim(), maxLength) ?? halfCharacterProblem(item)),
    ].filter(found => found !== undefined);
    if (message === undefined) return asked;
    context.issues.push({ code: 'custom', message, input: texts });
    return z.NEVER;
  });
}

/**
 * Parses a recall.
 *
 * @throws MemoryError `invalid` naming the first invalid parameter
 */
export function readRecall(raw: unknown, limits: InputLimits): RecallQuery {
  return toRecallQuery(readObject(recallParameters(limits), raw, 'A recall'), limits);
}

function toRecallQuery(given: RecallParameters, { recallMaxLimit }: InputLimits): RecallQuery {
  const query = {
    query: questionIn(given.query),
    queries: given.queries && given.queries.length > 0 ? given.queries : undefined,
    embedding: given.embedding,
    limit: Math.min(given.limit ?? RECALL_DEFAULTS.limit, recallMaxLimit),
    per_query_limit: given.per_query_limit,
    sort: given.sort ?? given.order_by,
    tags: given.tags ?? [],
    exclude_tags: given.exclude_tags ?? [],
    tag_mode: given.tag_mode ?? RECALL_DEFAULTS.tag_mode,
    tag_match: given.tag_match ?? RECALL_DEFAULTS.tag_match,
    time_query: given.time_query || undefined,
    start: given.start,
    end: given.end,
    hints: hintsOf(given),
    auto_decompose: given.auto_decompose,
    expansion: expansionOf(given),
    relation_limit: given.relation_limit,
    state_mode: stateModeOf(given),
    state_debug: given.state_debug,
    min_score: given.min_score,
    adaptive_floor: given.adaptive_floor,
    recency_bias: given.recency_bias,
    scope_fallback: given.scope_fallback,
    explain: given.explain,
    max_tokens: given.max_tokens,
  };
  return withoutAbsent(query);
}

/** Blank text and `*` count as no query. */
function questionIn(text: string | undefined): string | undefined {
  const question = questionOf(text ?? '');
  return question === '' || question === '*' ? undefined : question;
}

function hintsOf(given: RecallParameters): RecallQuery['hints'] {
  const { context_tags = [], context_types = [], priority_ids = [] } = given;
  const hints = {
    ...withoutAbsent({
      context: questionOf(given.context ?? '') || undefined,
      language: given.language || undefined,
      active_path: given.active_path || undefined,
    }),
    context_tags,
    context_types,
    priority_ids,
  };
  return Object.values(hints).some(hint => hint.length > 0) ? hints : undefined;
}

function expansionOf(given: RecallParameters): RecallQuery['expansion'] {
  const { expand_relations: relations = false, expand_entities: entities = false } = given;
  if (!relations && !entities) return undefined;
  return withoutAbsent({
    relations,
    entities,
    limit: given.expansion_limit,
    minImportance: given.expand_min_importance ?? 0,
    minStrength: given.expand_min_strength ?? 0,
    respectTags: given.expand_respect_tags ?? false,
  });
}

/** `current_only` is the older parameter of AutoMem for the same choice. It overrides `state_mode`. */
function stateModeOf({ state_mode, current_only: isCurrentOnly }: RecallParameters): RecallQuery['state_mode'] {
  if (isCurrentOnly === undefined) return state_mode;
  return isCurrentOnly ? 'current' : 'history';
}

type Absent<Fields> = { [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Fields[Key] } & {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
};

/** Removes fields without a value. */
function withoutAbsent<Fields extends object>(fields: Fields): Absent<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Absent<Fields>;
}
