/**
 * Writes a memory as properties of a `Memory`, and reads it from them: the properties of the specification, and
 * Engraph's own properties, whose names begin with `_`.
 */
import { createHash, randomInt } from 'node:crypto';
import type { Json } from '../../domain/json.js';
import { type Memory, type MemoryDraft, readMemoryType, UNCLASSIFIED } from '../../domain/memory.js';
import { tagPrefixes } from '../../domain/tags.js';
import { frozenMemory } from '../cached-record.js';
import type { NewRecord } from '../ports/memory-store.js';
import { indexProperties } from './index-node.js';
import {
  decodeText,
  encodeText,
  encodeVector,
  exactFormOf,
  Float,
  identityOf,
  idRank,
  indexed,
  NONE,
  publicText,
  readExact,
  readInstant,
  restored,
  type Value,
} from './values.js';
import { newWork } from './work-fields.js';

export type Properties = Readonly<Record<string, Value>>;

/** Properties that make up a record, in the order in which `memoryOf` reads them. */
export const RECORD_FIELDS = [
  'id',
  '_exact_id',
  'content',
  'type',
  'confidence',
  'importance',
  'relevance_score',
  'tags',
  'metadata',
  'timestamp',
  'updated_at',
  'last_accessed',
  't_valid',
  't_invalid',
  'summary',
  'enriched',
  'archived',
  'archived_at',
  'archived_reason',
  '_exact',
  '_embedded_by',
  '_maybe_outdated_by',
];

/** A record as one column. */
export type RecordRow = unknown[];

/** Returns the column that `memoryOf` reads. */
export function recordOf(alias: string): string {
  return `[${RECORD_FIELDS.map(field => `${alias}.${field}`).join(', ')}]`;
}

/** Returns the condition that Engraph has written a `Memory`. Engraph leaves the nodes of other programs alone. */
export function isOurs(alias: string): string {
  return `${alias}._revision > 0`;
}

/**
 * Returns the memory in a row, frozen. Undefined if another program has changed a property so that it cannot be read.
 */
export function memoryOf(row: RecordRow): Memory | undefined {
  const [key, exactId, content, type, confidence, importance, relevance, tags, metadataText, ...others] = row;
  const [timestamp, updatedAt, accessedAt, validFrom, validUntil, summary, ...last] = others;
  const [enriched, archived, archivedAt, archivedReason, exact, model, suggestion] = last;
  const metadata = readExact(metadataText);
  const times = [timestamp, updatedAt, accessedAt, validFrom, validUntil, archivedAt].map(timeOf);
  const isReadable =
    [key, content].every(isText) &&
    [type, exactId, summary, archivedReason].every(value => isAbsent(value) || isText(value)) &&
    [confidence, importance].every(isShare) &&
    (isAbsent(relevance) || isShare(relevance)) &&
    Array.isArray(tags) &&
    tags.every(isText) &&
    metadata !== undefined &&
    !times.includes(UNREADABLE) &&
    [enriched, archived].every(value => typeof value === 'boolean');
  const [created, changed, accessed, t_valid, t_invalid, archived_at] = times as (string | undefined)[];
  if (!isReadable || !created || !changed || !accessed) return undefined;
  const read = restored(
    {
      content: content as string,
      tags: tags as Json,
      confidence: confidence as number,
      importance: importance as number,
      relevance_score: (relevance ?? undefined) as number | undefined,
      summary: (summary ?? undefined) as string | undefined,
      archived_reason: (archivedReason ?? undefined) as string | undefined,
    },
    readExact(exact),
  ) as unknown as Memory;
  // The fields are assigned one by one, because an object literal with many spreads takes several times as long.
  const memory: MemoryDraft = {
    id: idOfRow(row),
    content: read.content,
    type: (isText(type) && readMemoryType(type)) || UNCLASSIFIED.type,
    confidence: read.confidence,
    tags: read.tags,
    tag_prefixes: tagPrefixes(read.tags),
    importance: read.importance,
    metadata,
    timestamp: created,
    updated_at: changed,
    last_accessed: accessed,
    enriched: enriched as boolean,
    archived: archived as boolean,
  };
  if (t_valid !== undefined) memory.t_valid = t_valid;
  if (t_invalid !== undefined) memory.t_invalid = t_invalid;
  if (read.summary !== undefined) memory.summary = read.summary;
  if (archived_at !== undefined) memory.archived_at = archived_at;
  if (read.archived_reason !== undefined) memory.archived_reason = read.archived_reason;
  if (read.relevance_score !== undefined) memory.relevance_score = read.relevance_score;
  if (isText(model) && model !== NONE) memory.embedded_by = decodeText(model);
  if (isText(suggestion) && suggestion !== NONE) memory.maybe_outdated_by = decodeText(suggestion);
  return frozenMemory(memory);
}

const UNREADABLE = Symbol('unreadable');

function timeOf(value: unknown): string | undefined | typeof UNREADABLE {
  return isAbsent(value) ? undefined : (readInstant(value) ?? UNREADABLE);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** Returns the id of a record that Engraph has written, even if the record cannot be read. */
export function idOfRow([key, exactId]: RecordRow): string {
  return isText(exactId) ? decodeText(exactId) : (key as string);
}

/** A memory with its revision, which decides whether it may be overwritten. */
export interface StoredMemory {
  memory: Memory;
  /**
   * A change reads the revision with the record, and replaces the record only if the revision is still the same.
   * Engraph increases the revision with each write that a concurrent change could otherwise undo.
   */
  revision: number;
}

export interface StoredRow {
  record: RecordRow;
  revision: number;
}

/** Returns the columns that `storedOf` reads. */
export function storedColumns(alias: string): string {
  return `${recordOf(alias)} AS record, ${alias}._revision AS revision`;
}

/** Returns undefined if the memory cannot be read. */
export function storedOf({ record, revision }: StoredRow): StoredMemory | undefined {
  const memory = memoryOf(record);
  return memory && { memory, revision };
}

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
  };
}

function exactProperty(memory: Memory): Properties {
  const { content, tags, summary, confidence, importance, relevance_score, archived_reason } = memory;
  const texts = { content, tags: tags as Json, confidence, importance };
  const exact = exactFormOf({ ...texts, summary, relevance_score, archived_reason });
  return exact === undefined ? {} : { _exact: exact };
}

/** The value of `_model` for memories without a vector. With this value, an index finds such memories. */
export const NO_MODEL = indexed(0);

export function modelProperties(model: string | undefined) {
  return { _embedded_by: model === undefined ? NONE : encodeText(model), _model: modelNumber(model) };
}

/** Returns a digest as a number, because the server's index supports ranges of numbers but not of text. */
export function modelNumber(model: string | undefined): number {
  if (model === undefined) return NO_MODEL;
  return createHash('sha1').update(Buffer.from(model, 'utf16le')).digest().readUIntBE(0, 6) + 1;
}

/** Returns the two nodes of a new memory. */
export function newNodes({ memory, embedding, work }: NewRecord): { memory: Properties; index: Properties } {
  const identity = identityOf(memory.id);
  return {
    memory: {
      ...identity,
      ...recordProperties(memory),
      _id_rank: idRank(memory.id),
      _supplied: embedding ? encodeVector(embedding) : NONE,
      // A change that was read from a deleted memory must not fit the next memory with the same id.
      _revision: randomInt(1, 2 ** 40),
      ...newWork(work),
    },
    index: { ...identity, ...indexProperties(memory) },
  };
}
