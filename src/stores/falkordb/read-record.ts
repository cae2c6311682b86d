/** Reads a `Memory` that any program may have written, or explains why it is unreadable. */
import { isPlainObject, type Json, type Metadata } from '../../domain/json.js';
import {
  DEFAULT_IMPORTANCE,
  type Memory,
  type MemoryDraft,
  readMemoryType,
  UNCLASSIFIED,
} from '../../domain/memory.js';
import { tagPrefixes } from '../../domain/tags.js';
import { toIso } from '../../domain/time.js';
import { decodeText, NONE } from './encoding.js';
import { readExact, readInstant, restored } from './public-form.js';

/**
 * Properties that are read of a memory at the end of an edge, in this order. Result entries need no others, and
 * each property costs time.
 */
export const END_FIELDS = [
  'id',
  '_exact_id',
  'content',
  'type',
  'importance',
  'tags',
  'summary',
  '_exact',
  'timestamp',
];
/** Properties that make up the whole record. */
export const RECORD_FIELDS = [
  ...END_FIELDS,
  'confidence',
  'relevance_score',
  'metadata',
  'updated_at',
  'last_accessed',
  't_valid',
  't_invalid',
  'enriched',
  'archived',
  'archived_at',
  'archived_reason',
  '_embedded_by',
  '_maybe_outdated_by',
  // AutoMem sets this property on a memory that must never be forgotten.
  'protected',
];

/**
 * A record as one column. The column is a list, which is smaller than a node because it leaves out other properties.
 */
export type RecordRow = unknown[];

export function propertyOf(alias: string, field: string): string {
  return `${alias}.${field}`;
}

/** Returns the column that `readRecord` reads. */
export function recordOf(alias: string): string {
  return `[${RECORD_FIELDS.map(field => propertyOf(alias, field)).join(', ')}]`;
}

/** Returns an expression for a property of a memory at the end of an edge. */
export function endPropertyOf(alias: string, field: string): string {
  const alternatives = field === 'timestamp' ? ['timestamp', 'updated_at', 'last_accessed'] : [field];
  const properties = alternatives.map(each => propertyOf(alias, each)).join(', ');
  return alternatives.length > 1 ? `coalesce(${properties})` : properties;
}

/**
 * Returns a column for a memory at the end of an edge. `readRecord` reads it as a record that has only `END_FIELDS`;
 * all other properties count as absent.
 */
export function endOf(alias: string): string {
  return `[${END_FIELDS.map(field => endPropertyOf(alias, field)).join(', ')}]`;
}

/**
 * Type of AutoMem's cluster summaries, which also have the label of memories
 * (docs/decisions.md, "Nodes beside memories").
 */
export const CLUSTER_TYPE = 'MetaPattern';

/** The message names the unusable property and the reason. */
class Unreadable extends Error {}

/** A memory as stored in the graph, with the facts that decide whether it may be overwritten. */
export interface StoredMemory {
  memory: Memory;
  /**
   * A change reads the revision with the record, and replaces the record only if the revision is still the same.
   * Engraph increases the revision with each write that a concurrent change could otherwise undo.
   */
  revision: number;
  /** Digest of the fields that the index of the memory was built from. */
  indexedAs: string;
  /** Whether the index node of the memory exists; true if this was not checked. */
  hasIndex: boolean;
}

export interface StoredRow {
  record: RecordRow;
  revision: number;
  indexed_as: string | null;
}

/** Returns the columns that `storedOf` reads. */
export function storedColumns(alias: string): string {
  return `${recordOf(alias)} AS record, ${alias}._revision AS revision, ${alias}._indexed_as AS indexed_as`;
}

/** Returns undefined if the node cannot be read as a memory, or is not adopted yet. */
export function storedOf({ record, revision, indexed_as }: StoredRow, hasIndex = true): StoredMemory | undefined {
  const memory = memoryOf(record);
  if (!memory || typeof revision !== 'number') return undefined;
  return { memory, revision, indexedAs: typeof indexed_as === 'string' ? indexed_as : '', hasIndex };
}

export interface Reading {
  /** Undefined if the node is not a memory. */
  memory?: Memory;
  /** Why the node is unreadable although it should be a memory: a sentence for people. */
  problem?: string;
}

/** Returns the record in a row; undefined if the node cannot be read as a memory. */
export function memoryOf(row: RecordRow): Memory | undefined {
  return readRecord(row).memory;
}

