/**
 * Decides whether two memories make the same statement about one subject: their tags do not name different subjects,
 * their vectors are close, their words are nearly the same, and all numbers, dates, names and negations are equal.
 */
import type { Memory } from '../../domain/memory.js';
import { comparedTerms, type Occurrences, similarity } from '../../domain/similarity.js';
import { readStatement } from '../../statement/read.js';
import { haveOtherScopes } from '../../statement/scopes.js';
import type { Statement, Token } from '../../statement/statement.js';
import { isNegation } from '../../statement/words.js';

/** Minimum share of the meaningful words that two duplicates have in common. */
const WORDS_ALIKE_MIN = 0.75;
/** Minimum closeness of the vectors of two duplicates, measured above chance. */
const CLOSENESS_MIN = 0.6;

/** All words except numbers have the same weight. Otherwise rare words would hide a difference in a common word. */
const UNIFORM: Occurrences = { memoryCount: 0, frequencies: new Map() };

/** @param closeness closeness of the two vectors, measured above chance */
export function isDuplicate([a, b]: readonly [Memory, Memory], { closeness }: { closeness: number }): boolean {
  if (closeness < CLOSENESS_MIN || haveOtherScopes(a, b)) return false;
  const alike = similarity(comparedTerms(a.content), comparedTerms(b.content), UNIFORM);
  if (alike < WORDS_ALIKE_MIN) return false;
  const [one, other] = [a, b].map(({ content, timestamp }) => readStatement(content, Date.parse(timestamp)));
  return one !== undefined && other !== undefined && hasValuesOf(one, other) && hasValuesOf(other, one);
}

/**
 * Whether a statement has all values of another one. A value that only one statement has makes the two statements
 * different.
 */
function hasValuesOf(has: Statement, of: Statement): boolean {
  return of.tokens.filter(isValue).every(({ key }) => has.keys.has(key));
}

function isValue({ kind, text }: Token): boolean {
  return isNegation(text) || (kind !== 'stop' && kind !== 'word');
}
