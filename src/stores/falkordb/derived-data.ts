/**
 * Keeps what is derived from all memories up to date: pages of memories, ordered by id; words that an earlier version of
 * the text analyzer wrote; and the graph's records about vectors: which memories have one, of which model, and which
 * vectors no longer match their memory. The words themselves name their version, so an interruption loses nothing, and
 * any number of servers with different versions may share the graph. A note about a vector is written by the statement
 * that makes it stale.
 */
import { ANALYZER_VERSION } from '../../domain/versions.js';
import type { OutdatedWords, RewritingPage, RewrittenPage, StaleVector, VectorState } from '../graph-store.js';
import type { NewRecord, PageRequest } from '../ports/memory-store.js';
import type { WorkKind } from '../ports/work-queue.js';
import { type Connection, NODES_MAX } from './connection.js';
import { markedWords, wordsMark } from './index-node.js';
import type { Pages } from './pages.js';
import {
  isOurs,
  memoryOf,
  modelNumber,
  NO_MODEL,
  type RecordRow,
  recordOf,
  type StoredRow,
  storedColumns,
  storedOf,
} from './record.js';
import { decodeText, decodeVector, idIn, keyOf, NONE } from './values.js';
import { NEVER_MS, NO_WORK, requeueAll, requeueParameters, WORK_FIELDS, workFields } from './work-fields.js';

export function readRecords(pages: Pages, page: PageRequest): Promise<NewRecord[]> {
  const states = WORK_FIELDS.map(({ state }) => `n.${state}`).join(', ');
  type Row = { record: RecordRow; supplied: string; states: string[] };
  return pages.read(page, {
    label: 'Memory',
    columns: `${recordOf('n')} AS record, n._supplied AS supplied, [${states}] AS states`,
    elementOf: ({ record, supplied, states: found }: Row): NewRecord | undefined => {
      const memory = memoryOf(record);
      if (!memory) return undefined;
      const work = WORK_FIELDS.flatMap(({ kind }, index): WorkKind[] => (found[index] === NO_WORK ? [] : [kind]));
      return { memory, ...(supplied && { embedding: decodeVector(supplied) }), work };
    },
  });
}

const MARK = wordsMark(ANALYZER_VERSION);
const NEXT_MARK = wordsMark(ANALYZER_VERSION + 1);

export async function countOutdatedWords(connection: Connection): Promise<OutdatedWords> {
  const [counted] = await connection.read<{ older: number; newer: number }>(
    `MATCH (i:_MemoryIndex)
     RETURN sum(CASE WHEN i.words < $mark THEN 1 ELSE 0 END) AS older,
       sum(CASE WHEN i.words >= $next THEN 1 ELSE 0 END) AS newer`,
    { mark: MARK, next: NEXT_MARK },
  );
  return { outdatedCount: counted?.older ?? 0, hasNewer: (counted?.newer ?? 0) > 0 };
}

/** `from` is the number that the server gave a `_MemoryIndex`. A memory that is changed meanwhile is read again. */
export async function rewriteOutdatedWords(
  connection: Connection,
  { from = 0, limit }: RewritingPage,
): Promise<RewrittenPage> {
  const found = await connection.read<StoredRow & { node: number }>(
    `MATCH (i:_MemoryIndex) WHERE ID(i) >= $from AND i.words < $mark WITH i LIMIT $limit
     OPTIONAL MATCH (m:Memory {id: i.id}) WHERE ${isOurs('m')}
     RETURN ID(i) AS node, ${storedColumns('m')}`,
    { from, mark: MARK, limit },
  );
  const nodes = found.flatMap(row => {
    // Another program has removed the memory or made it unreadable.
    const stored = storedOf(row);
    if (!stored) return [];
    const { memory, revision } = stored;
    return [{ node: row.node, id: keyOf(memory.id), revision, words: markedWords(memory) }];
  });
  const rows = nodes.length === 0 ? [] : await connection.write<{ node: number }>(REWRITE, { nodes });
  const written = new Set(rows.map(({ node }) => node));
  const unwritten = nodes.filter(({ node }) => !written.has(node)).map(({ node }) => node);
  const isEnd = found.length < limit && unwritten.length === 0;
  const behind = Math.max(from, ...found.map(({ node }) => node + 1));
  return { rewrittenCount: written.size, ...(!isEnd && { next: Math.min(behind, ...unwritten) }) };
}

const REWRITE = `UNWIND $nodes AS each MATCH (m:Memory {id: each.id}) WHERE m._revision = each.revision
  MATCH (i:_MemoryIndex {id: each.id}) WHERE ID(i) = each.node
  SET i.words = each.words
  RETURN each.node AS node`;

export function vectorStates(pages: Pages, page: PageRequest): Promise<VectorState[]> {
  const work = workFields('embed');
  type Row = { id: string; embedded_by: string; state: string; due_ms: number };
  return pages.read(page, {
    label: 'Memory',
    columns: `${idIn('n')} AS id, n._embedded_by AS embedded_by, n.${work.state} AS state, n.${work.due} AS due_ms`,
    elementOf: ({ id, embedded_by, state, due_ms }: Row): VectorState => ({
      id: decodeText(id),
      ...(embedded_by !== NONE && { embeddedBy: decodeText(embedded_by) }),
      isPending: due_ms < NEVER_MS,
      hasFailed: state !== NO_WORK && due_ms >= NEVER_MS,
    }),
  });
}

/** Reads only the index entries of models outside `models`. If all memories are up to date, no such entry exists. */
export async function requeueOutdated(connection: Connection, models: readonly string[]): Promise<number> {
  const match = `MATCH (m:Memory)
    WHERE m._model >= $least AND m._model <= $most AND m.${workFields('embed').state} = '${NO_WORK}'`;
  let total = 0;
  for (const gap of gapsBetween(models.map(modelNumber))) {
    total += await requeueAll(connection, match, { ...gap, ...requeueParameters(['embed'], false) });
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

/** The answer is one row, because a server may cut an answer off after some number of rows. */
export async function staleVectors(connection: Connection, limit: number): Promise<StaleVector[]> {
  const [row] = await connection.read<{ notes: [id: string, note: number][] }>(
    `MATCH (s:_StaleVector) WHERE s.note > 0 WITH s LIMIT $sorted
     WITH s ORDER BY s.note LIMIT $limit RETURN collect([${idIn('s')}, s.note]) AS notes`,
    // More notes are sorted than returned, because the index returns notes only roughly in order.
    { sorted: Math.max(NODES_MAX, limit), limit },
  );
  return (row?.notes ?? []).map(([id, note]) => ({ id: decodeText(id), token: String(note) }));
}

export async function settleStaleVectors(connection: Connection, tokens: readonly string[]): Promise<void> {
  const notes = tokens.filter(token => /^\d{1,15}$/.test(token)).map(Number);
  if (notes.length === 0) return;
  await connection.write('UNWIND $notes AS note MATCH (s:_StaleVector) WHERE s.note = note DELETE s', { notes });
}
