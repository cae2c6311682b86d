/** Whether two memories about one thing cannot both be true. */
import type { Memory } from '../../domain/memory.js';
import { cannotBothHold } from '../../statement/exclusive.js';
import { readStatement } from '../../statement/read.js';
import { haveOtherScopes } from '../../statement/scopes.js';

/** A longer text says several things, of which few can have changed. */
const NOTE_MAX_LENGTH = 300;

/** Suspected only: read in their words, with nobody asked. */
export function exclude(older: Memory, newer: Memory): boolean {
  if (Math.max(older.content.length, newer.content.length) > NOTE_MAX_LENGTH || haveOtherScopes(older, newer)) {
    return false;
  }
  const [a, b] = [older, newer].map(({ content, timestamp }) => readStatement(content, Date.parse(timestamp)));
  return a !== undefined && b !== undefined && cannotBothHold(a, b, '');
}
