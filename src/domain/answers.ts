/** What the engine answers: the bodies of the REST responses and the structured content of the MCP tools. */

import type { Metadata } from './json.js';
import type { Memory } from './memory.js';
import type { MemoryType } from './memory-type.js';
import type { ShownMetadata } from './metadata.js';
import type { RelationEntry, RelationType } from './relation.js';

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
  /** The content was too long and a language model has said it shorter; lengths in characters. */
  summarized?: true;
  original_length?: number;
  summarized_length?: number;
  /** Id of the memory whose place it takes. */
  superseded_memory_id?: string;
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

/** Answer to one created edge: its own properties stand beside its type and strength. */
export interface AssociationAnswer {
  status: 'success';
  message: string;
  memory1_id: string;
  memory2_id: string;
  relation_type: RelationType;
  strength: number;
  [property: string]: unknown;
}

export interface AssociationsAnswer {
  status: 'success' | 'partial_success';
  created_count: number;
  failed_count: number;
  succeeded: { index: number; memory1_id: string; memory2_id: string; relation_type: RelationType; strength: number }[];
  failed: { index: number; reason: string; field?: string }[];
  summary: string;
}

/** Memories that edges lead to, most important first. */
export interface RelatedAnswer {
  status: 'success';
  memory_id: string;
  count: number;
  related_memories: RelatedMemory[];
  relationship_types: RelationType[];
  max_depth: number;
  limit: number;
}

export interface RelatedMemory {
  id: string;
  content: string;
  summary?: string;
  type: MemoryType;
  importance: number;
  confidence: number;
  tags: string[];
  timestamp: string;
  /** Edges between it and the memory asked about. */
  depth: number;
  /** The edge by which it was reached first. */
  relation: RelationEntry;
}

export interface ChangeAnswer {
  status: 'success';
  memory_id: string;
}

export type MatchType = 'semantic' | 'keyword' | 'tag' | 'relation' | 'entity';

/** The parts of a score, each 0..1 before its weight; `context`, the bonus of context hints, is added unweighted. */
export interface ScoreComponents {
  context: number;
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
      | 'summary'
    >,
    ShownMetadata {
  memory_id: string;
  created_at: string;
}

/** Where recall looked when it found a memory. */
export type FoundBy =
  | 'vector'
  | 'keyword'
  | 'date'
  | 'neighbour'
  | 'priority'
  | 'list'
  | 'relation'
  | 'entity'
  | 'state';

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
  /** The entity tag that led to it. */
  expanded_from_entity?: string;
  /** The edge that led to it: from which result, of which type, how strong. */
  from?: { id: string; type: RelationType; strength: number };
  /** Ids of memories with the same text and tags that it stands for. */
  deduped_from?: string[];
  /** Id of the memory that it has superseded and whose place it takes. */
  state_replaces?: string;
  /** It lies outside the tags asked for, and fills up the result. */
  outside_tag_scope?: true;
  explanation?: ScoreExplanation;
}

/** How a score came about. The contributions add up to the score. */
export interface ScoreExplanation {
  found_by: FoundBy[];
  components: Record<keyof ScoreComponents, { evidence: number; weight: number; contribution: number }>;
  /**
   * Terms of the query and where the memory has them: 1 in its own content or in the date it was noted, less in what was said
   * around it.
   */
  terms: { term: string; weight: number; in_content: number; in_tags: boolean }[];
}

/** How far the best results answer the question. */
export type Confidence = 'none' | 'low' | 'medium' | 'high';

export interface StateFilterBlock {
  current_only: boolean;
  suppressed_count: number;
  replacement_count: number;
  /** Only with state_debug; without it what is archived, not yet valid or expired is left out uncounted. */
  suppressed?: {
    id: string;
    reason: 'archived' | 'not_yet_valid' | 'expired' | 'superseded';
    replacement_id?: string;
    relation_type?: RelationType;
  }[];
  replacements?: { id: string; replaces_id: string; relation_type: RelationType }[];
}

export interface RecallAnswer {
  status: 'success';
  query: string;
  queries?: string[];
  results: RecallResult[];
  count: number;
  /** Results dropped because another query, or another memory with the same text and tags, had given them already. */
  dedup_removed: number;
  sort: string;
  confidence: Confidence;
  vector_search: { enabled: boolean; matched: boolean };
  tag_mode: 'any' | 'all';
  tag_match: 'prefix' | 'exact';
  state_mode: 'current' | 'history';
  state_filter?: StateFilterBlock;
  time_window?: { start?: string; end?: string };
  tags?: string[];
  exclude_tags?: string[];
  expansion?: {
    enabled: true;
    seed_count: number;
    expanded_count: number;
    relation_limit: number;
    expansion_limit: number;
    respect_tags: boolean;
  };
  entity_expansion?: { enabled: true; expanded_count: number; entities_found: string[] };
  score_filter?: { min_score: number | null; adaptive_floor: number | null; filtered_count: number };
  recency_bias?: 'on';
  scope_fallback?: true;
  /** What a budget of max_tokens left out. */
  truncation?: {
    applied: true;
    omitted_results: number;
    /** The best result alone is longer; it is here whole. */
    exceeded?: true;
    reason: 'max_tokens';
  };
  query_time_ms: number;
}

/** Why a recall does not return a memory, or at which rank it does. */
export interface WhyNotAnswer {
  status: 'success';
  id: string;
  query: string;
  returned: boolean;
  /** 1 for the best; absent when it was no candidate. */
  rank?: number;
  reason:
    | 'returned'
    | 'filtered_by_tags'
    | 'filtered_by_excluded_tags'
    | 'filtered_by_time'
    | 'archived'
    | 'not_yet_valid'
    | 'expired'
    | 'superseded'
    | 'kept_out_of_expansion'
    | 'below_threshold'
    | 'duplicate'
    | 'ranked_too_low'
    | 'no_evidence';
  /** The reason in a sentence. */
  message: string;
  final_score?: number;
  /** Score of the last result that was returned. */
  cutoff_score?: number;
  explanation?: ScoreExplanation;
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
  memories: (Memory & ShownMetadata)[];
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
  /** Why it is degraded, each in a sentence; only then. */
  reasons?: string[];
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
    /** Age of the oldest work that is due, at most; 0 when none is. */
    behind_seconds: number;
  };
  /** How far the vectors of the present model have got: after a change of the model the others are made again. */
  embedding: { model: string; embedded: number | null; pending: number; failed: number; behind_seconds: number };
  storage: {
    /** The last calls of the graph that succeeded; null before the first. */
    last_read: { at: string; age_seconds: number } | null;
    last_write: { at: string; age_seconds: number } | null;
    /** Of both stores. */
    failures_last_minute: number;
    /** Of the database file; it is checked at a start after an end that left it open. */
    integrity: 'unchecked' | 'checking' | 'sound' | 'damaged';
    disk_free_bytes: number | null;
  };
  /** Which stores and which model serve, in words a person can act on. */
  backend: {
    graph: string;
    vectors: string;
    embedding: string;
    /** Why it is this one. */
    embedding_reason: string;
    /** Only while embedding fails. */
    embedding_error?: string;
  };
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
  classification: {
    pattern_classifications: number;
    llm_attempts: number;
    llm_successes: number;
    fallbacks: number;
    last_error: string | null;
  };
  /** Since the process started; null without a language model. */
  language_model: {
    model: string;
    requests: number;
    failures: number;
    input_tokens: number;
    output_tokens: number;
    last_error: string | null;
  } | null;
}

export interface ReprocessAnswer {
  status: 'queued';
  /** How many ids were submitted. */
  count: number;
  /** Sorted. */
  ids: string[];
}
