/** Decides whether two memories about one subject contradict each other. */
import type { Memory } from '../../domain/memory.js';
import { differenceOf } from '../../statement/difference.js';
import { cannotBothHold } from '../../statement/exclusive.js';
import { readStatement } from '../../statement/read.js';
import { haveOtherScopes } from '../../statement/scopes.js';
import type { Statement } from '../../statement/statement.js';
import { isNeutral } from '../../statement/words.js';

/**
 * Maximum length of a compared text, in characters. A longer text makes several statements, and a change may affect
 * only some of them.
 */
const NOTE_MAX_LENGTH = 300;

/** Words that announce a change. */
const CHANGED = new Set(['now', 'instead', 'nowadays', 'anymore', 'currently']);

/**
 * Whether the texts of two memories probably contradict each other. Consolidation has no query that could help to
 * decide.
 */
export function contradictEachOther(older: Memory, newer: Memory): boolean {
  if (Math.max(older.content.length, newer.content.length) > NOTE_MAX_LENGTH || haveOtherScopes(older, newer)) {
    return false;
  }
  const [a, b] = [older, newer].map(({ content, timestamp }) => readStatement(content, Date.parse(timestamp)));
  return a !== undefined && b !== undefined && (cannotBothHold(a, b, '') || restates(a, b));
}

/** Whether the newer statement mentions a change, and repeats the older statement with another value. */
function restates(older: Statement, newer: Statement): boolean {
  const saysSo = ({ tokens }: Statement) => tokens.some(({ text }) => CHANGED.has(text));
  if (!saysSo(newer) || saysSo(older)) return false;
  const [a, b] = [differenceOf(older, newer), differenceOf(newer, older)];
  const others = [a, b].flatMap(({ narrowing, verbs }) => [...narrowing, ...verbs]);
  const isSameSubject = older.tokens.some(
    ({ kind, key }) => (kind === 'word' || kind === 'name') && !isNeutral(key) && newer.keys.has(key),
  );
  return isSameSubject && others.length === 0 && a.values.length === 1 && b.values.length === 1;
}
