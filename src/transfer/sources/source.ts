/** What every source yields: plain records, in the words of no program in particular. */
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
  /** `key` of the other record. */
  to: string;
  type: RelationType;
  /** 0..1 */
  strength?: number;
}

export interface SourceRecord {
  /** Groups records in the table, such as `observations`. */
  kind: string;
  /** Names the record within its source, and does not change between two exports of the source. */
  key: string;
  content: string;
  /** ISO 8601, as are the other times; absent: when the file was last changed. */
  timestamp?: string | undefined;
  updatedAt?: string | undefined;
  validFrom?: string | undefined;
  validUntil?: string | undefined;
  tags?: readonly string[];
  /** As the source names it. One that Engraph does not have goes into the metadata. */
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
  /** The rest of a sentence, such as `was deleted`. */
  problem: string;
}

export type Found = SourceRecord | LeftOut;

export interface Source {
  name: SourceName;
  /** Reads everything; may be called again. */
  read(): AsyncIterable<Found>;
  /** Time of records that have none. */
  modifiedMs: number;
}
