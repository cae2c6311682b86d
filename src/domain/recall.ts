/** The results of a recall, the explanations for memories that it leaves out, and the parameters of a recall. */
import type { Invalidity, MemoryFilter, TagFilter } from './filter.js';
import type { Memory, MemoryType } from './memory.js';
import type { RelationEntry, RelationType } from './relation.js';
import { tagKeys } from './tags.js';
import { beginningOf } from './text/characters.js';

export type MatchType = 'semantic' | 'keyword' | 'tag' | 'relation' | 'entity';

/**
 * The components of a score. The first three are added as they are. Each of the others is 0..1 and is multiplied by its
 * weight. The specification defines the nine components from `vector` to `relevance`. Engraph adds the last three.
 */
export interface ScoreComponents {
  /** Bonus of context hints and of the recency bias. */
  context: number;
  /** What a newer note about the same thing needs to come before an older one; usually 0. */
  newer: number;
  /** Difference between the best score of the memories that this memory supersedes and its own; usually 0. */
  inherited: number;
  vector: number;
  keyword: number;
  exact: number;
  importance: number;
  confidence: number;
  recency: number;
  tag: number;
  relation: number;
  relevance: number;
  /** Share of the question's words that the memory contains. Rare words count more. Words in long texts count less. */
  lexical: number;
  /**
   * Similarity in meaning, where 0 is the similarity of unrelated texts. It counts more when no candidate contains many
   * words of the question.
   */
  meaning: number;
  /** Evidence propagated from memories of the same conversation. */
  neighbour: number;
}

/** The channel of recall that found a memory. */
export type FoundBy =
  | 'vector'
  | 'keyword'
  | 'date'
  | 'neighbour'
  | 'waiting'
  | 'priority'
  | 'list'
  | 'relation'
  | 'entity'
  | 'state';

/** How well the best results answer the question. */
export type Confidence = 'none' | 'low' | 'medium' | 'high';

export interface ScoredMemory {
  memory: Memory;
  score: number;
  /** The channel that contributed most to the score. */
  matchType: MatchType;
  /** Evidence of the channel in `matchType`, 0..1. */
  matchScore: number;
  components: ScoreComponents;
  foundBy: FoundBy[];
}

export interface RecalledMemory extends ScoredMemory {
  relations: RelationEntry[];
  /** Slug of the entity that led to this result. */
  expandedFromEntity?: string;
  /** The edge that led to this result: source result, type and strength. */
  from?: { id: string; type: RelationType; strength: number };
  /** Ids of memories with the same text and tags that this result represents. */
  duplicateIds?: string[];
  /** The superseded memory that this result replaces. */
  replaces?: Replaced;
  /** Id of the superseded memory whose score this result has. Set if that score is higher than its own. */
  inheritedFrom?: string;
  /**
   * The memory that replaces this memory. Like `invalidity`, it is set only when a recall includes outdated memories.
   */
  supersededBy?: Successor;
  /** Why the memory is not currently valid: it is archived, not yet valid or expired. */
  invalidity?: Invalidity;
  /** A newer memory that may replace this one, as a suggestion. It need not be a result itself. */
  maybeOutdatedBy?: Memory;
  /** The memory does not have the requested tags and was added to fill the page. */
  isOutsideTags?: boolean;
  /**
   * Whether the words, date, tags or meaning of the memory itself match. False when the memory was found only through
   * a neighbour, an edge or a superseded memory. Always false in a listing.
   */
  hasOwnEvidence: boolean;
  /**
   * Similarity in meaning of the memory itself to the query that found it: 0 for unrelated texts, 1 for identical
   * texts.
   */
  similarity: number;
  /** Weighted share of the question's terms that the content or date of the memory itself contains, 0..1. */
  coverage: number;
  /** Number of the question's terms that the content or date of the memory itself contains. */
  matchedTerms: number;
  /** Set only on request. */
  explanation?: ScoreExplanation;
}

/** A memory that another one has replaced. */
export interface Replaced {
  id: string;
  /** Type of the first edge on the path from this memory to the memory that supersedes it. */
  type: RelationType;
}

/** The memory that replaces another one. */
export interface Successor {
  id: string;
  /** Type of the first edge on the path from the replaced memory to this memory. */
  type: RelationType;
}

/** How a score was computed. The contributions add up to the score. */
export interface ScoreExplanation {
  weights: ScoreComponents;
  /** Each component times its weight. */
  contributions: ScoreComponents;
  terms: ExplainedTerm[];
  /** The memories from which the component `neighbour` was propagated, strongest first. */
  propagatedFrom: PropagatedEvidence[];
  /**
   * Whether the question names speakers of a conversation, but not the speaker of this memory. The components
   * `lexical`, `meaning` and `neighbour` are then reduced.
   */
  isSaidByAnother: boolean;
}

/** Evidence from a memory of the same conversation. */
export interface PropagatedEvidence {
  id: string;
  /** The evidence that would come from this memory alone, 0..1. */
  amount: number;
}

