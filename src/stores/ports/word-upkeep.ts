/** Keeps the words of the full-text index up to date when the text analyzer changes (docs/decisions.md, "Text analyzer version"). */

export interface OutdatedWords {
  /** Number of memories whose words are to be written again. */
  outdatedCount: number;
  /** Whether a newer Engraph has written words. They stay as they are. */
  hasNewer: boolean;
}

export interface RewritingPage {
  /** Where the previous page ended. Undefined for the first page. */
  from?: number;
  /** Maximum number of memories. */
  limit: number;
}

export interface RewrittenPage {
  rewrittenCount: number;
  /** Where the next page begins. Undefined when no memory is left. */
  next?: number;
}

export interface WordUpkeep {
  countOutdatedWords(): Promise<OutdatedWords>;
  /**
   * Analyzes some memories with outdated words again, and replaces their words, all in one transaction. After an
   * interruption, the first page continues behind the last committed page.
   */
  rewriteOutdatedWords(page: RewritingPage): Promise<RewrittenPage>;
}
