/** Edges that a caller makes: reading them from untrusted input (decisions D13, D15). */
import { countProblem, lengthProblem } from './bounds.js';
import { invalidField, MemoryError } from './errors.js';
import { isPlainObject, type Json, type Metadata } from './json.js';
import { instant, parseFields, parseMemoryId, readNumber, unitNumber } from './memory-input.js';
import { AUTHORABLE_RELATION_TYPES, type RelationType, relationProperties } from './relation.js';

export interface Association {
  memory1_id: string;
  memory2_id: string;
  type: RelationType;
  /** 0..1 */
  strength: number;
  /** Only those that the type declares. */
  properties: Metadata;
}

/** How a new memory takes the place of an old one. */
export interface Supersession {
  oldId: string;
  type: 'INVALIDATED_BY' | 'EVOLVED_INTO';
  reason?: string;
}

export const SUPERSEDE_RELATIONS = ['INVALIDATED_BY', 'EVOLVED_INTO'] as const;
export const ASSOCIATIONS_MAX = 500;
const DEFAULT_STRENGTH = 0.5;
const PROPERTY_MAX_LENGTH = 2_000;

/** @throws MemoryError `invalid` naming the first bad field */
export function parseAssociation(input: unknown): Association {
  if (!isPlainObject(input)) throw new MemoryError('invalid', 'An association must be a JSON object');
  const first = parseMemoryId(input.memory1_id, 'memory1_id');
  const second = parseMemoryId(input.memory2_id, 'memory2_id');
  if (first === second)
    throw invalidField('memory2_id', 'must differ from memory1_id: a memory is not associated with itself');
  const type = readRelationType(input.type);
  const strength = parseFields({ strength: unitNumber }, { strength: input.strength ?? DEFAULT_STRENGTH }).strength;
  return { memory1_id: first, memory2_id: second, type, strength, properties: readProperties(type, input) };
}

/**
 * Reads a batch. An item that cannot be read is its own failure and leaves the others alone.
 *
 * @throws MemoryError `invalid` when there is no list of 1 to 500 items
 */
export function parseAssociations(input: unknown): (Association | MemoryError)[] {
  if (!Array.isArray(input) || input.length === 0) throw invalidField('associations', 'must be a non-empty array');
  const problem = countProblem(input, ASSOCIATIONS_MAX);
  if (problem !== undefined) throw invalidField('associations', problem);
  return input.map(item => attemptAssociation(() => parseAssociation(item)));
}

/** The association that `read` gives, or the reason why it gives none, which is then the failure of this item alone. */
export function attemptAssociation(read: () => Association): Association | MemoryError {
  try {
    return read();
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
}

/**
 * Reads what a new memory supersedes; undefined when nothing.
 *
 * @throws MemoryError `invalid` naming the bad field
 */
export function parseSupersession(input: Record<string, unknown>): Supersession | undefined {
  const { supersedes_memory_id: id, supersede_relation: relation, supersede_reason: reason } = input;
  if (id === undefined || id === null) return undefined;
  const name = readName(relation ?? SUPERSEDE_RELATIONS[0]);
  const type = SUPERSEDE_RELATIONS.find(candidate => candidate === name);
  if (!type) throw invalidField('supersede_relation', `must be one of ${SUPERSEDE_RELATIONS.join(', ')}`);
  const text = readProperty('supersede_reason', reason);
  if (text !== undefined && typeof text !== 'string') throw invalidField('supersede_reason', 'must be a string');
  return { oldId: parseMemoryId(id, 'supersedes_memory_id'), type, ...(text !== undefined && { reason: text }) };
}

function readRelationType(value: unknown): RelationType {
  const name = readName(value ?? 'RELATES_TO');
  const type = AUTHORABLE_RELATION_TYPES.find(candidate => candidate === name);
  if (!type) throw invalidField('type', `must be one of ${[...AUTHORABLE_RELATION_TYPES].sort().join(', ')}`);
  return type;
}

/** The name of a type in any case; undefined for a value that is not a string. */
function readName(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim().toUpperCase() : undefined;
}

function readProperties(type: RelationType, input: Record<string, unknown>): Metadata {
  const properties: Metadata = {};
  for (const name of relationProperties(type)) {
    const value = readProperty(name, input[name]);
    if (value !== undefined) properties[name] = value;
  }
  return properties;
}

function readProperty(name: string, value: unknown): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (name === 'confidence') return parseFields({ confidence: unitNumber }, { confidence: value }).confidence;
  if (name === 'timestamp') return parseFields({ timestamp: instant }, { timestamp: value }).timestamp;
  if (name === 'observations' && readNumber(value) !== undefined) return readNumber(value);
  if (typeof value !== 'string') throw invalidField(name, 'must be a string');
  const text = value.trim().toWellFormed();
  const problem = lengthProblem(text, PROPERTY_MAX_LENGTH);
  if (problem !== undefined) throw invalidField(name, problem);
  return text === '' ? undefined : text;
}
