/** A note as the words that decide whether another one contradicts it. */

export type TokenKind = 'stop' | 'word' | 'name' | 'number' | 'clock' | 'weekday' | 'date';

export interface Token {
  /** Equal for the forms of one word; for a single word its stem. */
  key: string;
  /** In lower case, without its possessive ending. */
  text: string;
  kind: TokenKind;
  /** Whether it begins with a capital, also where a sentence begins. */
  isCapitalised: boolean;
}

export interface Statement {
  tokens: readonly Token[];
  keys: ReadonlySet<string>;
  /** Keys of the names in it. */
  names: ReadonlySet<string>;
  /** Whether it tells what once happened, and not how something is. */
  isPastEvent: boolean;
  notedMs: number;
}

/** Numbers, dates or names that stand together, with nothing but small words between them. */
export interface Value {
  /** Places of the first and the last token. */
  start: number;
  end: number;
  kinds: ReadonlySet<TokenKind>;
}
