/**
 * Loads and prepares the libraries that read dates, one for each language, without blocking other requests. Detects dates
 * that Engraph may misread, because the author of the text may mean a different day.
 */
import type { Chrono, ParsedComponents, ParsedResult } from 'chrono-node';
import { languageOf } from '../domain/text/language.js';
import { inSteps } from '../event-loop.js';
import { PHRASE_BOOKS } from './translation.js';

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

/** Names that chrono-node gives to dates such as "3/4/2024" and "3.4.2024", and to dates relative to now. */
const NUMERIC = 'parser/SlashDateFormatParser';
const RELATIVE = 'result/relativeDate';
/** Patterns of texts that may contain a numeric date or a time zone. Other texts need not be parsed. */
const MAY_BE_NUMERIC = /\d[./-]\d/;
const MAY_HAVE_ZONE = /[+-]\d|[a-z]{3}/i;

/**
 * Whether a text contains a numeric date that means one day if the month comes first, and another day if the day comes
 * first.
 */
export function hasAmbiguousDate(text: string): boolean {
  return MAY_BE_NUMERIC.test(text) && partsOf(dateParser().parse(text)).some(isAmbiguous);
}

/** Whether a text contains a date for which `isDayWithZone` is true. */
export function hasDayWithZone(text: string): boolean {
  return MAY_HAVE_ZONE.test(text) && dateParser().parse(text).some(isDayWithZone);
}

/**
 * Whether a date names a time zone but no hour. Such a date is not a day in UTC. Relative dates such as "yesterday" are
 * not checked.
 */
export function isDayWithZone(result: ParsedResult): boolean {
  return partsOf([result]).some(
    part => part.isCertain('timezoneOffset') && !part.isCertain('hour') && !part.tags().has(RELATIVE),
  );
}

function isAmbiguous(part: ParsedComponents): boolean {
  const [day, month] = [part.get('day') ?? 0, part.get('month') ?? 0];
  return part.tags().has(NUMERIC) && day <= 12 && day !== month;
}

function partsOf(results: readonly ParsedResult[]): ParsedComponents[] {
  return results.flatMap(({ start, end }) => (end ? [start, end] : [start]));
}
