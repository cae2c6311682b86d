/** All constants of the ranking: the fitted ones, and the bounds. The weights of the components are settings. */
import { MS_PER_DAY } from '../domain/time.js';

/**
 * The fitted constants. `tests/bench/ablation.md` shows what each is worth in points of MRR, how they were chosen, and
 * which figures are out of sample.
 */
export const RANKING = {
  /** Exponent of the covered share of a query: one memory that covers it is better than several that cover parts. */
  coveragePower: 1.25,
  /**
   * Usual length of a note in words. A longer text is more likely to contain a word by chance, and states its topic
   * itself: its words count less, and no evidence is propagated to it.
   */
  usualWords: 80,
  /** How much less the words of a longer text count, 0..1: b in BM25. */
  lengthShare: 0.25,
  /** Weight of a date as a multiple of the average weight of the other terms: few memories contain their own date. */
  dateWeight: 3,
  /** Presence of a date in a memory that was noted soon after it, 0..1. A memory of the date itself has 1. */
  toldLater: 0.5,
  /** Number of neighbours on each side from which evidence is propagated. */
  neighbourSpan: 2,
  /** Share of a neighbour's evidence that is propagated: all of it from a question to the memory directly after it. */
  shareOfNeighbour: 0.6,
  /** Share of the words of each candidate that is propagated to all others in its conversation. */
  shareInConversation: 0.2,
  /**
   * Share that a line of a conversation keeps if it seldom contains an answer: a question keeps this share of
   * propagated evidence, and a line of another speaker than the query names keeps it of `lexical`, `meaning` and `neighbour`.
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
};
