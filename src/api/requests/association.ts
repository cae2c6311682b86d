/** Requests that create edges, one at a time or in a batch (docs/decisions.md, "Making edges and walking them"). */
import { z } from 'zod';
import { countProblem, lengthProblem } from '../../domain/bounds.js';
import { invalidField, MemoryError } from '../../domain/errors.js';
import { isKept } from '../../domain/exact-numbers.js';
import { isPlainObject, type Metadata } from '../../domain/json.js';
import { readNumber } from '../../domain/numbers.js';
import {
  ASSOCIATIONS_MAX,
  type Association,
  AUTHORABLE_RELATION_TYPES,
  type RelationType,
  relationProperties,
} from '../../domain/relation.js';
import { characterCount, halfCharacterProblem } from '../../domain/text/length.js';
import { choice, memoryId, text, time, unitNumber } from '../fields.js';
import { lenient, listIn, objectIn, optional, readObject, withDefault } from '../input.js';

const DEFAULT_STRENGTH = 0.5;
const PROPERTY_MAX_LENGTH = 2_000;
const OBSERVATIONS_MAX = 100;
/** Maximum length of all observations together, because every answer that shows the edge shows all observations. */
const OBSERVATIONS_MAX_LENGTH = 20_000;

const property = optional(text(PROPERTY_MAX_LENGTH));

/** Observations, or their number. */
const observations = lenient(
  given => {
    const value = listIn(given);
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

export const associations = z
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
    ofItsType(objectIn(input)),
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
export function readAssociations(
  given: unknown,
  schema: z.ZodObject<typeof association.shape> = association,
): (Association | MemoryError)[] {
  const input = listIn(given);
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
