/** Defines the records that all sources yield, in a format that does not depend on the program. */
import type { Metadata } from '../../domain/json.js';
import type { RelationType } from '../../domain/relation.js';

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
