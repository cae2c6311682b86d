/** Relations: creating edges, and following them (docs/decisions.md, "Making edges and walking them"). */

import { z } from 'zod';
import { invalidField, MemoryError } from '../domain/errors.js';
import { countProblem, halfCharacterProblem, lengthProblem, readNumber } from '../domain/input.js';
import { isKept, isPlainObject, type Metadata } from '../domain/json.js';
import { RELATION_LIMIT_MAX } from '../domain/recall.js';
import {
  ASSOCIATIONS_MAX,
  type Association,
  AUTHORABLE_RELATION_TYPES,
  RELATION_TYPES,
  type RelatedQuery,
  type Relation,
  type RelationType,
  relationProperties,
} from '../domain/relation.js';
import type { RelatedMemory, RelatedOutcome } from '../domain/results.js';
import { characterCount } from '../domain/text/characters.js';
import {
  authoredPropertyFields,
  memoryFields,
  relationEntryAnswer,
  relationType,
  strength,
  success,
  wholeNumber,
} from './answer-fields.js';
import { choice, count, memoryId, text, time, unitNumber, words } from './fields.js';
import { isGiven, lenient, listFromJson, objectFromJson, optional, readObject, withDefault } from './input.js';
import { memoryIdIn, type Operation, routeOf } from './operation.js';

export const DEFAULT_STRENGTH = 0.5;
export const PROPERTY_MAX_LENGTH = 2_000;
const OBSERVATIONS_MAX = 100;
/** Maximum length of all observations together, because every answer that shows the edge shows all observations. */
const OBSERVATIONS_MAX_LENGTH = 20_000;

const property = optional(text(PROPERTY_MAX_LENGTH));

/** Observations, or their number. */
const observations = lenient(
  given => {
    const value = listFromJson(given);
    // A text of digits that JavaScript would change stays a text.
    return typeof value === 'string' && !isKept(value.trim()) ? value : (readNumber(value) ?? value);
  },
  z
    .union([z.number(), z.string(), z.array(z.string())], 'must be a number, a string or an array of strings')
    .transform(given => {
      if (typeof given === 'number') return given;
      const trimmed = [given].flat().map(each => each.trim());
      return Array.isArray(given) ? trimmed : (trimmed[0] ?? '');
    })
    .check(({ value, issues }) => {
      const message = observationsProblem(value);
      if (message !== undefined) issues.push({ code: 'custom', message, input: value });
    }),
);

function observationsProblem(given: number | string | readonly string[]): string | undefined {
  if (typeof given === 'number') {
    const isSafe = Number.isSafeInteger(given) || !Number.isInteger(given);
    return isSafe ? undefined : `must not be the number ${given}, which may have been changed: quote it as text`;
  }
  const texts = [given].flat();
  const tooMany = countProblem(texts, OBSERVATIONS_MAX);
  if (tooMany !== undefined) return tooMany;
  const [problem] = texts.flatMap(each => lengthProblem(each, PROPERTY_MAX_LENGTH) ?? halfCharacterProblem(each) ?? []);
  if (problem !== undefined) return problem;
  const length = texts.reduce((sum, each) => sum + characterCount(each), 0);
  if (length <= OBSERVATIONS_MAX_LENGTH) return undefined;
  return `must have at most ${OBSERVATIONS_MAX_LENGTH} characters together, but has ${length}`;
}
const TYPES = [...AUTHORABLE_RELATION_TYPES].sort() as [RelationType, ...RelationType[]];

const properties = {
  reason: property.describe('Why, for PREFERS_OVER, CONTRADICTS, INVALIDATED_BY and EVOLVED_INTO'),
  context: property.describe('For PREFERS_OVER and PART_OF'),
  confidence: optional(unitNumber).describe('Confidence, for EXEMPLIFIES, EVOLVED_INTO and DERIVED_FROM'),
  resolution: property.describe('How the contradiction was resolved, for CONTRADICTS'),
  observations: optional(observations).describe(
    'What was observed (an array of strings), or how often, for REINFORCES',
  ),
  pattern_type: property.describe('Kind of the pattern, for EXEMPLIFIES'),
  transformation: property.describe('The transformation, for DERIVED_FROM'),
  role: property.describe('Role of the part in the whole, for PART_OF'),
  timestamp: optional(time).describe(
    'Since when the old memory is invalid, for INVALIDATED_BY: ISO 8601, or in words such as "yesterday"',
  ),
};

export const association = z.object({
  memory1_id: memoryId.describe('Id (UUID) of the memory the relation starts from'),
  memory2_id: memoryId.describe('Id (UUID) of the memory it leads to'),
  type: withDefault(choice(TYPES), 'RELATES_TO').describe('RELATES_TO by default'),
  strength: withDefault(unitNumber, DEFAULT_STRENGTH).describe('0-1; 0.5 by default'),
  ...properties,
});

