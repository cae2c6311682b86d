/** A short note as a statement: its words in order, and which of them are values, such as numbers, dates and names. */
import { isStopWord, stem, words } from '../../domain/text.js';
import { isNumberWord } from './statement-words.js';

export type TokenKind = 'stop' | 'word' | 'name' | 'number' | 'clock' | 'weekday' | 'date';

export interface Token {
  /** Equal for the forms of one word. */
  key: string;
  /** In lower case, without its possessive ending. */
  text: string;
  kind: TokenKind;
  /** Whether it begins with a capital, also where a sentence begins. */
  isCapitalised: boolean;
}

/** Values that stand together, with nothing but small words between them. */
export interface Run {
  start: number;
  end: number;
  kinds: ReadonlySet<TokenKind>;
}

export interface Statement {
  tokens: readonly Token[];
  keys: ReadonlySet<string>;
  notedMs: number;
}

/** Longer notes say several things; their beginning is read. */
const READ_MAX_LENGTH = 1_000;
const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[.:,'’+/_-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const POSSESSIVE = /['’]s$/;
const CAPITAL = /^\p{Lu}/u;
const INNER_CAPITAL = /\p{Ll}\p{Lu}/u;
const DIGIT = /\p{N}/u;
const DIGITS = /^\d+$/;
const CLOCK = /^\d{1,2}:\d{2}$/;
/** A path or the name of a setting. */
const IDENTIFIER = /[/_]/;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;
const DAY_OR_YEAR = /^(?:\d{1,2}(?:st|nd|rd|th)?|\d{4})$/;
const ENDS_SENTENCE = /[.!?:;\n"“”«»()[\]]/;
const ENDS_CLAUSE = /[,;–—]/;
const ADDS = new Set(['where', 'who', 'whose', 'which', 'because', 'since', 'so', 'although', 'though']);
const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/;
const MONTHS = [
  ['january', 'jan'],
  ['february', 'feb'],
  ['march', 'mar'],
  ['april', 'apr'],
  ['may'],
  ['june', 'jun'],
  ['july', 'jul'],
  ['august', 'aug'],
  ['september', 'sep', 'sept'],
  ['october', 'oct'],
  ['november', 'nov'],
  ['december', 'dec'],
];
const MONTH_OF = new Map(MONTHS.flatMap((names, index) => names.map(name => [name, index] as const)));

export function toStatement(content: string, notedMs: number): Statement {
  const tokens = readStatement(content);
  return { tokens, keys: new Set(tokens.map(({ key }) => key)), notedMs };
}

export function readStatement(content: string): Token[] {
  const found = tokensOf(content.slice(0, READ_MAX_LENGTH));
  return found.map((each, index) => {
    const { text, key, isCapitalised } = each;
    return { text, key, isCapitalised, kind: kindOf(each, found[index - 1], found[index + 1]) };
  });
}

interface Found extends Omit<Token, 'kind'> {
  isOpening: boolean;
  /** Whether nothing but a blank stands before it. */
  isJoined: boolean;
}

function tokensOf(content: string): Found[] {
  const found: Found[] = [];
  let end = 0;
  for (const { 0: written, index } of content.matchAll(TOKEN)) {
    const gap = content.slice(end, index);
    const isOpening = end === 0 || ENDS_SENTENCE.test(gap);
    // What is added behind a comma tells more, and narrows nothing.
    if (ENDS_CLAUSE.test(gap) && ADDS.has(written.toLowerCase())) break;
    end = index + written.length;
    const text = written.replace(POSSESSIVE, '');
    const before = found.at(-1);
    // Groups of digits are one number, as of a telephone.
    if (before && gap === ' ' && DIGITS.test(text) && DIGITS.test(before.key.slice(-1))) {
      before.text += text;
      before.key += text;
      continue;
    }
    const key = words(text).map(stem).join('-');
    const isCapitalised = CAPITAL.test(text) || INNER_CAPITAL.test(text);
    found.push({ text: text.toLowerCase(), key, isCapitalised, isOpening, isJoined: gap === ' ' });
  }
  return found;
}

function kindOf(token: Found, before: Found | undefined, after: Found | undefined): TokenKind {
  const { text, key } = token;
  const isBeside = (is: (text: string) => boolean) => is(before?.text ?? '') || is(after?.text ?? '');
  if (isStopWord(text) || key === '') return 'stop';
  if (CLOCK.test(text)) return 'clock';
  if (WEEKDAY.test(text)) return 'weekday';
  if (ISO_DATE.test(text)) return 'date';
  if (DAY_OR_YEAR.test(text) && isBeside(other => MONTH_OF.has(other))) return 'date';
  if (isMonth(token, isBeside)) return 'date';
  if (IDENTIFIER.test(text)) return 'word';
  if (DIGIT.test(text) || isNumberWord(key)) return 'number';
  return isName(token, after) ? 'name' : 'word';
}

/** "may" and "march" are verbs too. */
function isMonth({ text, isCapitalised, isOpening }: Found, isBeside: (is: (text: string) => boolean) => boolean) {
  return MONTH_OF.has(text) && ((isCapitalised && !isOpening) || isBeside(other => DAY_OR_YEAR.test(other)));
}

/** A capital at the beginning of a sentence says nothing, unless another one follows it, or a verb that wants an article before. */
function isName({ isCapitalised, isOpening }: Found, after: Found | undefined): boolean {
  if (!isCapitalised || !isOpening) return isCapitalised;
  return after?.isJoined === true && (after.isCapitalised || after.text === 'is' || after.text === 'has');
}

/**
 * The end of the day or month that date words name, in UTC, nearest after the instant they were written unless they name the
 * year; undefined where they name no month.
 */
export function endOfDate(date: readonly Token[], notedMs: number): number | undefined {
  const [iso] = date.map(({ text }) => ISO_DATE.exec(text)?.[0]).filter(each => each !== undefined);
  if (iso !== undefined) return Date.parse(`${iso}T23:59:59Z`);
  const month = date.map(({ text }) => MONTH_OF.get(text)).find(each => each !== undefined);
  if (month === undefined) return undefined;
  const numbers = date.map(({ text }) => Number.parseInt(text, 10));
  const day = numbers.find(number => number <= 31);
  const endIn = (year: number) => (day === undefined ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, day + 1));
  const year = numbers.find(number => number > 31);
  if (year !== undefined) return endIn(year);
  const noted = new Date(notedMs).getUTCFullYear();
  return endIn(endIn(noted) > notedMs ? noted : noted + 1);
}
