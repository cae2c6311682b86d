/** What a recall gives back, and what it says of a memory that it does not return. */
import type { Invalidity, MemoryFilter } from './filter.js';
import type { Memory } from './memory.js';
import type { RecallQuery, SortOrder } from './recall-query.js';
import type { RelationEntry, RelationType } from './relation.js';

export type MatchType = 'semantic' | 'keyword' | 'tag' | 'relation' | 'entity';

/**
 * The parts of a score, each 0..1 before its weight; `context`, the bonus of context hints and of the recency bias, is added unweighted. The
 * specification defines the first nine after `context`, each from the memory alone. The last three are Engraph's own.
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
  /** Share of the question's words that the memory has, rare words counting more, less in long texts. */
  lexical: number;
  /** Closeness in meaning beyond that of unrelated texts; the less the words of the question find, the more. */
  meaning: number;
  /** Lent by memories of the same talk. */
  neighbour: number;
}

/** Where recall looked when it found a memory. */
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
  /** That channel's evidence, 0..1. */
  matchScore: number;
  components: ScoreComponents;
  foundBy: FoundBy[];
}

export interface RecalledMemory extends ScoredMemory {
  relations: RelationEntry[];
  /** The entity tag that led to it. */
  expandedFromEntity?: string;
  /** The edge that led to it: from which result, of which type, how strong. */
  from?: { id: string; type: RelationType; strength: number };
  /** Ids of memories with the same text and tags that it stands for. */
  duplicateIds?: string[];
  /** The memory that it has superseded and whose place it takes. */
  replaces?: Replaced;
  /** What holds in its place. Only where a recall shows what no longer holds, as `invalidity`. */
  supersededBy?: Successor;
  /** Why it does not hold by itself. */
  invalidity?: Invalidity;
  /** A newer result that speaks of the same things and says otherwise, without an edge between the two. */
  maybeOutdatedBy?: string;
  /** It lies outside the tags asked for, and fills up the result. */
  isOutsideTags?: boolean;
  /** Whether its own words, tags or meaning match, and not only a neighbour, an edge or what it has superseded. Never in a listing. */
  hasOwnEvidence: boolean;
  /** How close it is by itself in meaning to the question for which it was found, 0 for unrelated texts, 1 for the same. */
  closeness: number;
  /** Share of that question, by weight of its words, that its own words cover, 0..1. */
  coverage: number;
  /** How many of that question's terms its content has. */
  matchedTerms: number;
  /** Only when it was asked for. */
  explanation?: ScoreExplanation;
}

/** A memory whose place another one has taken. */
export interface Replaced {
  id: string;
  /** Of the first edge from it to what supersedes it. */
  type: RelationType;
}

/** The memory that holds in the place of another one. */
export interface Successor {
  id: string;
  /** Of the first edge on the way to it. */
  type: RelationType;
}

/** How a score came about. The contributions add up to the score. */
export interface ScoreExplanation {
  weights: ScoreComponents;
  /** Each component times its weight. */
  contributions: ScoreComponents;
  terms: ExplainedTerm[];
  /** Who lends the component `neighbour`, the most helpful first. */
  lenders: Lender[];
  /** Whether it is said in a talk by somebody, and the question names others alone: its extra evidence then counts less. */
  isSaidByAnother: boolean;
}

/** A memory of the same talk that lends evidence. */
export interface Lender {
  id: string;
  /** What it alone would lend, 0..1. */
  amount: number;
}

/** A term of the query and where the memory has it. */
export interface ExplainedTerm {
  term: string;
  weight: number;
  /** 1 in its content or in the date it was noted, less soon after that date. */
  inContent: number;
  inTags: boolean;
}

/** A memory that a recall of what holds now has left out. */
export type Suppressed =
  | { id: string; reason: Invalidity }
  | { id: string; reason: 'superseded'; successorId: string; relationType: RelationType };

export interface RecallOutcome {
  query: RecallQuery;
  results: RecalledMemory[];
  /** Results dropped because another query, or another memory with the same text and tags, had given them already. */
  duplicatesRemoved: number;
  sort: SortOrder;
  confidence: Confidence;
  /** False while vectors cannot be made or searched. */
  isVectorSearchEnabled: boolean;
  /** Whether only what holds now is shown. */
  isCurrentOnly: boolean;
  window: Pick<MemoryFilter, 'fromMs' | 'toMs'>;
  /** What is archived, not yet valid or expired is among them only with `state_debug`. */
  suppressed: Suppressed[];
  /** Only where little or nothing was found. */
  hidden?: HiddenCounts;
  /** Only when it was asked for. */
  expansion?: ExpansionOutcome;
  /** Only where scores are cut. */
  threshold?: ScoreThreshold;
  hasRecencyBias: boolean;
  /** Results that `max_tokens` left out. */
  omittedCount: number;
  /** The best result alone is longer than `max_tokens`; it is here whole. */
  isBudgetExceeded: boolean;
  durationMs: number;
}

/** For each filter: how many more memories the same recall finds without it. A filter that is not set is absent. */
export interface HiddenCounts {
  /** Counting ends here. */
  countedTo: number;
  tags?: number;
  excludedTags?: number;
  time?: number;
  /** Found only without any of these three; where none of them alone hides anything. */
  together?: number;
  /** What is archived, not yet valid or expired. */
  state?: number;
}

export interface ExpansionOutcome {
  /** Results that it began from. */
  seedCount: number;
  /** Most relations followed from one seed. */
  relationLimit: number;
  /** Most memories that it adds. */
  limit: number;
  /** Slugs of the entities that were followed. */
  entities: string[];
}

export interface ScoreThreshold {
  /** 0 leaves out none. */
  minScore: number;
  /** The score after which a wide gap comes; absent when there is none. */
  floor?: number;
  filteredCount: number;
}