type Ends = { memory1_id: string; memory2_id: string };
export type AssociationRequest = Partial<z.output<typeof association>> & Ends;

const associations = z
  .array(association)
  .min(1)
  .max(ASSOCIATIONS_MAX)
  .describe('Pairs of memories to relate; each pair succeeds or fails independently');

/**
 * Parses an association. Properties that do not belong to its type are ignored.
 *
 * @throws MemoryError `invalid` naming the first invalid field
 */
export function readAssociation(
  input: unknown,
  schema: z.ZodObject<typeof association.shape> = association,
): Association {
  const { memory1_id, memory2_id, type, strength, ...given } = readObject(
    schema,
    ofItsType(objectFromJson(input)),
    'An association',
  );
  if (memory1_id === memory2_id) {
    throw invalidField('memory2_id', 'must differ from memory1_id: a memory cannot be associated with itself');
  }
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  return { memory1_id, memory2_id, type, strength, properties: Object.fromEntries(stated) as Metadata };
}

const PROPERTIES: readonly string[] = Object.keys(properties);

function ofItsType(input: unknown): unknown {
  const { data: type } = association.shape.type.safeParse(isPlainObject(input) ? input.type : undefined);
  if (!isPlainObject(input) || type === undefined) return input;
  const declared = relationProperties(type);
  const passedOver = (name: string) => PROPERTIES.includes(name) && !declared.includes(name);
  return Object.fromEntries(Object.entries(input).filter(([name]) => !passedOver(name)));
}

/**
 * Parses a batch. An invalid item fails alone and does not affect the others.
 *
 * @throws MemoryError `invalid` unless the input is a list of 1 to 500 items
 */
function readAssociations(
  given: unknown,
  schema: z.ZodObject<typeof association.shape> = association,
): (Association | MemoryError)[] {
  const input = listFromJson(given);
  if (!Array.isArray(input) || input.length === 0) throw invalidField('associations', 'must be a non-empty array');
  const problem = countProblem(input, ASSOCIATIONS_MAX);
  if (problem !== undefined) throw invalidField('associations', problem);
  return input.map(item => {
    try {
      return readAssociation(item, schema);
    } catch (error) {
      if (error instanceof MemoryError) return error;
      throw error;
    }
  });
}

const relatedMemory = z.strictObject({
  id: memoryFields.id,
  content: memoryFields.content,
  type: memoryFields.type,
  importance: memoryFields.importance,
  confidence: memoryFields.confidence,
  tags: memoryFields.tags,
  timestamp: memoryFields.timestamp,
  depth: wholeNumber.describe('Number of edges between this memory and the requested memory'),
  relation: relationEntryAnswer.describe('The edge over which the memory was first reached'),
  summary: memoryFields.summary,
});

const relatedAnswer = z.strictObject({
  status: success,
  memory_id: z.string().describe('Id of the requested memory'),
  count: wholeNumber.describe('Number of memories in this answer'),
  related_memories: z.array(relatedMemory).describe('Memories reached over edges, most important first'),
  relationship_types: z.array(relationType).describe('The types of edges that were followed'),
  max_depth: wholeNumber.describe('Maximum number of edges between the requested memory and a result'),
  limit: wholeNumber.describe('Requested maximum number of memories'),
});
export type RelatedAnswer = z.infer<typeof relatedAnswer>;

const ends = {
  memory1_id: z.string().describe('Id of the memory that the edge starts from'),
  memory2_id: z.string().describe('Id of the memory that the edge leads to'),
};

/** Type, strength and properties of the edge are top-level fields of the answer. */
const associationAnswer = z.strictObject({
  ...authoredPropertyFields,
  status: success,
  message: z.string().describe('The result in a sentence'),
  ...ends,
  relation_type: relationType,
  strength,
});
export type AssociationAnswer = z.infer<typeof associationAnswer>;

const index = wholeNumber.describe('Position of the item in the request, from 0');

const associationsAnswer = z.strictObject({
  status: z.enum(['success', 'partial_success']).describe('partial_success: at least one item failed'),
  created_count: wholeNumber.describe('Number of edges created'),
  failed_count: wholeNumber.describe('Number of items that failed'),
  succeeded: z
    .array(z.strictObject({ index, ...ends, relation_type: relationType, strength }))
    .describe('The created edges, in the order of the request'),
  failed: z
    .array(
      z.strictObject({
        index,
        reason: z.string().describe('Why the item failed, in a sentence'),
        field: z.string().optional().describe('The invalid field'),
      }),
    )
    .describe('The failed items, in the order of the request'),
  summary: z.string().describe('Number of created edges and number of items, in a sentence'),
});
export type AssociationsAnswer = z.infer<typeof associationsAnswer>;

