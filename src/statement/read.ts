/** Reads a short note as a statement: its words in order, and its values, such as numbers, dates and names. */
import { isStopWord, stem, words } from '../domain/text.js';
import { isClock, isDayOrYear, isIsoDate, isMonth, isWeekday } from './dates.js';
import type { Statement, Token, TokenKind } from './statement.js';
import { isPastEvent } from './verbs.js';
import { isNumberWord } from './words.js';

/** Maximum number of characters that are read. Only the beginning of a longer text is read. */
const READ_MAX_LENGTH = 1_000;
const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[.:,'’+/_-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const POSSESSIVE = /['’]s$/;
const CAPITAL = /^\p{Lu}/u;
const INNER_CAPITAL = /\p{Ll}\p{Lu}/u;
const DIGIT = /\p{N}/u;
const DIGITS = /^\d+$/;
const ENDS_IN_DIGIT = /\d$/;
/** A path or the name of a setting. */
const IDENTIFIER = /[/_]/;
const ENDS_SENTENCE = /[.!?:;\n"“”«»()[\]]/;
const ENDS_CLAUSE = /[,;–—]/;
/** Words that, after a comma, add information and do not narrow the subject. */
const ADDS = new Set(['where', 'who', 'whose', 'which', 'because', 'since', 'so', 'although', 'though']);

export function readStatement(content: string, notedMs: number): Statement {
  const found = tokensOf(content.slice(0, READ_MAX_LENGTH));
  const tokens = found.map((each, index): Token => {
    const { text, key, isCapitalised } = each;
    return { text, key, isCapitalised, kind: kindOf(each, found[index - 1], found[index + 1]) };
  });
  const names = tokens.filter(({ kind }) => kind === 'name');
  return {
    tokens,
    keys: new Set(tokens.map(({ key }) => key)),
    names: new Set(names.map(({ key }) => key)),
    isPastEvent: isPastEvent(tokens),
    notedMs,
  };
}

interface Found extends Omit<Token, 'kind'> {
  /** Whether the token is the first word of a sentence, where a capital letter has no meaning. */
  isOpening: boolean;
  /** Whether only a blank separates the token from the word before it. */
  isJoined: boolean;
}

function tokensOf(content: string): Found[] {
  const found: Found[] = [];
  let end = 0;
  for (const { 0: written, index } of content.matchAll(TOKEN)) {
    const gap = content.slice(end, index);
    if (ENDS_CLAUSE.test(gap) && ADDS.has(written.toLowerCase())) break;
    const isOpening = end === 0 || ENDS_SENTENCE.test(gap);
    end = index + written.length;
    const text = written.replace(POSSESSIVE, '');
    const before = found.at(-1);
    // Several groups of digits form one number, for example a telephone number.
    if (before && gap === ' ' && DIGITS.test(text) && ENDS_IN_DIGIT.test(before.text)) {
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
  if (isClock(text)) return 'clock';
  if (isWeekday(text)) return 'weekday';
  if (isIsoDate(text) || (isDayOrYear(text) && isBeside(isMonth))) return 'date';
  // "May" and "march" are also verbs, so a month must be capitalised within a sentence or be next to a day or year.
  if (isMonth(text) && ((token.isCapitalised && !token.isOpening) || isBeside(isDayOrYear))) return 'date';
  if (IDENTIFIER.test(text)) return 'word';
  if (DIGIT.test(text) || isNumberWord(key)) return 'number';
  return isName(token, after) ? 'name' : 'word';
}

/**
 * A capitalised word at the start of a sentence is a name if another capitalised word follows. It is also a name if
 * "is" or "has" follows, because any other noun there would need an article.
 */
function isName({ isCapitalised, isOpening }: Found, after: Found | undefined): boolean {
  if (!isCapitalised || !isOpening) return isCapitalised;
  return after?.isJoined === true && (after.isCapitalised || after.text === 'is' || after.text === 'has');
}
