/** Whether two memories say the same of one subject: nearly the same words, and every number, date, name and denial the same. */
import type { Memory } from '../../domain/memory.js';
import { comparedTerms, type Occurrences, similarity } from '../../domain/similarity.js';
import { readStatement } from '../../statement/read.js';
import { haveOtherScopes } from '../../statement/scopes.js';
import type { Statement, Token } from '../../statement/statement.js';
import { isNegation } from '../../statement/words.js';

/** Of the words that tell something. */
const WORDS_ALIKE_MIN = 0.75;
/** Above what chance gives. */
const CLOSENESS_MIN = 0.6;

/** All words weigh the same but for numbers: rare ones would hide that a common one differs. */
const EVEN: Occurrences = { memoryCount: 0, frequencies: new Map() };

/** @param closeness of their vectors, above what chance gives */
export function saysTheSame([a, b]: readonly [Memory, Memory], { closeness }: { closeness: number }): boolean {
  if (closeness < CLOSENESS_MIN || haveOtherScopes(a, b)) return false;
  const alike = similarity(comparedTerms(a.content), comparedTerms(b.content), EVEN);
  if (alike < WORDS_ALIKE_MIN) return false;
  const [one, other] = [a, b].map(({ content, timestamp }) => readStatement(content, Date.parse(timestamp)));
  return one !== undefined && other !== undefined && hasValuesOf(one, other) && hasValuesOf(other, one);
}

/** A value that only one of them has makes them two statements. */
function hasValuesOf(has: Statement, of: Statement): boolean {
  return of.tokens.filter(isValue).every(({ key }) => has.keys.has(key));
}

function isValue({ kind, text }: Token): boolean {
  return isNegation(text) || (kind !== 'stop' && kind !== 'word');
}
