/**
 * Notes about vectors that no longer match their memory. Each note is written in the transaction that makes the vector
 * stale.
 */

import type { Connection } from '../database/connection.js';
import type { StaleVector } from '../graph-store.js';

/** Notes that the vector of a memory is stale. A later note about the same memory replaces an earlier note. */
export function noteStaleVector(connection: Connection, id: string): void {
  connection.run('INSERT OR REPLACE INTO stale_vectors (id) VALUES (?)', id);
}

export function staleVectors(connection: Connection, limit: number): StaleVector[] {
  const statement = 'SELECT note, id FROM stale_vectors ORDER BY note LIMIT ?';
  const rows = connection.all<{ note: number; id: string }>(statement, limit);
  return rows.map(({ note, id }) => ({ id, token: String(note) }));
}

export function settleStaleVectors(connection: Connection, tokens: readonly string[]): void {
  connection.transaction(() => {
    for (const token of tokens) connection.run('DELETE FROM stale_vectors WHERE note = ?', Number(token));
  });
}
