/**
 * The graph's records about vectors: which memories have one, of which model, and which vectors no longer match their
 * memory. A note about a vector is written by the statement that makes it stale.
 */
import type { StaleVector, VectorState } from '../graph-store.js';
import type { PageRequest } from '../ports/memory-store.js';
import type { Connection } from './connection.js';
import { pageByRank } from './pages.js';
import { modelNumber, NO_MODEL } from './record.js';
import { decodeText, idIn, NONE } from './values.js';
import { NEVER_MS, NO_WORK, startOverAll, startOverParameters, workFields } from './work-fields.js';

export async function vectorStates(connection: Connection, page: PageRequest): Promise<VectorState[]> {
  const work = workFields('embed');
  const columns = `${idIn('n')} AS id, n._embedded_by AS embedded_by, n.${work.state} AS state, n.${work.due} AS due_ms`;
  type Row = { id: string; embedded_by: string; state: string; due_ms: number };
  const rows = await pageByRank<Row>(connection, page, 'Memory', columns);
  return rows.map(({ id, embedded_by, state, due_ms }) => ({
    id: decodeText(id),
    ...(embedded_by !== NONE && { embeddedBy: decodeText(embedded_by) }),
    isPending: due_ms < NEVER_MS,
    hasFailed: state !== NO_WORK && due_ms >= NEVER_MS,
  }));
}

/** Reads only the index entries of models outside `models`. If all memories are up to date, no such entry exists. */
export async function requeueOutdated(connection: Connection, models: readonly string[]): Promise<number> {
  const match = `MATCH (m:Memory)
    WHERE m._model >= $least AND m._model <= $most AND m.${workFields('embed').state} = '${NO_WORK}'`;
  let total = 0;
  for (const gap of gapsBetween(models.map(modelNumber))) {
    total += await startOverAll(connection, match, { ...gap, ...startOverParameters(['embed'], false) });
  }
  return total;
}

function gapsBetween(numbers: readonly number[]): { least: number; most: number }[] {
  const bounds = [NO_MODEL - 1, ...numbers.toSorted((a, b) => a - b), Number.MAX_SAFE_INTEGER];
  return bounds
    .slice(1)
    .map((bound, index) => ({ least: (bounds[index] ?? 0) + 1, most: bound - 1 }))
    .filter(({ least, most }) => least <= most);
}

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
