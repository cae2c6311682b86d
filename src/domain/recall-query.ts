/** The parameters of a recall in the engine (docs/decisions.md, "Recall"). */
import type { MemoryFilter, TagFilter } from './filter.js';
import type { MemoryType } from './memory.js';
import { tagKeys } from './tags.js';
import { beginningOf } from './text/length.js';

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
/** Maximum number of queries in one request. */
export const QUERIES_MAX = 20;
/** Maximum length of a time_query, in characters. */
export const TIME_QUERY_MAX_LENGTH = 200;
/** Maximum length of a query, in characters. A longer query is usually a pasted text, so the rest is not read. */
export const QUESTION_MAX_LENGTH = 2_000;

/** If a field is missing, the configuration or recall supplies the default. */
export interface RecallQuery {
  /** Undefined when the query is missing, blank or `*`. */
  query?: string;
  /** Further queries. They run together with `query`, and the results are merged. */
  queries?: string[];
  /** Vector from the caller, used instead of the vector of `query`. */
  embedding?: number[];
  limit: number;
  /** Maximum number of results per query, when there are several queries. */
  per_query_limit?: number;
  /** Undefined when the caller gave no order. */
  sort?: SortOrder;
  tags: string[];
  exclude_tags: string[];
  /** Keys of tags under which memories with former names of projects are found too. Set by the engine. */
  tag_aliases?: TagFilter['aliases'];
  tag_mode: (typeof TAG_MODES)[number];
  tag_match: (typeof TAG_MATCHES)[number];
  /** A time window in words. `start` replaces the beginning of the window, and `end` replaces its end. */
  time_query?: string;
  /** Earliest and latest creation time, in ISO 8601 or in words. */
  start?: string;
  end?: string;
  hints?: ContextHints;
  auto_decompose?: boolean;
  expansion?: ExpansionRequest;
  /** Maximum number of relations attached to one result, and of relations that expansion follows from one result. */
  relation_limit?: number;
  state_mode?: (typeof STATE_MODES)[number];
  state_debug?: boolean;
  min_score?: number;
  adaptive_floor?: boolean;
  recency_bias?: RecencyBias;
  scope_fallback?: boolean;
  explain?: boolean;
  /** Approximate maximum length of the answer's text, in tokens. */
  max_tokens?: number;
}

/** The defaults of a recall. */
export const RECALL_DEFAULTS = {
  limit: 5,
  tags: [] as string[],
  exclude_tags: [] as string[],
  tag_mode: 'any',
  tag_match: 'prefix',
} as const satisfies Partial<RecallQuery>;

/** The current work of the caller. Hints change scores and never filter (docs/decisions.md, "Context hints"). */
export interface ContextHints {
  context?: string;
  language?: string;
  active_path?: string;
  context_tags: string[];
  context_types: MemoryType[];
  priority_ids: string[];
}

/** How results are expanded to further memories (docs/decisions.md, "Expansion"). */
export interface ExpansionRequest {
  relations: boolean;
  entities: boolean;
  limit?: number;
  minImportance: number;
  minStrength: number;
  /** Whether the tag filter also applies to the memories that expansion adds. */
  respectTags: boolean;
}

/** A request for a page of `GET /memory/by-tag`. */
export interface TagPage {
  tags: string[];
  limit: number;
  offset: number;
  /** Whether to count the matches on all pages too. */
  counts?: boolean;
}

export const TAG_PAGE_MAX = 200;

/** The tag filter of a recall, in the form that stores evaluate. */
export function filterOf(query: RecallQuery): MemoryFilter {
  const { tags, exclude_tags: excluded, tag_aliases: aliases, tag_mode: mode, tag_match: match } = query;
  return {
    ...(tags.length > 0 && { tags: { keys: tagKeys(tags), mode, match, ...(aliases && { aliases }) } }),
    ...(excluded.length > 0 && { excludedTagKeys: tagKeys(excluded) }),
  };
}

/** All queries are shortened here, so that terms, vectors and dates are derived from the same text. */
export function questionOf(text: string): string {
  return beginningOf(text.trim(), QUESTION_MAX_LENGTH).trimEnd();
}