export function readRecord(row: RecordRow): Reading {
  const [, , content, type, importance, tags, summary, exact, timestamp] = row;
  const [confidence, relevance, metadata, updatedAt, accessed, validFrom, validTo, ...last] = row.slice(
    END_FIELDS.length,
  );
  const [enriched, archived, archivedAt, archivedReason, model, suggestion, isProtected] = last;
  if (type === CLUSTER_TYPE) return {};
  try {
    const read = restored(
      {
        content: contentOf(content),
        tags: tagsOf(tags) as Json,
        confidence: share('confidence', confidence),
        importance: share('importance', importance),
        relevance_score: share('relevance_score', relevance),
        summary: optionalText('summary', summary),
        archived_reason: optionalText('archived_reason', archivedReason),
      },
      readExact(exact),
    ) as Partial<Omit<Memory, 'tags' | 'tag_prefixes'>> & { content: string; tags: string[] };
    const createdAt = instant('timestamp', timestamp);
    const changedAt = instant('updated_at', updatedAt);
    const accessedAt = instant('last_accessed', accessed);
    const t_valid = instant('t_valid', validFrom);
    const t_invalid = instant('t_invalid', validTo);
    const archived_at = instant('archived_at', archivedAt);
    const created = createdAt ?? changedAt ?? accessedAt ?? toIso(0);
    // The fields are assigned one by one, because an object literal with many spreads takes several times as long.
    const memory: MemoryDraft = {
      id: idOf(row),
      content: read.content,
      type: typeOf(type),
      confidence: read.confidence ?? UNCLASSIFIED.confidence,
      tags: read.tags,
      tag_prefixes: row.length > END_FIELDS.length ? tagPrefixes(read.tags) : [],
      importance: read.importance ?? DEFAULT_IMPORTANCE,
      metadata: metadataOf(metadata, isProtected === true),
      timestamp: created,
      updated_at: changedAt ?? created,
      last_accessed: accessedAt ?? created,
      enriched: flag('enriched', enriched),
      archived: flag('archived', archived),
    };
    if (t_valid !== undefined) memory.t_valid = t_valid;
    if (t_invalid !== undefined) memory.t_invalid = t_invalid;
    if (read.summary !== undefined) memory.summary = read.summary;
    if (archived_at !== undefined) memory.archived_at = archived_at;
    if (read.archived_reason !== undefined) memory.archived_reason = read.archived_reason;
    if (read.relevance_score !== undefined) memory.relevance_score = read.relevance_score;
    if (typeof model === 'string' && model !== NONE) memory.embedded_by = decodeText(model);
    if (typeof suggestion === 'string' && suggestion !== NONE) memory.maybe_outdated_by = decodeText(suggestion);
    return { memory };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    throw error;
  }
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** @throws when the row has no id */
export function idOf([id, exactId]: RecordRow): string {
  if (typeof id !== 'string') throw new Unreadable('its id is missing or not a text');
  return typeof exactId === 'string' ? decodeText(exactId) : id;
}

export const NO_CONTENT = 'its content is missing, empty or not a text';

function contentOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Unreadable(NO_CONTENT);
}

/** Returns the type of a memory. An unknown type counts as unclassified. */
function typeOf(value: unknown): Memory['type'] {
  if (!isAbsent(value) && typeof value !== 'string') throw new Unreadable('its type is not a text');
  return (typeof value === 'string' && readMemoryType(value)) || UNCLASSIFIED.type;
}

function share(name: string, value: unknown): number | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new Unreadable(`its ${name} is not a number from 0 to 1`);
}

function tagsOf(value: unknown): string[] {
  if (isAbsent(value)) return [];
  if (Array.isArray(value) && value.every(tag => typeof tag === 'string')) return value as string[];
  throw new Unreadable('its tags are not a list of texts');
}

/** @param isProtected whether AutoMem has marked the memory as protected; Engraph keeps that mark in the metadata */
function metadataOf(value: unknown, isProtected: boolean): Metadata {
  const marked = (metadata: Metadata) => (isProtected ? { ...metadata, protected: true } : metadata);
  if (isAbsent(value) || value === NONE) return marked({});
  try {
    const read: unknown = JSON.parse(value as string);
    if (typeof value === 'string' && isPlainObject(read)) return marked(read as Metadata);
  } catch {}
  throw new Unreadable('its metadata is not the JSON text of an object');
}

function instant(name: string, value: unknown): string | undefined {
  if (isAbsent(value) || value === NONE) return undefined;
  const read = readInstant(value);
  if (read === undefined) throw new Unreadable(`its ${name} is not a time in ISO 8601`);
  return read;
}

function optionalText(name: string, value: unknown): string | undefined {
  if (isAbsent(value) || typeof value === 'string') return value ?? undefined;
  throw new Unreadable(`its ${name} is not a text`);
}

function flag(name: string, value: unknown): boolean {
  if (isAbsent(value)) return false;
  if (typeof value === 'boolean') return value;
  throw new Unreadable(`its ${name} is neither true nor false`);
}
