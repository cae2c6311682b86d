/**
 * Notes about vectors that no longer match their memory. Each note is written by the statement that makes the vector
 * stale.
 */
import type { StaleVector } from '../graph-store.js';
import type { Connection } from './connection.js';
import { decodeText, idIn } from './values.js';

/**
 * Number of notes that are read and then sorted, unless the caller requests more. Sorting is needed, because the index
 * returns notes only roughly in order.
 */
const SORTED_MAX = 2_000;

/**
 * Returns clauses that note the vectors of several memories as stale. Later clauses can still use the list and all
 * other variables. A later note about the same memory replaces an earlier note.
 *
 * @param list name of the variable that contains a map for each memory, with `id` and perhaps `_exact_id`
 */
export function noteStaleVectors(list: string): string {
  return `CALL {
    WITH ${list}
    MERGE (counter:Counter {name: 'stale vectors'})
    SET counter.value = coalesce(counter.value, 0) + size(${list})
    WITH ${list}, counter.value - size(${list}) AS before
    UNWIND range(1, size(${list})) AS number
    WITH ${list}[number - 1] AS each, before + number AS note
    MERGE (s:_StaleVector {id: each.id})
    SET s._exact_id = coalesce(each._exact_id, each.id), s.note = note
    RETURN count(s) AS noted
  }`;
}

export async function staleVectors(connection: Connection, limit: number): Promise<StaleVector[]> {
  const rows = await connection.read<{ id: string; note: number }>(
    `MATCH (s:_StaleVector) WHERE s.note > 0 WITH s LIMIT $sorted
     RETURN ${idIn('s')} AS id, s.note AS note ORDER BY s.note LIMIT $limit`,
    { sorted: Math.max(SORTED_MAX, limit), limit },
  );
  return rows.map(({ id, note }) => ({ id: decodeText(id), token: String(note) }));
}

export async function settleStaleVectors(connection: Connection, tokens: readonly string[]): Promise<void> {
  const notes = tokens.filter(token => /^\d{1,15}$/.test(token)).map(Number);
  if (notes.length === 0) return;
  await connection.write('UNWIND $notes AS note MATCH (s:_StaleVector) WHERE s.note = note DELETE s', { notes });
}
