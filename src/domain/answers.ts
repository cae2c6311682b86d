/** What the engine answers: the bodies of the REST responses and the structured content of the MCP tools. */

import type { Metadata } from './json.js';
import type { Memory } from './memory.js';
import type { MemoryType } from './memory-type.js';
import type { RelationEntry } from './relation.js';

/** Answer to one created memory (decisions D2). */
export interface StoreAnswer {
  status: 'success';
  memory_id: string;
  type: MemoryType;
  confidence: number;
  enrichment: 'queued';
  embedding: 'queued' | 'stored';
  embedding_status: 'queued' | 'provided';
  qdrant: 'queued' | 'stored' | 'unavailable';
  stored_at: string;
  timestamp: string;
  updated_at: string;
  last_accessed: string;
  tags: string[];
  metadata: Metadata;
  query_time_ms: number;
}

export interface StoreManyAnswer {
  status: 'success';
  stored: number;
  /** In the order of the input. */
  memory_ids: string[];
  /** `ok`: every vector is stored; `queued`: some are still to be made. */
  qdrant: 'ok' | 'queued' | 'unavailable';
  enrichment: 'queued';
  query_time_ms: number;
}

/** A memory by id: flat, with its relations. */
export type MemoryAnswer = { status: 'success'; relations: RelationEntry[] } & Memory;

export interface ChangeAnswer {
  status: 'success';
  memory_id: string;
}

export type MatchType = 'semantic' | 'keyword' | 'tag' | 'relation' | 'entity';

/** The parts of a score, each 0..1 before its weight; `context` is added unweighted. */
export interface ScoreComponents {
  vector: number;
  keyword: number;
  exact: number;
  importance: number;
  confidence: number;
  recency: number;
  tag: number;
  relation: number;
  relevance: number;
}

/** The memory inside a result, plus the id under the name the specification gives it. */
export interface RecalledMemory
  extends Pick<
    Memory,
    | 'id'
    | 'content'
    | 'tags'
    | 'importance'
    | 'timestamp'
    | 'updated_at'
    | 'last_accessed'
    | 'type'
    | 'confidence'
    | 'metadata'
    | 'summary'
  > {
  memory_id: string;
  created_at: string;
}

/** One result (decisions D21). */
export interface RecallResult {
  id: string;
  memory: RecalledMemory;
  score: number;
  final_score: number;
  match_score: number;
  match_type: MatchType;
  source: 'qdrant' | 'graph';
  score_components: ScoreComponents;
  relations: RelationEntry[];
  expanded_from_entity?: string;
  deduped_from?: string[];
}

export interface RecallAnswer {
  status: 'success';
  query: string;
  results: RecallResult[];
  count: number;
  dedup_removed: number;
  sort: string;
  vector_search: { enabled: boolean; matched: boolean };
  tag_mode: 'any' | 'all';
  tag_match: 'prefix' | 'exact';
  time_window?: { start?: string; end?: string };
  tags?: string[];
  exclude_tags?: string[];
  query_time_ms: number;
}

/** A page by tag: results in recall form, and the plain memories for AutoMem's clients (decisions D10). */
export interface TagPageAnswer {
  status: 'success';
  tags: string[];
  count: number;
  limit: number;
  offset: number;
  has_more: boolean;
  results: RecallResult[];
  memories: Memory[];
  query_time_ms: number;
}

export interface TagRemovalAnswer {
  status: 'success';
  tags: string[];
  deleted_count: number;
}

export type SyncStatus = 'synced' | 'drift_detected' | 'orphaned_vectors' | 'unknown';

export interface HealthAnswer {
  status: 'healthy' | 'degraded';
  falkordb: 'connected' | 'disconnected';
  qdrant: 'connected' | 'disconnected';
  memory_count: number | null;
  vector_count: number | null;
  sync_status: SyncStatus;
  vector_dimensions: { configured: number; effective: number; collection: number | null; mismatch: boolean };
  enrichment: {
    status: 'running' | 'stopped';
    queue_depth: number;
    pending: number;
    inflight: number;
    /** Since start. */
    processed: number;
    /** For good. */
    failed: number;
  };
  /** Which stores and which model serve, in words a person can act on. */
  backend: { graph: string; vectors: string; embedding: string; note?: string };
  graph: string;
  timestamp: string;
}

export interface WorkStatusAnswer {
  status: 'running' | 'stopped';
  queue_size: number;
  pending: number;
  inflight: number;
  max_attempts: number;
  stats: {
    processed_total: number;
    successes: number;
    failures: number;
    failed: number;
    last_success_id: string | null;
    last_success_at: string | null;
    last_error: string | null;
    last_error_at: string | null;
  };
}
