/**
 * Defines the records that all sources yield, in a format that does not depend on the program, and reads their values.
 * Values of an unexpected type are ignored.
 */

import { derivedDigest } from '../../domain/derived-ids.js';
import { MemoryError } from '../../domain/errors.js';
import { isPlainObject, type Metadata, parseQuoting } from '../../domain/json.js';
import type { RelationType } from '../../domain/relation.js';
import { parseIso, toIso } from '../../domain/time.js';

export const SOURCE_NAMES = [
  'server-memory',
  'mcp-memory-service',
  'claude-code',
  'codex',
  'chatgpt',
  'claude',
  'openmemory',
  'basic-memory',
  'claude-mem',
  'automem',
  'mem0',
  'rules-file',
  'generic',
] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

export interface SourceRelation {
  /** `key` of the record at the other end of the relation. */
  to: string;
  type: RelationType;
  /** 0..1 */
  strength?: number;
}

export interface SourceRecord {
  /** Group of the record in the report of an import, such as `observations`. */
  kind: string;
  /** Identifies the record within its source. The key is the same in every export of the source. */
  key: string;
  /** Position in the source, for reports. If absent, the key is shown, so a key that contains text needs a place. */
  place?: string;
  content: string;
  /** Time of creation. All times are in ISO 8601. If absent, the time of the last change of the file is used. */
  timestamp?: string | undefined;
  updatedAt?: string | undefined;
  /** Time of the last change of the file, if the source has several files. Used like `modifiedMs` of the source. */
  modifiedMs?: number;
  validFrom?: string | undefined;
  validUntil?: string | undefined;
  tags?: readonly string[];
  /** Type in the terms of the source. A type that Engraph does not have is stored in the metadata. */
  type?: string | undefined;
  /** 0..1 */
  importance?: number | undefined;
  /** 0..1 */
  confidence?: number | undefined;
  metadata?: Metadata;
  isArchived?: boolean;
  relations?: readonly SourceRelation[];
}

/** A part of the source that is not imported. */
export interface LeftOut {
  kind: string;
  place: string;
  /** Reason, as the end of a sentence about the record, such as `was deleted`. It contains no text of the record. */
  problem: string;
  severity?: Severity;
}

/**
 * - `broken` (default): the record cannot be read. Nothing is imported unless the person lets broken records be skipped.
 * - `incomplete`: the record can be read, but a part of it has no place in the memory, such as a relation without its
 *   end. Everything else is imported.
 * - `credential`: the record seems to contain a password or a key. Everything else is imported.
 * - `expected`: nothing is lost, because the record is no memory, such as a deleted one.
 */
export type Severity = 'broken' | 'incomplete' | 'credential' | 'expected';

export type Found = SourceRecord | LeftOut;

export interface Source {
  name: SourceName;
  /** Reads all records. May be called several times. */
  read(): AsyncIterable<Found>;
  /** Time of records without a time of their own. */
  modifiedMs: number;
}

export type Fields = Record<string, unknown>;

/** Distinguishes units: a recent time in seconds is below this number, a recent time in milliseconds above it. */
const SECONDS_MAX = 100_000_000_000;

export function textIn(fields: Fields, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

export function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name];
  if (isPlainObject(value)) return value;
  return typeof value === 'string' ? (objectOf(value) ?? {}) : {};
}

export function listIn(fields: Fields, name: string): unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
}

export function objectsIn(fields: Fields, name: string): Fields[] {
  return listIn(fields, name).filter(isPlainObject);
}

const DIGEST_LENGTH = 12;

/**
 * Returns the key of a record that has an id. A number is an id only within its file, and another file may have the same
 * number for another record, so the key then contains a digest of the content too. If the content of such a record
 * changes, the next import stores a second memory. That is less harm than a memory that another file overwrites.
 */
export function keyOf(id: string, content: string): string {
  return /^\d+$/.test(id) ? `${id}#${derivedDigest([content.trim()]).slice(0, DIGEST_LENGTH)}` : id;
}

/** Reads tags from a list, from JSON text, or from text with commas. */
export function tagsIn(fields: Fields, name: string): string[] {
  const value = fields[name];
  const list = typeof value === 'string' ? (listOf(value) ?? value.split(',')) : value;
  if (!Array.isArray(list)) return [];
  return list.filter((tag): tag is string => typeof tag === 'string' && tag.trim() !== '');
}

/** Reads a number from 0 to 1. Any other value is ignored. */
export function shareIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;
}

/** Reads the first valid instant: in ISO 8601, or as seconds, milliseconds or microseconds since 1970. */
export function instantIn(fields: Fields, ...names: string[]): string | undefined {
  for (const name of names) {
    const epochMs = epochMsOf(fields[name]);
    if (epochMs !== undefined) return toIso(epochMs);
  }
  return undefined;
}

function epochMsOf(value: unknown): number | undefined {
  if (typeof value === 'string')
    return parseIso(value) ?? (/^\d{9,}(?:\.\d+)?$/.test(value) ? msOf(Number(value)) : undefined);
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? msOf(value) : undefined;
}

function msOf(number: number): number | undefined {
  const epochMs = number < SECONDS_MAX ? number * 1000 : number < SECONDS_MAX * 1000 ? number : number / 1000;
  return epochMs < Date.UTC(9999, 0) ? Math.floor(epochMs) : undefined;
}

export function metadataOf(fields: Fields): Metadata {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as Metadata;
}

export function objectOf(text: string): Fields | undefined {
  const value = jsonOf(text);
  return isPlainObject(value) ? value : undefined;
}

export function listOf(text: string): unknown[] | undefined {
  const value = text.trim().startsWith('[') ? jsonOf(text) : undefined;
  return Array.isArray(value) ? value : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return parseQuoting(text);
  } catch {
    return undefined;
  }
}

/** @throws MemoryError `invalid` naming the file */
export function parseJson(text: string, name: string): unknown {
  try {
    return parseQuoting(text);
  } catch (cause) {
    throw new MemoryError('invalid', `${name} is not valid JSON; it may have been cut off`, { cause });
  }
}

/** Returns the error for a file whose structure does not fit its source. */
export function wrongShape(name: string, expected: string): MemoryError {
  return new MemoryError('invalid', `${name} must be ${expected}`, {
    hint: 'Use --from to name the program that wrote the file.',
  });
}
