/** Describes a note as a sequence of words, so that it can be checked for contradictions with another note. */

export type TokenKind = 'stop' | 'word' | 'name' | 'number' | 'clock' | 'weekday' | 'date';

export interface Token {
  /** Identical for all forms of a word. For a token of one word, the key is the stem of the word. */
  key: string;
  /** The token in lower case, without the possessive ending. */
  text: string;
  kind: TokenKind;
  /**
   * Whether the token starts with a capital letter, even at the start of a sentence, or contains one, as "iPhone" does.
   */
  isCapitalised: boolean;
}

export interface Statement {
  tokens: readonly Token[];
  keys: ReadonlySet<string>;
  /** Keys of the names in the statement. */
  names: ReadonlySet<string>;
  /** Whether the statement reports a past event rather than a state. */
  isPastEvent: boolean;
  notedMs: number;
}

/** Adjacent numbers, dates or names. Only stop words may occur between them. */
export interface Value {
  /** Positions of the first and the last token. */
  start: number;
  end: number;
  kinds: ReadonlySet<TokenKind>;
}
