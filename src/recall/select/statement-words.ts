/** Words that do not change what a short statement is about. English; in other languages nothing is left out. */
import { stem } from '../../domain/text.js';

/** Verbs and nouns that hold a thing and its value together, and say nothing of either: "runs on", "is due", "port". */
const LINKS = `
  run live stay stand sit lie hang reside work listen deploy locate base host place belong own hold keep get give take go come
  put set use need require support serve accept allow wear open close start begin end due plan schedule happen last expire
  release launch call name reach contact answer cost weigh measure pay spend charge prefer favourite favorite best
  number phone telephone port address version date time size price address office`;
/** How far a value goes, and that it is a new one. */
const BOUNDS = `
  now new current currently today since already instead anymore longer any more again still only about around approximately
  exactly least most later earlier old older oldest newer newest latest minimum maximum min max up down from`;
const CHANGES =
  'change move switch raise lower increase decrease reduce extend postpone shift rename replace update migrate upgrade';

/** Of such things one has several: a second one takes nothing away from the first. */
const MANIFOLD = `
  like love enjoy hate dislike fear speak know play have read watch visit collect include contain offer allergic test eat
  learn meet help both also another too second`;
/** Of such things one has one. */
const SINGLE = 'live reside belong locate base host deploy call name favourite favorite best lead leader head chief move';
const RECURRING = 'daily weekly fortnightly biweekly monthly quarterly yearly annual';
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve';
const NEGATIONS = 'not never no neither';

const UNITS: Record<string, string> = {
  duration: 'ms millisecond second sec minute min hour day week month year',
  data: 'kb mb gb tb kib mib gib kilobyte megabyte gigabyte terabyte',
  rate: 'kbit/s mbit/s gbit/s',
  money: 'euro eur dollar usd cent pound gbp franc chf',
  length: 'mm cm km metre meter mile inch',
  mass: 'mg kg gram kilogram',
  volume: 'ml litre liter',
  share: 'percent',
};

const setOf = (words: string) => new Set(words.trim().split(/\s+/).map(stem));

const CHANGE_STEMS = setOf(CHANGES);
const DIMENSIONS = new Map(
  Object.entries(UNITS).flatMap(([dimension, units]) => [...setOf(units)].map(unit => [unit, dimension] as const)),
);
const NEUTRAL_STEMS = new Set([...setOf(LINKS), ...setOf(BOUNDS), ...CHANGE_STEMS, ...DIMENSIONS.keys()]);
const MANIFOLD_STEMS = setOf(MANIFOLD);
const SINGLE_STEMS = setOf(SINGLE);
const RECURRING_STEMS = setOf(RECURRING);
const NUMBER_STEMS = setOf(NUMBERS);
const NEGATION_STEMS = setOf(NEGATIONS);

export const isChange = (key: string) => CHANGE_STEMS.has(key);
export const isNeutral = (key: string) => NEUTRAL_STEMS.has(key);
export const isManifold = (key: string) => MANIFOLD_STEMS.has(key);
export const isSingle = (key: string) => SINGLE_STEMS.has(key);
export const isRecurring = (key: string) => RECURRING_STEMS.has(key);
export const isNumberWord = (key: string) => NUMBER_STEMS.has(key);
export const isNegation = (key: string) => NEGATION_STEMS.has(key);
/** Which quantity a unit measures; undefined for any other word. */
export const dimensionOf = (key: string) => DIMENSIONS.get(key);
