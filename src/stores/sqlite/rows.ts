/**
 * Converts between table rows and domain records. Rows are read field by field, because the driver adds a key of its
 * own to each row.
 */
import type { Metadata } from '../../domain/json.js';
import { type Memory, type MemoryDraft, readMemoryType, UNCLASSIFIED } from '../../domain/memory.js';
import { tagPrefixes } from '../../domain/tags.js';
import { toIso } from '../../domain/time.js';
import type { SqlValue } from '../database/connection.js';

export interface MemoryRow {
  row: number;
  id: string;
  content: string;
  type: string;
  confidence: number;
  importance: number;
  tags: string;
  metadata: string;
  timestamp_ms: number;
  updated_ms: number;
  accessed_ms: number;
  valid_from_ms: number | null;
  valid_to_ms: number | null;
  summary: string | null;
  enriched: number;
  archived: number;
  archived_ms: number | null;
  archived_reason: string | null;
  relevance: number | null;
  embedded_by: string | null;
  maybe_outdated_by: string | null;
}

/** Columns of `memories` except the row number, in the order of `memoryValues`. */
export const MEMORY_COLUMNS = [
  'id',
  'content',
  'type',
  'confidence',
  'importance',
  'tags',
  'metadata',
  'timestamp_ms',
  'updated_ms',
  'accessed_ms',
  'valid_from_ms',
  'valid_to_ms',
  'summary',
  'enriched',
  'archived',
  'archived_ms',
  'archived_reason',
  'relevance',
  'embedded_by',
  'maybe_outdated_by',
] as const;

export function memoryValues(memory: Memory): SqlValue[] {
  return [
    memory.id,
    memory.content,
    memory.type,
    memory.confidence,
    memory.importance,
    JSON.stringify(memory.tags),
    JSON.stringify(memory.metadata),
    Date.parse(memory.timestamp),
    Date.parse(memory.updated_at),
    Date.parse(memory.last_accessed),
    memory.t_valid === undefined ? null : Date.parse(memory.t_valid),
    memory.t_invalid === undefined ? null : Date.parse(memory.t_invalid),
    memory.summary ?? null,
    memory.enriched ? 1 : 0,
    memory.archived ? 1 : 0,
    memory.archived_at === undefined ? null : Date.parse(memory.archived_at),
    memory.archived_reason ?? null,
    memory.relevance_score ?? null,
    memory.embedded_by ?? null,
    memory.maybe_outdated_by ?? null,
  ];
}

export function memoryOf(row: MemoryRow): Memory {
  const tags = JSON.parse(row.tags) as string[];
  const memory: MemoryDraft = {
    id: row.id,
    content: row.content,
    type: readMemoryType(row.type) ?? UNCLASSIFIED.type,
    confidence: row.confidence,
    tags,
    tag_prefixes: tagPrefixes(tags),
    importance: row.importance,
    metadata: JSON.parse(row.metadata) as Metadata,
    timestamp: toIso(row.timestamp_ms),
    updated_at: toIso(row.updated_ms),
    last_accessed: toIso(row.accessed_ms),
    enriched: row.enriched === 1,
    archived: row.archived === 1,
  };
  // The optional fields are assigned one by one, because an object that is made with spreads is slow to read.
  if (row.valid_from_ms !== null) memory.t_valid = toIso(row.valid_from_ms);
  if (row.valid_to_ms !== null) memory.t_invalid = toIso(row.valid_to_ms);
  if (row.summary !== null) memory.summary = row.summary;
  if (row.archived_ms !== null) memory.archived_at = toIso(row.archived_ms);
  if (row.archived_reason !== null) memory.archived_reason = row.archived_reason;
  if (row.relevance !== null) memory.relevance_score = row.relevance;
  if (row.embedded_by !== null) memory.embedded_by = row.embedded_by;
  if (row.maybe_outdated_by !== null) memory.maybe_outdated_by = row.maybe_outdated_by;
  return memory;
}
