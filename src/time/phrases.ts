/** The languages that chrono-node reads besides English, and their phrases. */
import { EAST_ASIAN } from './phrases/east-asian.js';
import { FURTHER } from './phrases/further.js';
import { GERMANIC } from './phrases/germanic.js';
import type { PhraseBook } from './phrases/phrase-book.js';
import { ROMANCE } from './phrases/romance.js';
import { SLAVIC } from './phrases/slavic.js';

/** The phrases by the ISO 639-1 code of the language, in the order in which the languages are tried. */
export const PHRASE_BOOKS: Readonly<Record<string, PhraseBook>> = {
  ...GERMANIC,
  ...ROMANCE,
  ...SLAVIC,
  ...EAST_ASIAN,
  ...FURTHER,
};
