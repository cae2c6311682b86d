/** The results of a recall, and the explanations for memories that it leaves out. */
import type { Invalidity, MemoryFilter } from './filter.js';
import type { Memory } from './memory.js';
import type { RecallQuery, SortOrder } from './recall-query.js';
import type { RelationEntry, RelationType } from './relation.js';

export type MatchType = 'semantic' | 'keyword' | 'tag' | 'relation' | 'entity';

/**
 * The parts of a score, each 0..1 before its weight. `context`, the bonus of context hints and of the recency bias, is
 * added unweighted. The specification defines the first nine after `context`, each from the memory alone. The last
 * three are Engraph's own.
 */
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
  /** Share of the question's words that the memory has. Rare words count more, long texts less. */
  lexical: number;
  /** Closeness in meaning above that of unrelated texts. It counts more the less of the question words find. */
  meaning: number;
  /** Evidence lent by memories of the same conversation. */
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

/** How far the best results answer the question. */
export type Confidence = 'none' | 'low' | 'medium' | 'high';

export interface ScoredMemory {
  memory: Memory;
  score: number;
  /** The channel that contributed most to the score. */
  matchType: MatchType;
  /** Evidence of that channel, 0..1. */
  matchScore: number;
  components: ScoreComponents;
  foundBy: FoundBy[];
}

export interface RecalledMemory extends ScoredMemory {
  relations: RelationEntry[];
  /** The entity tag that led to it. */
  expandedFromEntity?: string;
  /** The edge that led to it: its source result, type and strength. */
  from?: { id: string; type: RelationType; strength: number };
  /** Ids of memories with the same text and tags that this result represents. */
  duplicateIds?: string[];
  /** The superseded memory that it replaces. */
  replaces?: Replaced;
  /** The memory that replaces it. Like `invalidity`, it is set only when a recall includes outdated memories. */
  supersededBy?: Successor;
  /** Why it is not currently valid by its own fields. */
  invalidity?: Invalidity;
  /** A newer result about the same things that contradicts it, without an edge between the two. */
  maybeOutdatedBy?: string;
  /** It does not have the requested tags and was added to fill the page. */
  isOutsideTags?: boolean;
  /**
   * Whether its own words, tags or meaning match, and not only those of a neighbour, an edge or a superseded memory.
   * Always false in a listing.
   */
  hasOwnEvidence: boolean;
  /** Its own closeness in meaning to the question that found it: 0 for unrelated texts, 1 for identical ones. */
  closeness: number;
  /** Share of that question that its own words cover, by weight, 0..1. */
  coverage: number;
  /** Number of that question's terms in its content. */
  matchedTerms: number;
  /** Set only on request. */
  explanation?: ScoreExplanation;
}

/** A memory that another one has replaced. */
export interface Replaced {
  id: string;
  /** Type of the first edge from it to the memory that supersedes it. */
  type: RelationType;
}

/** The memory that replaces another one. */
export interface Successor {
  id: string;
  /** Type of the first edge on the path to it. */
  type: RelationType;
}

/** How a score was computed. The contributions add up to the score. */
export interface ScoreExplanation {
  weights: ScoreComponents;
  /** Each component times its weight. */
  contributions: ScoreComponents;
  terms: ExplainedTerm[];
  /** The memories that lend the component `neighbour`, strongest first. */
  lenders: Lender[];
  /**
   * Whether a speaker in a conversation said it whom the question does not name, although it names others. Its extra
   * evidence then counts less.
   */
  isSaidByAnother: boolean;
}

/** A memory of the same conversation that lends evidence. */
export interface Lender {
  id: string;
  /** Evidence that it alone would lend, 0..1. */
  amount: number;
}

/** A term of the query, and where the memory has it. */
export interface ExplainedTerm {
  term: string;
  weight: number;
  /** 1 in its content or its date, less soon after that date. */
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
   * Number of results dropped because another query, or another memory with the same text and tags, already returned
   * them.
   */
  duplicatesRemoved: number;
  sort: SortOrder;
  confidence: Confidence;
  /** False while vectors cannot be made or searched. */
  isVectorSearchEnabled: boolean;
  /** Whether only currently valid memories are shown. */
  isCurrentOnly: boolean;
  window: Pick<MemoryFilter, 'fromMs' | 'toMs'>;
  /** Includes archived, not yet valid and expired memories only with `state_debug`. */
  suppressed: Suppressed[];
  /** Set only when little or nothing was found. */
  hidden?: HiddenCounts;
  /** Set only on request. */
  expansion?: ExpansionOutcome;
  /** Set only when low scores are cut. */
  threshold?: ScoreThreshold;
  hasRecencyBias: boolean;
  /** Number of results that `max_tokens` left out. */
  omittedCount: number;
  /** Even the best result alone is longer than `max_tokens`. It is returned whole. */
  isBudgetExceeded: boolean;
  durationMs: number;
}

/**
 * For each filter, the number of additional memories that the same recall finds without it. Undefined for filters that
 * are not set.
 */
export interface HiddenCounts {
  /** Counting stops at this number. */
  countedTo: number;
  tags?: number;
  excludedTags?: number;
  time?: number;
  /** Memories found only without all three filters. Set when none of them alone hides a memory. */
  together?: number;
  /** Archived, not yet valid or expired memories. */
  state?: number;
}

export interface ExpansionOutcome {
  /** Number of results that it started from. */
  seedCount: number;
  /** Maximum number of relations followed from one seed. */
  relationLimit: number;
  /** Maximum number of memories that it adds. */
  limit: number;
  /** Slugs of the followed entities. */
  entities: string[];
}

export interface ScoreThreshold {
  /** 0 filters nothing. */
  minScore: number;
  /** The score before a wide gap. Undefined when there is none. */
  floor?: number;
  filteredCount: number;
}
