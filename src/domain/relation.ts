/** The relation types, who may create them, and their properties (docs/decisions.md, "Relations"). */
import type { Metadata } from './json.js';
import type { Memory } from './memory.js';

interface RelationRule {
  /** Whether callers may create edges of this type. The system creates the edges of all other types. */
  authorable: boolean;
  /** Names of the properties that an edge of this type has besides its strength. */
  properties: readonly string[];
}

const RULES = {
  RELATES_TO: { authorable: true, properties: [] },
  LEADS_TO: { authorable: true, properties: [] },
  OCCURRED_BEFORE: { authorable: true, properties: [] },
  PREFERS_OVER: { authorable: true, properties: ['context', 'reason'] },
  EXEMPLIFIES: { authorable: true, properties: ['pattern_type', 'confidence'] },
  CONTRADICTS: { authorable: true, properties: ['resolution', 'reason'] },
  REINFORCES: { authorable: true, properties: ['observations'] },
  INVALIDATED_BY: { authorable: true, properties: ['reason', 'timestamp'] },
  EVOLVED_INTO: { authorable: true, properties: ['confidence', 'reason'] },
  DERIVED_FROM: { authorable: true, properties: ['transformation', 'confidence'] },
  PART_OF: { authorable: true, properties: ['role', 'context'] },
  SIMILAR_TO: { authorable: false, properties: ['score'] },
  PRECEDED_BY: { authorable: false, properties: ['count'] },
  DISCOVERED: { authorable: false, properties: ['kind', 'confidence', 'similarity', 'origin', 'run_id'] },
} as const satisfies Record<string, RelationRule>;

export type RelationType = keyof typeof RULES;

export const RELATION_TYPES = Object.keys(RULES) as RelationType[];
export const AUTHORABLE_RELATION_TYPES = RELATION_TYPES.filter(type => RULES[type].authorable);

/** Types of edges that lead from an outdated memory to its replacement. */
export const SUPERSESSION_TYPES: readonly RelationType[] = ['INVALIDATED_BY', 'EVOLVED_INTO'];

/** Returns the names of the properties that an edge of the type has besides its strength. */
export function relationProperties(type: RelationType): readonly string[] {
  return RULES[type].properties;
}

/** Limit with which all edges of a memory are read. No memory has as many. */
export const ALL_EDGES = 1_000_000;

/** One edge between two memories. There is at most one edge per (from, type, to). */
export interface Relation {
  from: string;
  to: string;
  type: RelationType;
  /** 0..1 */
  strength: number;
  /** Contains only properties that the type of the edge declares. */
  properties: Metadata;
  updated_at: string;
}

/** The id of the memory at the other end of an edge of the memory `id`. */
export function otherEnd({ from, to }: Relation, id: string): string {
  return from === id ? to : from;
}

/** The ids at the other ends of the edges of each memory, without duplicates. */
export function otherEnds(edges: ReadonlyMap<string, readonly Relation[]>): string[] {
  return [...new Set([...edges].flatMap(([id, relations]) => relations.map(relation => otherEnd(relation, id))))];
}

/** The fields that a `RelationEntry` shows of the memory at its other end. */
export type EndOfEntry = Pick<Memory, 'id' | 'content' | 'summary' | 'type' | 'importance' | 'tags' | 'timestamp'>;

/** One entry of a `relations` array: an edge as seen from one of its ends. */
export interface RelationEntry {
  type: RelationType;
  strength: number;
  direction: 'outgoing' | 'incoming';
  memory: Omit<EndOfEntry, 'tags'> & { tags: string[] };
  updated_at: string;
  [property: string]: unknown;
}

/** Joins an edge with the memory at its other end. Properties of the edge never overwrite fields of the entry. */
export function relationEntry(
  relation: Relation,
  direction: RelationEntry['direction'],
  other: EndOfEntry,
): RelationEntry {
  const { id, content, summary, type, importance, tags, timestamp } = other;
  // `Object.assign` is many times faster than a literal that begins with a spread.
  return Object.assign({}, relation.properties, {
    type: relation.type,
    strength: relation.strength,
    direction,
    memory: { id, content, ...(summary !== undefined && { summary }), type, importance, tags: [...tags], timestamp },
    updated_at: relation.updated_at,
  });
}

export interface Association {
  memory1_id: string;
  memory2_id: string;
  type: RelationType;
  /** 0..1 */
  strength: number;
  /** Only properties that the type declares. */
  properties: Metadata;
}

/** How a new memory replaces an old one. */
export interface Supersession {
  oldId: string;
  type: 'INVALIDATED_BY' | 'EVOLVED_INTO';
  reason?: string;
}

export const SUPERSEDE_RELATIONS = ['INVALIDATED_BY', 'EVOLVED_INTO'] as const;
export const ASSOCIATIONS_MAX = 500;

export interface RelatedQuery {
  id: string;
  types: readonly RelationType[];
  maxDepth: number;
  limit: number;
}
