/**
 * Writes edges as properties that other programs can read: strength, time, and the properties that the type of the edge
 * declares.
 */
import type { Json, Metadata } from '../../domain/json.js';
import { RELATION_TYPES, type Relation, type RelationType, relationProperties } from '../../domain/relation.js';
import { toIso } from '../../domain/time.js';
import type { NodeLink } from '../ports/node-store.js';
import { exactFormOf, propertyForm, readExact, readInstant, restored } from './public-form.js';
import { Float, type Value } from './values.js';

/** Strength of an edge without a property for its strength. */
const DEFAULT_STRENGTH = 0.5;

/** Returns an expression for the strength of an edge. Another program may have made an edge without strength. */
export function strengthOf(alias: string): string {
  return `coalesce(${alias}.strength, ${DEFAULT_STRENGTH})`;
}

/** Returns all properties of an edge. */
export function edgeProperties({ type, strength, properties, updated_at }: Relation): Record<string, Value> {
  const declared = relationProperties(type);
  const readable = declared.flatMap((name): [string, Value][] => {
    const form = Object.hasOwn(properties, name) ? propertyForm(name, properties[name]) : undefined;
    return form === undefined ? [] : [[name, form]];
  });
  const isKept =
    Object.keys(properties).every(name => declared.includes(name)) &&
    exactFormOf(properties) === undefined &&
    exactFormOf({ strength }) === undefined;
  return {
    ...Object.fromEntries(readable),
    strength: new Float(strength),
    updated_at,
    ...(!isKept && { _exact: JSON.stringify({ strength, properties }) }),
  };
}

/** Reads the properties of an edge, without the ids of its two nodes. */
export function edgeOf(type: RelationType, read: Record<string, unknown>): Omit<Relation, 'from' | 'to'> {
  const declared = relationProperties(type);
  const exact = readExact(read._exact);
  const own: Record<string, Json> = {};
  for (const name of declared) {
    const value = read[name];
    if (value !== undefined && value !== null) own[name] = value as Json;
  }
  const strength = typeof read.strength === 'number' ? read.strength : DEFAULT_STRENGTH;
  const exactStrength = exact?.strength === undefined ? undefined : { strength: exact.strength };
  return {
    type,
    strength: Math.min(Math.max(restored({ strength }, exactStrength).strength as number, 0), 1),
    properties: restored(own, exact?.properties as Metadata | undefined, name => declared.includes(name)) as Metadata,
    updated_at: readInstant(read.updated_at) ?? toIso(0),
  };
}

export type LinkRow = [nodeId: string, properties: Record<string, unknown>];

/**
 * Returns the properties of an edge between a memory and a node of another kind. The confidence of the link is also the
 * strength of the edge.
 */
export function linkProperties({
  confidence,
  updated_at,
}: Pick<NodeLink, 'confidence' | 'updated_at'>): Record<string, Value> {
  const exact = exactFormOf({ confidence });
  return {
    confidence: new Float(confidence),
    strength: new Float(confidence),
    updated_at,
    ...(exact !== undefined && { _exact: exact }),
  };
}

export function readLink(read: Record<string, unknown>): Pick<NodeLink, 'confidence' | 'updated_at'> {
  const confidence = typeof read.confidence === 'number' ? read.confidence : DEFAULT_STRENGTH;
  const { confidence: exact } = restored({ confidence }, readExact(read._exact));
  return { confidence: exact as number, updated_at: readInstant(read.updated_at) ?? toIso(0) };
}

/**
 * Checks that a type of edge is known. Types cannot be parameters of a statement, so only known types may be inserted
 * into its text.
 */
export function typeOf(type: RelationType): RelationType {
  if (!RELATION_TYPES.includes(type)) throw new Error('Unknown type of relation');
  return type;
}
