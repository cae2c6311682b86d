/**
 * Interprets the verb of a short English statement: whether the verb is in the past, and whether it allows only one
 * value.
 */
import { stem } from '../domain/text.js';
import type { Token, Value } from './statement.js';
import { allowsSeveralNames, isChange, isEnglish, isIrregularPast, isLink, isNeutral } from './words.js';

const PAST_AUXILIARIES = new Set(['was', 'were', 'did', 'had']);
const PRESENT_AUXILIARIES = new Set(['is', 'are', 'be', 'been', 'being', 'has', 'have', 'get', 'gets']);
const REGULAR_PAST = /...ed$/;

/**
 * Whether the statement reports a past event. A statement with a verb of change, as in "we switched to Redis", does not
 * count, because it describes the present state.
 */
export function isPastEvent(tokens: readonly Token[]): boolean {
  if (tokens.some(({ key }) => isChange(key))) return false;
  return tokens.some(({ text, kind }, index) => {
    if (PAST_AUXILIARIES.has(text)) return true;
    const isPast = (kind === 'word' || index === 0) && stem(text) !== text && REGULAR_PAST.test(text);
    return (isPast || isIrregularPast(text)) && !isAfterAuxiliary(tokens, index);
  });
}

const isAfterAuxiliary = (tokens: readonly Token[], index: number) =>
  tokens.slice(Math.max(0, index - 3), index).some(({ text }) => PRESENT_AUXILIARIES.has(text));

const BEFORE_A_VERB = new Set('can may must should will we i you they he she it who'.split(' '));
const THIRD_PERSON = /..[^siu]s$/;

/**
 * Whether a word is in the position of a verb. If not, the word narrows a noun, as "replica" does in "replica set".
 */
export function isVerb(tokens: readonly Token[], index: number): boolean {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token === undefined || before === undefined || token.isCapitalised) return false;
  if (COPULAS.has(after?.text ?? '') || after?.text === 'of' || isLink(after?.key ?? '')) return false;
  if (BEFORE_A_VERB.has(before.text)) return true;
  if (REGULAR_PAST.test(token.text)) return isAfterAuxiliary(tokens, index);
  return THIRD_PERSON.test(token.text) && (before.kind === 'word' || before.kind === 'name');
}

/** Words for roles, such as owner, and for their activities. A thing has only one person in each of these roles. */
const SINGLE_PERSON_ROLES = new Set(
  ['own', 'lead', 'leader', 'head', 'owner', 'maintain', 'manage', 'manager'].map(stem),
);
const COPULAS = new Set(['is', 'are']);

type Valued = [tokens: readonly Token[], value: Value];

/** Whether only one of the two values can be true. The two values must be of the same kind. */
export function allowsOneValue(older: Valued, newer: Valued): boolean {
  if (sharesPartOfName(older, newer)) return false;
  const isSubject = [older, newer].every(isInFront);
  if (!older[1].kinds.has('name')) return !isSubject;
  return isSubject
    ? [older, newer].every(([tokens]) => tokens.some(({ key }) => SINGLE_PERSON_ROLES.has(key)))
    : [older, newer].every(isSingleName);
}

/** A value other than a name identifies the subject only if at most this number of words precede it. */
const FRONT_MAX_WORDS = 2;

/** Whether the value identifies the subject, as in "Room 4 has ..." and "Bug 120 ...". */
function isInFront([tokens, { start, end, kinds }]: Valued): boolean {
  const before = tokens.slice(0, start);
  if (before.some(({ text, key }) => COPULAS.has(text) || isNeutral(key))) return false;
  if (!kinds.has('name')) return before.length <= FRONT_MAX_WORDS;
  const { text = '', key = '' } = tokens[end + 1] ?? {};
  return PRESENT_AUXILIARIES.has(text) || isNeutral(key) || SINGLE_PERSON_ROLES.has(key);
}

/** Whether two names share only a part, as "Anna Roth" and "Anna Kestner" do. Such names mean two people. */
function sharesPartOfName(older: Valued, newer: Valued): boolean {
  const besides = ([tokens, { start, end, kinds }]: Valued) =>
    kinds.has('name') ? [tokens[start - 1], tokens[end + 1]].filter(token => token?.kind === 'name') : [];
  const keys = new Set(besides(older).map(token => token?.key));
  return besides(newer).some(token => keys.has(token?.key));
}

/** Directly before a name, these words allow further names: "works with Pavel" may be true of other people too. */
const BESIDE_OTHERS = new Set(['with', 'on', 'about', 'like', 'as', 'and', 'or']);
/** Anywhere before a name, these words allow further names, as in "a folder Alpha". */
const INDEFINITE = new Set(['a', 'an', 'some', 'several', 'many', 'has', 'have']);

function isSingleName([tokens, { start }]: Valued): boolean {
  const before = tokens.slice(0, start);
  const isEnglishText = tokens.some(({ text, key }) => isEnglish(text) || isLink(key));
  if (!isEnglishText || BESIDE_OTHERS.has(before.at(-1)?.text ?? '')) return false;
  return !before.some(({ text, key }) => allowsSeveralNames(key) || INDEFINITE.has(text));
}
