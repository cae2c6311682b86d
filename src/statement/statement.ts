/** Describes a note as a sequence of words, in which contradictions with another note can be found. */

export type TokenKind = 'stop' | 'word' | 'name' | 'number' | 'clock' | 'weekday' | 'date';

export interface Token {
  /** The same key for all forms of a word; for a token of one word, the stem of the word. */
  key: string;
  /** In lower case, without the possessive ending. */
  text: string;
  kind: TokenKind;
  /** Whether the token starts with a capital letter, even at the start of a sentence. */
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

/** Adjacent numbers, dates or names, with only small words between them. */
export interface Value {
  /** Positions of the first and the last token. */
  start: number;
  end: number;
  kinds: ReadonlySet<TokenKind>;
}
