/**
 * Decides whether two statements about one subject contradict each other. Two statements do so if one denies the other,
 * or if both make the same claim with different values.
 */
import { words } from '../domain/text.js';
import { endOfDate } from './dates.js';
import { type Difference, differenceOf } from './difference.js';
import type { Statement, Value } from './statement.js';
import { allowsOneValue } from './verbs.js';
import {
  allowsSeveralValues,
  dimensionOf,
  isAttribute,
  isHighest,
  isLowest,
  isNegation,
  isNeutral,
  isRecurring,
} from './words.js';

/**
 * Whether two statements contradict each other. The test is strict, because readers doubt a memory that is marked
 * "maybe outdated". Unless one statement denies the other, each statement must have exactly one value that the other
 * statement lacks. The two values must be of one kind, and no further word may give the statements different subjects.
 * Past events stay true, so they contradict no other statement. Two values of a thing that can have several values do
 * not contradict each other.
 *
 * @param question the question that both statements answer; empty if there was no question in words
 */
export function areExclusive(older: Statement, newer: Statement, question: string): boolean {
  if (older.isPastEvent || newer.isPastEvent || !shareSubject(older, newer)) return false;
  const ofOlder = differenceOf(older, newer);
  const ofNewer = differenceOf(newer, older);
  if (denies(ofNewer, ofOlder) || denies(ofOlder, ofNewer)) return true;
  const [[a, ...others], [b, ...more]] = [ofOlder.values, ofNewer.values];
  if (!a || !b || others.length + more.length > 0 || asksForSeveral(question)) return false;
  if (!shareVerb(ofOlder, ofNewer) || isOneOfSeveral(older, a) || isOneOfSeveral(newer, b)) return false;
  return areComparable([older, a], [newer, b]) && allowsOneValue([older.tokens, a], [newer.tokens, b]);
}

/** Whether two statements share a name, or two words of which at least one is meaningful. */
function shareSubject(a: Statement, b: Statement): boolean {
  const shared = a.tokens.filter(({ kind, key }) => kind !== 'stop' && b.keys.has(key));
  const count = new Set(shared.map(({ key }) => key)).size;
  return shared.some(({ key, isCapitalised }) => !isNeutral(key) && (isCapitalised || count > 1));
}

/** Whether one statement denies exactly the claim of the other. */
function denies(denying: Difference, denied: Difference): boolean {
  const isOnlyNegation = denying.narrowing.length > 0 && denying.narrowing.every(({ text }) => isNegation(text));
  const rest = [...denying.verbs, ...denying.values, ...denied.verbs, ...denied.values, ...denied.narrowing];
  return isOnlyNegation && rest.length === 0;
}

/**
 * Whether the verbs of two statements may have the same meaning. The meanings of verbs are unknown, so the answer is no
 * if together the statements have two or more verbs that they do not share. Verbs such as "is" are not counted.
 */
function shareVerb(a: Difference, b: Difference): boolean {
  if (a.narrowing.length + b.narrowing.length > 0 || a.verbs.length + b.verbs.length > 1) return false;
  const has = ({ neutral }: Difference, is: (key: string) => boolean) => neutral.some(({ key }) => is(key));
  const areOpposite = (one: Difference, other: Difference) => has(one, isLowest) && has(other, isHighest);
  const areTwoAttributes = has(a, isAttribute) && has(b, isAttribute);
  return !areTwoAttributes && !areOpposite(a, b) && !areOpposite(b, a);
}

const PLURAL = /^(?!does$|was$|has$).+[^siu]s$/;

/** Whether a question asks for several answers, as "which ports", "what are" and "this and that" do. */
function asksForSeveral(question: string): boolean {
  const asked = words(question);
  return asked.some((word, index) => {
    const after = asked[index + 1] ?? '';
    const isAsking = word === 'which' || word === 'what';
    return word === 'and' || (isAsking && (after === 'are' || after === 'were' || PLURAL.test(after)));
  });
}

/** Whether a word before the value indicates that there are several such values. */
function isOneOfSeveral({ tokens }: Statement, { start }: Value): boolean {
  return tokens.slice(0, start).some(({ key }) => allowsSeveralValues(key));
}

type Valued = [statement: Statement, value: Value];

/** Whether two values have the same kind and dimension. Dates must also be able to concern the same event. */
function areComparable([older, a]: Valued, [newer, b]: Valued): boolean {
  const kinds = [...a.kinds];
  if (kinds.length !== b.kinds.size || !kinds.every(kind => b.kinds.has(kind))) return false;
  const isTime = kinds.every(kind => kind === 'date' || kind === 'weekday' || kind === 'clock');
  if (kinds.includes('date')) {
    const end = endOfDate(dateAround([older, a]), older.notedMs);
    // A date that had passed when the newer note was made belongs to another occasion.
    return isTime && end !== undefined && end > newer.notedMs;
  }
  if (kinds.includes('weekday')) {
    return isTime && older.tokens.some(({ key }) => isRecurring(key) && newer.keys.has(key));
  }
  const unitOf = ([{ tokens }, { end }]: Valued) => dimensionOf(tokens[end + 1]?.key ?? '');
  return unitOf([older, a]) === unitOf([newer, b]);
}

/** Returns the words of the whole date around the value, including words that the other statement also has. */
function dateAround([{ tokens }, { start, end }]: Valued): string[] {
  let [first, last] = [start, end];
  while (tokens[first - 1]?.kind === 'date') first -= 1;
  while (tokens[last + 1]?.kind === 'date') last += 1;
  return tokens.slice(first, last + 1).map(({ text }) => text);
}