/** A term of the query, and where the memory contains it. */
export interface ExplainedTerm {
  term: string;
  weight: number;
  /**
   * 1 when the content contains the term. For a term of a date that the question names: 1 when the content names that
   * date or the memory dates from it, and between 0 and 1 when the memory dates from soon after it. Between 0 and 1
   * when the content has only pieces of the term, or only the metadata have it. Otherwise 0.
   */
  inContent: number;
  inTags: boolean;
}

/** A memory that a recall of current memories has left out. */
export type Suppressed =
  | { id: string; reason: Invalidity }
  | { id: string; reason: 'superseded'; successorId: string; relationType: RelationType };

export interface RecallOutcome {
  query: RecallQuery;
  results: RecalledMemory[];
  /**
   * Number of results dropped because another query already returned them, or because another result has the same text
   * and tags.
   */
  duplicatesRemoved: number;
  sort: SortOrder;
  confidence: Confidence;
  /** False while vectors cannot be made or searched. */
  isVectorSearchEnabled: boolean;
  /** Whether only currently valid memories are shown. */
  isCurrentOnly: boolean;
  window: Pick<MemoryFilter, 'fromMs' | 'toMs'>;
  /** Superseded memories that were left out. With `state_debug`, also archived, not yet valid and expired memories. */
  suppressed: Suppressed[];
  /** Set only when little or nothing was found. */
  hidden?: HiddenCounts;
  /** Set only on request. */
  expansion?: ExpansionOutcome;
  /** Set only when a minimum score or the adaptive floor applies. */
  threshold?: ScoreThreshold;
  hasRecencyBias: boolean;
  /** Number of results that `max_tokens` left out. */
  omittedCount: number;
  /** Whether even the best result alone is longer than `max_tokens`. This result is then returned in full. */
  isBudgetExceeded: boolean;
  durationMs: number;
}

/**
 * For each filter, the number of additional memories that the same recall finds without this filter. Undefined for
 * filters that are not set, and for tags with `scope_fallback`.
 */
export interface HiddenCounts {
  /** Counting stops at this number. */
  countedTo: number;
  tags?: number;
  excludedTags?: number;
  time?: number;
  /**
   * Number of memories found only when tags, excluded tags and time are all left out. Set when the recall has several
   * of these filters, but leaving out only one of them finds no more memories.
   */
  together?: number;
  /** Number of archived, not yet valid or expired memories. */
  state?: number;
}

export interface ExpansionOutcome {
  /** Number of results that expansion started from. */
  seedCount: number;
  /** Maximum number of relations followed from one seed. */
  relationLimit: number;
  /** Maximum number of memories that expansion adds. */
  limit: number;
  /** Slugs of the followed entities. */
  entities: string[];
}

export interface ScoreThreshold {
  /** Results below this score are left out. 0 keeps all results. */
  minScore: number;
  /** The last score before a wide gap in the scores. Undefined when there is no wide gap. */
  floor?: number;
  filteredCount: number;
}

export interface WhyNotOutcome {
  query: RecallQuery;
  scored: ScoredMemory;
  explanation: ScoreExplanation;
  verdict: WhyNotVerdict;
  /** Rank among all scored memories, from 1. Undefined when the memory was not a candidate. */
  rank?: number;
  /**
   * Score of the lowest-ranked result. Results that expansion or the fallback added do not count. Undefined when no
   * result counts.
   */
  cutoffScore?: number;
}

export type WhyNotVerdict =
  /** `place`: 1 for the first result. */
  { reason: 'returned'; place: number } | DropReason;

/** Why a step of recall dropped a memory, with the values that the step compared. */
export type DropReason =
  /** Better results fill `max_tokens`. */
  | { reason: 'overBudget' }
  | { reason: 'filteredByTags'; tagKeys: readonly string[] }
  | { reason: 'filteredByExcludedTags' | 'filteredByTime' | Invalidity }
  | { reason: 'superseded'; successorId: string; relationType: RelationType }
  | { reason: 'duplicate'; twinId: string }
  /** An entity leads to the memory, but the memory is not important enough or other memories precede it. */
  | { reason: 'behindOtherEntities' }
  /** All edges to the memory are weaker than requested. `strength` is the strength of the strongest edge, 0..1. */
  | { reason: 'weakEdge'; strength: number }
  /** An edge or an entity leads to the memory, but the memory is less important than requested. */
  | { reason: 'lowImportance' }
  | { reason: 'behindOtherEdges' }
  | { reason: 'belowThreshold' }
  /** In the order of a listing, the memory comes after the limit. */
  | { reason: 'listedLater'; sort: SortOrder }
  | { reason: 'rankedLater'; candidateCount: number }
  /** The memory matches, but other memories match so much better that it was not a candidate. */
  | { reason: 'noCandidate' }
  | { reason: 'noEvidence' };

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
