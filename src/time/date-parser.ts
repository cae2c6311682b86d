/** Loads and prepares the libraries that read dates, one for each language, without blocking other requests. */

import type { Chrono } from 'chrono-node';
import { languageOf } from '../domain/language.js';
import { inSteps } from '../event-loop.js';
import { PHRASE_BOOKS } from './phrases.js';

/** English, or a language of `PHRASE_BOOKS`, by its ISO 639-1 code. */
export type Language = string;

const SAMPLE = 'what did we do on monday, 3 may 2024, or 2 days ago';

/**
 * Parsers of lengths of time. In other languages than English, the table of phrases replaces them, because several of
 * them take seconds for a question that repeats a unit.
 */
const LENGTH_PARSER = /TimeUnit/;

const parsers = new Map<Language, Chrono>();
const preparations = new Map<Language, Promise<void>>();

/** The language of a text if it is not English and its dates can be read. */
export function otherLanguageOf(text: string): Language | undefined {
  const language = languageOf(text);
  return language !== undefined && Object.hasOwn(PHRASE_BOOKS, language) ? language : undefined;
}

/** Returns the library that reads dates in a language. Requires that `prepareDateParser` has ended for this language. */
export function dateParser(language: Language = 'en'): Chrono {
  const parser = parsers.get(language);
  if (!parser) throw new Error('the date parser is used before it is prepared');
  return parser;
}

/**
 * Loads the library for a language and compiles its patterns on the first call. Compiling all patterns takes a fifth of
 * a second, so the patterns are compiled parser by parser, and other requests can run in between. A pattern is compiled on
 * its first use, and optimised on its second.
 */
export function prepareDateParser(language: Language = 'en'): Promise<void> {
  const preparation = preparations.get(language) ?? prepare(language);
  preparations.set(language, preparation);
  return preparation;
}

async function prepare(language: Language): Promise<void> {
  // The main entry of the package would load the patterns of all languages.
  const { Chrono, localeOf } = await import('../packages/chrono.js');
  const { parsers: all, refiners } = await localeOf(language);
  const used = language === 'en' ? all : all.filter(each => !LENGTH_PARSER.test(each.constructor.name));
  const alone = used.map(each => new Chrono({ parsers: [each], refiners: [] }));
  for await (const parser of inSteps([...alone, ...alone])) parser.parse(SAMPLE);
  parsers.set(language, new Chrono({ parsers: used, refiners }));
}