const DEPTH_MAX = 3;

const RELATED_DEFAULT = 5;

export const relatedParameters = z.object({
  relationship_types: optional(words).describe(
    'Types of relations to follow. Unknown names are ignored. If no known name is given, all types that callers can create are followed',
  ),
  max_depth: optional(count({ max: DEPTH_MAX })).describe(
    'Maximum number of steps from the memory, 1 to 3; 1 by default',
  ),
  limit: optional(count({ max: RELATION_LIMIT_MAX })).describe(
    `Maximum number of memories, ${RELATED_DEFAULT} by default`,
  ),
});

export type RelatedParameters = z.output<typeof relatedParameters>;

export function toRelatedQuery(id: string, given: RelatedParameters): RelatedQuery {
  const { relationship_types = [], max_depth: maxDepth = 1, limit = RELATED_DEFAULT } = given;
  const asked = new Set(relationship_types.map(name => name.toUpperCase()));
  const types = RELATION_TYPES.filter(type => asked.has(type));
  return { id, types: types.length > 0 ? types : [...AUTHORABLE_RELATION_TYPES].sort(), maxDepth, limit };
}

export const relationOperations: readonly Operation[] = [
  {
    ...routeOf('associate'),
    access: 'token',
    tag: 'relations',
    summary: 'Relate two memories, or many pairs at once; each pair succeeds or fails independently',
    body: z.union([association, z.object({ associations })]),
    answers: { 201: z.union([associationAnswer, associationsAnswer]), 207: associationsAnswer },
    failures: ['invalid', 'not_found'],
    statusOf: answer => ('failed_count' in answer && answer.failed_count !== 0 ? 207 : 201),
    run: async (engine, { body }) => {
      const items = pairsIn(body);
      return items === undefined
        ? renderAssociation(await engine.associate(readAssociation(body)))
        : renderAssociations(await engine.associateMany(readAssociations(items)));
    },
  },
  {
    ...routeOf('related'),
    access: 'token',
    tag: 'relations',
    summary: 'List the memories that relations connect to a memory, most important first',
    query: relatedParameters,
    answers: { 200: relatedAnswer },
    failures: ['invalid', 'not_found'],
    run: async (engine, request) => {
      const id = memoryIdIn(request);
      const given = readObject(relatedParameters, request.query, 'The query');
      return renderRelated(await engine.related(toRelatedQuery(id, given)));
    },
  },
];

/** The list of a body with several associations. Undefined for a single one, which may have an empty list beside it. */
function pairsIn(body: unknown): unknown[] | undefined {
  const given = objectFromJson(body);
  const items = isPlainObject(given) ? listFromJson(given.associations) : undefined;
  if (!isPlainObject(given) || !Array.isArray(items)) return undefined;
  return items.length > 0 || !isGiven(given.memory1_id) ? items : undefined;
}

function renderAssociation(relation: Relation): AssociationAnswer {
  const { from, to, properties } = relation;
  return {
    ...properties,
    status: 'success',
    message: `Association created between ${from} and ${to}`,
    ...renderEdge(relation),
  };
}

/** @param outcomes the created edge or the error of each item, in the order of the items */
function renderAssociations(outcomes: readonly (Relation | MemoryError)[]): AssociationsAnswer {
  const succeeded: AssociationsAnswer['succeeded'] = [];
  const failed: AssociationsAnswer['failed'] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome instanceof MemoryError) failed.push({ index, ...renderReason(outcome) });
    else succeeded.push({ index, ...renderEdge(outcome) });
  }
  return {
    status: failed.length === 0 ? 'success' : 'partial_success',
    created_count: succeeded.length,
    failed_count: failed.length,
    succeeded,
    failed,
    summary: `${succeeded.length}/${outcomes.length} associations created successfully`,
  };
}

function renderEdge({ from, to, type, strength }: Relation) {
  return { memory1_id: from, memory2_id: to, relation_type: type, strength };
}

function renderReason({ message, field }: MemoryError): { reason: string; field?: string } {
  return { reason: message, ...(field !== undefined && { field }) };
}

function renderRelated({ query, memories }: RelatedOutcome): RelatedAnswer {
  return {
    status: 'success',
    memory_id: query.id,
    count: memories.length,
    related_memories: memories.map(renderRelatedMemory),
    relationship_types: [...query.types],
    max_depth: query.maxDepth,
    limit: query.limit,
  };
}

function renderRelatedMemory({ memory, depth, relation }: RelatedMemory): RelatedAnswer['related_memories'][number] {
  const { id, content, type, importance, confidence, tags, timestamp, summary } = memory;
  const fields = { id, content, type, importance, confidence, tags: [...tags], timestamp, depth, relation };
  return { ...fields, ...(summary !== undefined && { summary }) };
}
