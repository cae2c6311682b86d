/** Reads records, nodes and edges in the form of schema version 1. */
import type { Json, Metadata } from '../../../domain/json.js';
import type { Memory } from '../../../domain/memory.js';
import { readMemoryType, UNCLASSIFIED } from '../../../domain/memory-type.js';
import type { Relation } from '../../../domain/relation.js';
import { tagPrefixes } from '../../../domain/tags.js';
import { toIso } from '../../../domain/time.js';
import { decodeText, NONE } from '../encoding.js';

/** Properties of a `Memory` in version 1 that version 2 does not have. */
export const FORMER_MEMORY = [
  'exact_id',
  'numbers',
  'timestamp_ms',
  'updated_ms',
  'accessed_ms',
  'valid_from_ms',
  'valid_to_ms',
  'embedded_by',
  'model',
  'supplied',
  'revision',
  ...['embed', 'enrich'].flatMap(kind =>
    ['state', 'due_ms', 'token', 'attempts', 'error'].map(field => `${kind}_${field}`),
  ),
  'id_rank',
] as const;

/** Properties of other nodes in version 1 that version 2 does not have. */
export const FORMER_NODE = ['exact_id', 'properties', 'updated_ms', 'id_rank'] as const;

export type FormerProperties = Record<string, unknown>;

/** Returns the id of a node of version 1. */
export function formerId({ id, exact_id }: FormerProperties): string {
  return decodeText(String(typeof exact_id === 'string' && exact_id !== NONE ? exact_id : id));
}

/** @returns undefined if the node does not have the properties of version 1 */
export function formerMemory(read: FormerProperties): Memory | undefined {
  try {
    const [confidence, importance, relevance] = JSON.parse(read.numbers as string) as [number, number, number | null];
    const tags = JSON.parse(read.tags as string) as string[];
    const text = (name: string) => decodeText(read[name] as string);
    const time = (name: string) => toIso(read[name] as number);
    const isBound = (name: string) => Math.abs(read[name] as number) < 1e15;
    return {
      id: formerId(read),
      content: text('content'),
      type: readMemoryType(read.type as string) ?? UNCLASSIFIED.type,
      confidence,
      tags,
      tag_prefixes: tagPrefixes(tags),
      importance,
      metadata: JSON.parse(read.metadata as string) as Metadata,
      timestamp: time('timestamp_ms'),
      updated_at: time('updated_ms'),
      last_accessed: time('accessed_ms'),
      ...(isBound('valid_from_ms') && { t_valid: time('valid_from_ms') }),
      ...(isBound('valid_to_ms') && { t_invalid: time('valid_to_ms') }),
      ...(read.summary !== NONE && { summary: text('summary') }),
      enriched: read.enriched as boolean,
      archived: read.archived as boolean,
      ...(relevance !== null && { relevance_score: relevance }),
      ...(read.embedded_by !== NONE && { embedded_by: text('embedded_by') }),
    };
  } catch {
    return undefined;
  }
}

/** Returns the properties that version 1 kept beside the record, under the names that they have in version 2. */
export function formerOwn(read: FormerProperties) {
  return Object.fromEntries(
    ['supplied', 'revision', 'id_rank', ...FORMER_MEMORY.filter(name => /^(?:embed|enrich)_/.test(name))].map(name => [
      `_${name}`,
      read[name] as string | number,
    ]),
  );
}

export function formerNodeProperties({ properties }: FormerProperties): Metadata {
  return JSON.parse(properties as string) as Metadata;
}

/** Reads an edge of version 1 between two memories. */
export function formerEdge(read: FormerProperties): Pick<Relation, 'strength' | 'properties' | 'updated_at'> {
  const { strength, properties } = JSON.parse(read.details as string) as { strength: number; properties: Metadata };
  return { strength, properties, updated_at: toIso(read.updated_ms as number) };
}

/** Returns the properties that another program has added to an edge. */
export function foreignPropertiesOf(read: FormerProperties): Record<string, Json> {
  const ours = ['strength', 'details', 'updated_ms', 'confidence'];
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value);
  return Object.fromEntries(
    Object.entries(read).filter(([name, value]) => !ours.includes(name) && isPlain(value)),
  ) as Record<string, Json>;
}
