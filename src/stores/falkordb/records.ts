/**
 * Converts domain records to properties of `Memory`: the properties of the specification, and Engraph's own properties,
 * whose names begin with `_`.
 */
import type { Json } from '../../domain/json.js';
import type { Memory } from '../../domain/memory.js';
import type { NewRecord } from '../ports/memory-store.js';
import { encodeText, encodeVector, identityOf, idRank, NONE } from './encoding.js';
import { indexedAs, indexProperties } from './index-node.js';
import { modelProperties } from './models.js';
import { Float, type Value } from './parameters.js';
import { exactFormOf, publicText } from './public-form.js';
import { newWork } from './work-fields.js';

export type Properties = Readonly<Record<string, Value>>;

/** Returns the properties of a record; leaves out fields that the record does not have. */
export function recordProperties(memory: Memory): Properties {
  const { t_valid, t_invalid, summary, relevance_score, archived_at, archived_reason, maybe_outdated_by } = memory;
  return {
    content: publicText(memory.content),
    type: memory.type,
    confidence: new Float(memory.confidence),
    importance: new Float(memory.importance),
    ...(relevance_score !== undefined && { relevance_score: new Float(relevance_score) }),
    tags: memory.tags.map(publicText),
    tag_prefixes: memory.tag_prefixes.map(publicText),
    metadata: JSON.stringify(memory.metadata),
    timestamp: memory.timestamp,
    updated_at: memory.updated_at,
    last_accessed: memory.last_accessed,
    ...(t_valid !== undefined && { t_valid }),
    ...(t_invalid !== undefined && { t_invalid }),
    ...(summary !== undefined && { summary: publicText(summary) }),
    enriched: memory.enriched,
    archived: memory.archived,
    ...(archived_at !== undefined && { archived_at }),
    ...(archived_reason !== undefined && { archived_reason: publicText(archived_reason) }),
    ...exactProperty(memory),
    ...modelProperties(memory.embedded_by),
    ...(maybe_outdated_by !== undefined && { _maybe_outdated_by: encodeText(maybe_outdated_by) }),
    _indexed_as: indexedAs(memory),
  };
}

function exactProperty(memory: Memory): Properties {
  const { content, tags, summary, confidence, importance, relevance_score, archived_reason } = memory;
  const exact = exactFormOf({
    content,
    tags: tags as Json,
    confidence,
    importance,
    ...(summary !== undefined && { summary }),
    ...(relevance_score !== undefined && { relevance_score }),
    ...(archived_reason !== undefined && { archived_reason }),
  });
  return exact === undefined ? {} : { _exact: exact };
}

/** Returns the properties of a memory that are not part of its record. */
export function ownProperties(id: string, { embedding, work }: Omit<NewRecord, 'memory'>): Properties {
  return {
    _id_rank: idRank(id),
    _supplied: embedding ? encodeVector(embedding) : NONE,
    _revision: 1,
    ...newWork(work),
  };
}

/** Returns the two nodes of a new memory. */
export function newNodes(record: NewRecord): { memory: Properties; index: Properties } {
  const { memory } = record;
  const identity = identityOf(memory.id);
  return {
    memory: { ...identity, ...recordProperties(memory), ...ownProperties(memory.id, record) },
    index: { ...identity, ...indexProperties(memory) },
  };
}
