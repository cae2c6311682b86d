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
  /** Reason, as the end of a sentence about the record, such as `was deleted`. */
  problem: string;
}

export type Found = SourceRecord | LeftOut;

export interface Source {
  name: SourceName;
  /** Reads all records. May be called several times. */
  read(): AsyncIterable<Found>;
  /** Time of records without a time of their own. */
  modifiedMs: number;
}
