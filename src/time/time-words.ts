/** Reads time expressions whose language is unknown. */
import { isAscii } from '../domain/text/characters.js';
import { inSteps } from '../event-loop.js';
import { otherLanguageOf, prepareDateParser } from './date-parser.js';
import { PHRASE_BOOKS } from './phrases.js';
import { parseTime, type TimeContext, type TimeWindow } from './time-window.js';

const LETTER = /[a-z]/gi;
/** Fewer letters, such as "so" or "mi", are the name of a day in some language by chance. */
const LETTERS_MIN = 3;

/**
 * Reads a time expression in English, in the language that it seems to have, or in the first other language that reads
 * the whole phrase. Parsers are loaded as far as they are needed.
 *
 * @returns undefined when the phrase is not a time expression in any language
 */
export async function readTimeWords(phrase: string, context: TimeContext): Promise<TimeWindow | undefined> {
  for await (const language of inSteps(languagesOf(phrase))) {
    await prepareDateParser(language);
    const window = parseTime(phrase, { ...context, language });
    if (window) return window;
  }
  return undefined;
}

/** The languages in which a phrase is read, in order. A short phrase does not show its language. */
function languagesOf(phrase: string): Iterable<string> {
  if (isAscii(phrase) && (phrase.match(LETTER)?.length ?? 0) < LETTERS_MIN) return ['en'];
  return new Set(['en', otherLanguageOf(phrase) ?? 'en', ...Object.keys(PHRASE_BOOKS)]);
}
