/**
 * The fitted constants of the score, beside the weights of the components, which are settings. `tests/bench/ablation.md`
 * shows what each is worth in points of MRR, how they were chosen, and which figures are out of sample.
 */
export const RANKING = {
  /** Exponent of the covered share of a question: one memory that covers it is better than several that cover parts. */
  coveragePower: 1.25,
  /**
   * Usual length of a note in words. A longer text is more likely to contain a word by chance, and states its topic
   * itself: its words count less, and it borrows nothing from its neighbours.
   */
  usualWords: 80,
  /** How much less the words of a longer text count, 0..1: b in BM25. */
  lengthShare: 0.25,
  /** Weight of a date as a multiple of the average weight of the other terms: few memories contain their own date. */
  dateWeight: 3,
  /** Presence of a date in a memory that was noted soon after it, 0..1. A memory of the date itself has 1. */
  toldLater: 0.5,
  /** Number of neighbours on each side that lend evidence. */
  neighbourSpan: 2,
  /** Share of its evidence that a neighbour lends. A question lends all of it to the memory directly after it. */
  shareOfNeighbour: 0.6,
  /** Share of its words that each candidate of a conversation lends to all others in the conversation. */
  shareInTalk: 0.2,
  /**
   * Share that a line of a conversation keeps if it seldom contains an answer: a question keeps this share of lent
   * evidence, and a line of another speaker than the question names keeps it of `lexical`, `meaning` and `neighbour`.
   */
  shareOfUnlikely: 0.7,
};
