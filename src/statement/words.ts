/**
 * Lists of English words for the interpretation of short statements. Neutral words do not change the subject of a
 * statement. No list covers another language, so all words of other languages count as words of the subject.
 */
import { stem } from '../domain/text.js';

/** Verbs that connect a thing with its value, and mean no more than "is" and "has" do. */
const LINKS = `
  run live lives stay stand sit lie hang reside work listen deploy locate base host place belong own hold keep get give take
  go come put set use need require support serve accept allow wear open start begin due plan schedule happen launch release
  call name reach contact answer pay spend charge`;
/** Nouns for a quantity that the value already implies. */
const ATTRIBUTES = `
  number phone telephone port address version date time size weight length height age speed limit
  price cost budget fee`;
/** Function words that are not in the list of stop words for questions. */
const SMALL = `
  all every each may might must shall out off after before until till within per during via through against across
  he she it we they you favourite favorite best`;
/** Words that limit a value or mark a value as new. */
const BOUNDS = `
  now new current currently today since already instead anymore longer any more again still only about around approximately
  exactly least most later earlier oldest newest latest minimum maximum min max up down from`;
const CHANGES =
  'change move switch raise lower increase decrease reduce extend postpone shift rename replace update migrate upgrade';
const LOWEST = 'least oldest minimum min after from';
const HIGHEST = 'most newest latest maximum max before until till';

/** Words that allow several values: a second value does not contradict the first. */
const SEVERAL_VALUES = `
  like love enjoy hate dislike fear speak know play have read watch visit collect include contain offer allergic test eat
  learn meet help both also another too second`;
/** Verbs that allow several names. A second number or date after such a verb is a correction. */
const SEVERAL_NAMES = `
  use need require support serve accept allow own take give get keep hold run contact call reach have depend integrate
  import know name talk buy sell sing cook drink wear`;
/** Words that are frequent in English, and do not occur in a language that capitalises every noun. */
const ENGLISH = 'the is are of for with at by to and has does from';
const IRREGULAR_PAST = `
  came went got gave took made met paid bought sold sent said told ran won lost broke fell ate drank drove flew wrote spoke
  began built brought chose held kept left led saw heard found felt`;
const RECURRING = 'daily weekly fortnightly biweekly monthly quarterly yearly annual';
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve';
const NEGATIONS = 'not never no neither';

const UNITS: Record<string, string> = {
  duration: 'ms millisecond second sec minute min hour day week month year',
  data: 'kb mb gb tb kib mib gib kilobyte megabyte gigabyte terabyte',
  money: 'euro eur dollar usd cent pound gbp franc chf',
  length: 'mm cm km metre meter mile inch',
  mass: 'mg kg gram kilogram',
  volume: 'ml litre liter',
  share: 'percent',
};

const setOf = (words: string) => new Set(words.trim().split(/\s+/).map(stem));

const PAST = new Set(IRREGULAR_PAST.trim().split(/\s+/));
const CHANGE_STEMS = setOf(CHANGES);
const DIMENSIONS = new Map(
  Object.entries(UNITS).flatMap(([dimension, units]) => [...setOf(units)].map(unit => [unit, dimension] as const)),
);
const LINK_STEMS = setOf(LINKS);
const ATTRIBUTE_STEMS = setOf(ATTRIBUTES);
const NEUTRAL_STEMS = new Set([
  ...LINK_STEMS,
  ...ATTRIBUTE_STEMS,
  ...setOf(SMALL),
  ...setOf(BOUNDS),
  ...CHANGE_STEMS,
  ...DIMENSIONS.keys(),
]);
const LOWEST_STEMS = setOf(LOWEST);
const HIGHEST_STEMS = setOf(HIGHEST);
const SEVERAL_VALUES_STEMS = setOf(SEVERAL_VALUES);
const SEVERAL_NAMES_STEMS = setOf(SEVERAL_NAMES);
const ENGLISH_WORDS = new Set(ENGLISH.split(' '));
const RECURRING_STEMS = setOf(RECURRING);
const NUMBER_STEMS = setOf(NUMBERS);
const NEGATION_STEMS = setOf(NEGATIONS);

export const isChange = (key: string) => CHANGE_STEMS.has(key);
export const isLink = (key: string) => LINK_STEMS.has(key);
export const isAttribute = (key: string) => ATTRIBUTE_STEMS.has(key);
export const isLowest = (key: string) => LOWEST_STEMS.has(key);
export const isHighest = (key: string) => HIGHEST_STEMS.has(key);
export const isNeutral = (key: string) => NEUTRAL_STEMS.has(key);
export const allowsSeveralValues = (key: string) => SEVERAL_VALUES_STEMS.has(key);
export const isIrregularPast = (text: string) => PAST.has(text);
export const allowsSeveralNames = (key: string) => SEVERAL_NAMES_STEMS.has(key);
export const isEnglish = (text: string) => ENGLISH_WORDS.has(text);
export const isRecurring = (key: string) => RECURRING_STEMS.has(key);
export const isNumberWord = (key: string) => NUMBER_STEMS.has(key);
export const isNegation = (key: string) => NEGATION_STEMS.has(key);
/** Returns the quantity that a unit measures; undefined for any other word. */
export const dimensionOf = (key: string) => DIMENSIONS.get(key);
