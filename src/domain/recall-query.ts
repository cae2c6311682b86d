/** A recall as it is asked of the engine (docs/decisions.md, "Recall"). */
import type { MemoryFilter } from './filter.js';
import type { MemoryType } from './memory-type.js';
import { tagKeys } from './tags.js';
import { beginningOf } from './text.js';

export const SORT_ORDERS = ['score', 'time_desc', 'time_asc', 'updated_desc', 'updated_asc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export const TAG_MODES = ['any', 'all'] as const;
export const TAG_MATCHES = ['prefix', 'exact'] as const;
export const STATE_MODES = ['current', 'history'] as const;
export const RECENCY_BIASES = ['auto', 'on', 'off'] as const;
export type RecencyBias = (typeof RECENCY_BIASES)[number];

export const RELATION_LIMIT_MAX = 200;
export const EXPANSION_LIMIT_MAX = 500;
export const MAX_TOKENS_MAX = 1_000_000;
/** Queries that one request may ask. */
export const QUERIES_MAX = 20;
/** Longer questions are pasted texts: what follows is not read. In characters, as are the others. */
export const QUESTION_MAX_LENGTH = 2_000;

/** What absent fields mean is configuration's or recall's to say. */
export interface RecallQuery {
  /** Absent when nothing, blank or `*` was asked for. */
  query?: string;
  /** Further queries, asked at once and merged. */
  queries?: string[];
  /** Takes the place of the vector of `query`. */
  embedding?: number[];
  limit: number;
  /** Most results that each of several queries contributes. */
  per_query_limit?: number;
  /** Absent when the caller left the order to us. */
  sort?: SortOrder;
  tags: string[];
  exclude_tags: string[];
  tag_mode: (typeof TAG_MODES)[number];
  tag_match: (typeof TAG_MATCHES)[number];
  /** A time expression in words; explicit bounds win, each on its side. */
  time_query?: string;
  /** In ISO 8601 or in words, as `end`. */
  start?: string;
  end?: string;
  hints?: ContextHints;
  auto_decompose?: boolean;
  expansion?: ExpansionRequest;
  /** Most relations attached to one result, and most followed from one seed. */
  relation_limit?: number;
  state_mode?: (typeof STATE_MODES)[number];
  state_debug?: boolean;
  min_score?: number;
  adaptive_floor?: boolean;
  recency_bias?: RecencyBias;
  scope_fallback?: boolean;
  explain?: boolean;
  /** About how long the text of the answer may be. */
  max_tokens?: number;
}

/** What a recall asks for where it says nothing else. */
export const RECALL_DEFAULTS = {
  limit: 5,
  tags: [] as string[],
  exclude_tags: [] as string[],
  tag_mode: 'any',
  tag_match: 'prefix',
} as const satisfies Partial<RecallQuery>;

/** What the caller is busy with. It changes scores and never filters (docs/decisions.md, "Context hints"). */
export interface ContextHints {
  context?: string;
  language?: string;
  active_path?: string;
  context_tags: string[];
  context_types: MemoryType[];
  priority_ids: string[];
}

/** How results lead to further memories (docs/decisions.md, "Expansion"). */
export interface ExpansionRequest {
  relations: boolean;
  entities: boolean;
  limit?: number;
  minImportance: number;
  minStrength: number;
  /** Whether the tag filter holds for what relations lead to. */
  respectTags: boolean;
}

/** A page of `GET /memory/by-tag`. */
export interface TagPage {
  tags: string[];
  limit: number;
  offset: number;
  /** Whether all matches are counted too. */
  counts?: boolean;
}

export const TAG_PAGE_MAX = 200;

/** What the tags of a recall decide about what may be returned, as the stores evaluate it. */
export function filterOf(query: RecallQuery): MemoryFilter {
  const { tags, exclude_tags: excluded } = query;
  return {
    ...(tags.length > 0 && { tags: { keys: tagKeys(tags), mode: query.tag_mode, match: query.tag_match } }),
    ...(excluded.length > 0 && { excludedTagKeys: tagKeys(excluded) }),
  };
}

/** The one place where questions are cut, so that whatever is made of one is made of the same text. */
export function questionOf(text: string): string {
  return beginningOf(text.trim(), QUESTION_MAX_LENGTH).trimEnd();
}
