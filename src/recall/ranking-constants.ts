/** All constants of the ranking: the fitted ones, and the bounds. The weights of the components are settings. */
import { MS_PER_DAY } from '../domain/time.js';

/**
 * The fitted constants. The figures are the points of recall@20 / MRR that are lost without the rule; they are in-sample.
 * `tests/bench/ablation.md` shows how the constants were chosen, and the figures of a fit out of sample.
 */
export const RANKING = {
  /**
   * Exponent of the covered share of a query: one memory that covers it is better than several that cover parts.
   * Worth 4 points of MRR on the gap set.
   */
  coveragePower: 1.25,
  /**
   * Usual length of a note in words. A longer text is more likely to contain a word by chance, and states its topic
   * itself: its words count less (.5 / 3.2), and no evidence is propagated to it (2.5 / 7.4).
   */
  usualWords: 80,
  /** How much less the words of a longer text count, 0..1: b in BM25. */
  lengthShare: 0.25,
  /** Weight of a date as a multiple of the average weight of the other terms: few memories contain their own date (.2 / .2). */
  dateWeight: 3,
  /** Presence of a date in a memory that was noted soon after it, 0..1 (.2 / .1; .4 of recall@20 on LoCoMo). */
  presenceSoonAfter: 0.5,
  /** Number of neighbours on each side from which evidence is propagated; two instead of one are worth .9 / .9. */
  neighbourSpan: 2,
  /**
   * Share of a neighbour's evidence that is propagated (6.5 / 5.9): all of it from a question to the memory directly
   * after it (.1 / 1.2).
   */
  shareOfNeighbour: 0.6,
  /** Share of the words of each candidate that is propagated to all others in its conversation (.7 / 1.0). */
  shareInConversation: 0.2,
  /**
   * Share that a line of a conversation keeps if it seldom contains an answer: a question keeps this share of
   * propagated evidence (.6 / .3), and a line of another speaker than the query names keeps it of `lexical`, `meaning`
   * and `neighbour` (.5 / 1.6).
   */
  shareOfUnlikely: 0.7,
};

/** Bounds of the ranking. They limit work, or say from which value on evidence counts. They were not fitted. */
export const BOUNDS = {
  /** Maximum that the recency bias adds to a score. */
  recencyBonus: 0.1,
  /**
   * Number of candidates that are requested from each channel. It is the same for every limit up to this number, so that
   * a smaller limit gives the first results of a larger one.
   */
  channelCandidates: 100,
  /** Maximum number of words of a query. A longer query is a pasted text, and its beginning shows its subject. */
  queryWords: 64,
  /** Presence of a term of which a memory has all pieces, but not the word itself, 0..1. */
  pieces: 0.6,
  /** Presence of a term that only the metadata of a memory have, 0..1. Metadata tell where a note is from. */
  metadata: 0.5,
  /** Minimum number of terms of a date that a text must contain, because a number alone may mean something else. */
  dateTerms: 2,
  /** A memory matches a date up to this time after it, in milliseconds: events are often noted some days later. */
  notedLaterMs: 7 * MS_PER_DAY,
  /** Maximum pause between two memories of one conversation about one subject, in milliseconds. */
  conversationGapMs: 30 * 60_000,
  /** Number of best candidates from which and to which evidence is propagated. */
  propagatingCandidates: 60,
  /** Minimum similarity that counts as a match. By chance, unrelated texts often have a similarity between 0 and this. */
  similarity: 0.1,
  /** The same when results are ordered by time: unrelated texts rarely have this similarity by chance. */
  similarityInTime: 0.25,
  /** Number of best candidates among which a newer note may pass an older one. It does not depend on the limit. */
  passingCandidates: 20,
  /** Minimum Jaccard index of the words of two notes about the same thing, without stop words. */
  wordSimilarity: 0.1,
  /** By how much a newer note passes an older one: the smallest difference between two scores that answers show. */
  passStep: 0.001,
  /**
   * Number of best results that are examined: for the confidence, for the entities from which expansion starts, and for
   * the question whether filters hid the answer. The adaptive floor keeps at least as many.
   */
  bestResults: 3,
  /** The difference between two consecutive scores is a gap when it exceeds this share of the best score. */
  floorGapShare: 0.25,
  /** Share of an edge's strength that counts even if its seed has a low score. */
  seedIndependentShare: 0.5,
  /** Relation evidence of a memory that the first or the second hop from entity to entity adds. */
  evidenceByHop: [0.5, 0.25],
};

/** The constants of the specification, "Scoring". */
export const SPECIFIED = {
  contentPoints: 2,
  tagPoints: 1,
  /** A memory that was last accessed this many days ago, or earlier, has recency 0. */
  recencyDays: 180,
};

/**
 * Bonuses are added to the total score without a weight. One of these bonuses decides between memories with similar
 * scores, but is too small to lift an unrelated memory above a memory that matches well.
 */
export const HINT_BONUS = {
  tag: 0.45,
  context: 0.45,
  type: 0.25,
  language: 0.25,
  /** For a memory with rules for writing code that mentions the language in use. */
  style: 0.6,
  /** For a memory whose id the caller names. It exceeds almost any other score, because the caller wants to see it. */
  priority: 5,
};

/**
 * Minimum evidence for each level of confidence. `npm run build && node tests/bench/golden.mjs` shows which questions get
 * which level.
 */
export const CONFIDENCE = {
  high: 0.85,
  medium: 0.55,
  low: 0.3,
  /** Maximum evidence from words for a query with one term: a single word may occur in any memory by chance. */
  oneTerm: 0.84,
  /** Minimum share of the query's terms that a memory with a rare term needs, unless the term is a name. */
  shareWithRareTerm: 0.5,
};
