/**
 * Phrases of other languages with the English phrases that mean the same. The table covers what chrono-node does not
 * read, or reads as a single day: weeks, months, years, lengths of time, and months without a day.
 *
 * In the patterns, NUM is a number, UNIT a unit of time, MONTH and WEEKDAY their names, and YEAR four digits. The same
 * words in the English phrase stand for the translation. Patterns match lower case, and ' stands for every apostrophe.
 */

/** A language. Lists are separated by commas. Each item is a regular expression. */
export interface PhraseBook {
  /** Second, minute, hour, day, week, month, quarter, year. */
  units: string;
  /** One to ten. */
  numbers: string;
  months: string;
  /** Monday to Sunday. */
  weekdays: string;
  /** Words that may precede or surround an expression without changing it. */
  around: string;
  /** English phrases with patterns of this language. If several patterns match a whole text, the first one counts. */
  phrases: readonly (readonly [english: string, pattern: string])[];
  /** Words for a span that lasts until now, for one that ends, and for one from the first to the second capture. */
  since: string;
  until: string;
  range: string;
  /** Whether words are written without spaces. */
  isUnspaced?: boolean;
}
