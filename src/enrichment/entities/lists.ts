/**
 * The words and names that recognition knows, from the files in `lists`.
 *
 * - `people.json`: given names in lower case and without accents. The wordlike ones are also words or months: such a word
 *   counts as a name only if a cue shows a person, or if the word is not the first of its sentence. A calendar word
 *   always needs a cue. Titles stand before a name and do not belong to it.
 * - `words.json`: words that may begin a sentence or be capitalised without naming anything. Calendar words are not
 *   entities, because every memory has a timestamp.
 * - `tools.json`: the names also match in lower case, except `lowerCaseWords`, which mean something else there. An alias
 *   has the tag of the name that it stands for. A tag contains no punctuation, so `C++` and `C#` stand for other
 *   spellings: they would have the tag of `C`.
 * - `organizations.json`, `places.json`, `concepts.json`: the names are found only where a text writes them with capitals.
 *
 * Wordlike names are also ordinary words. They match only with a capital, and at the beginning of a sentence only before
 * words such as "is", "needs" or "supports".
 */
import { stem } from '../../domain/text/words.js';
import CONCEPTS from './lists/concepts.json' with { type: 'json' };
import ORGANIZATIONS from './lists/organizations.json' with { type: 'json' };
import PEOPLE from './lists/people.json' with { type: 'json' };
import PLACES from './lists/places.json' with { type: 'json' };
import TOOLS from './lists/tools.json' with { type: 'json' };
import WORDS from './lists/words.json' with { type: 'json' };

export { CONCEPTS, ORGANIZATIONS, PLACES, TOOLS, WORDS };

type Words = ReadonlySet<string>;

export const CALENDAR_WORDS: Words = new Set(WORDS.calendarWords);
export const FIRST_NAMES: Words = new Set(PEOPLE.firstNames);
export const WORDLIKE_FIRST_NAMES: Words = new Set(PEOPLE.wordlikeFirstNames);
export const TITLES: Words = new Set(PEOPLE.titles);
/** Given names that mean a place after "in", "to", "from" and similar words. */
export const PLACES_NAMED_AS_PEOPLE: Words = new Set(PLACES.namedAsPeople);
export const LOWER_CASE_WORDS: Words = new Set(TOOLS.lowerCaseWords);

/** Last words that mark capitalised words as an organisation: "Quillon Labs". */
export const ORGANIZATION_ENDINGS: Words = new Set(ORGANIZATIONS.endings);
/** Endings that only names of companies have. Even an ordinary word before such an ending belongs to the name. */
export const COMPANY_FORMS: Words = new Set(ORGANIZATIONS.companyForms);
/** First words that mark an organisation, before `of` or before a name: "University of Ghent", "Sparkasse Ulm". */
export const ORGANIZATION_BEGINNINGS: Words = new Set(ORGANIZATIONS.beginnings);
/** Last words that mark capitalised words as a place. */
export const PLACE_ENDINGS: Words = new Set(PLACES.endings);
/** Last words that mark a place even if only ordinary words stand before them: "Baker Street". */
export const STREET_ENDINGS: Words = new Set(PLACES.streetEndings);
export const PLACE_BEGINNINGS: Words = new Set(PLACES.beginnings);
/** Last words that mark capitalised words as an event. */
export const EVENT_ENDINGS: Words = new Set(CONCEPTS.eventEndings);

const FUNCTION_WORDS: Words = new Set(WORDS.functionWords);
/** Contractions such as "I've" and "don't". They are not names. */
const CONTRACTION = /'(?:ve|ll|re|d|m|t)$/;
const LETTERS = /^[a-z]+$/;

/** The stems of the ordinary words. This set is built when the first text is read, not when the module is loaded. */
let ordinaryStems: Words | undefined;

/**
 * Whether a word may begin a sentence or be capitalised without naming anything. Stems cover the inflected forms.
 *
 * @param word in lower case
 */
export function isOrdinaryWord(word: string): boolean {
  const { functionWords, verbs, nouns, others } = WORDS;
  ordinaryStems ??= new Set([...functionWords, ...verbs, ...nouns, ...others].map(stem));
  if (FUNCTION_WORDS.has(word) || ordinaryStems.has(stem(word)) || CONTRACTION.test(word)) return true;
  const parts = word.split(/['’-]/);
  return (
    parts.length > 1 &&
    parts.every(part => part === '' || part.length === 1 || !LETTERS.test(part) || isOrdinaryWord(part))
  );
}

/** Turns words between spaces into a set. */
export function wordSet(words: string): Words {
  return new Set(words.trim().split(/\s+/));
}
