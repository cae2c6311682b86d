/**
 * Reads records by id, by row number and in pages. Caches those that were read by id or row number, because recalls need
 * the same records again and again.
 */
import { createRecent } from '../../domain/collections.js';
import type { Memory } from '../../domain/memory.js';
import { CHARACTERS_MAX, CHARACTERS_OF_RECORD, frozenMemory, lengthOf } from '../cached-record.js';
import { type Connection, GIVEN_IDS, GIVEN_ROWS } from '../database/connection.js';
import { viewOf } from '../embedded-vectors/stored-vector.js';
import type { VectorState } from '../graph-store.js';
import type { NewRecord, PageRequest } from '../ports/memory-store.js';
import type { WorkKind } from '../ports/work-queue.js';
import { type MemoryRow, memoryOf } from './rows.js';

export interface RecordReader {
  /** Returns existing records, in the order of the ids. Callers share these objects. */
  read(ids: readonly string[]): Map<string, Memory>;
  /** Returns existing records by row number, in any order. Callers share these objects. */
  readRows(rows: Iterable<number>): Map<number, Memory>;
  /** Returns the row numbers of existing records by id. */
  rowsOf(ids: readonly string[]): Map<string, number>;
  /** Returns the ids of existing records by row number. */
  idsOf(rows: Iterable<number>): Map<number, string>;
  /** Removes records from the cache. Must be called after every write with the ids of the changed records. */
  forget(ids: readonly string[]): void;
}

/** Maximum number of cached ids. The cache of records never holds more records than this. */
const IDS_MAX = CHARACTERS_MAX / CHARACTERS_OF_RECORD;

const READ = `SELECT memories.* FROM ${GIVEN_IDS}`;
const READ_ROWS = `SELECT memories.* FROM ${GIVEN_ROWS}`;
const FIND_ROWS = `SELECT memories.row AS row, memories.id AS id FROM ${GIVEN_IDS}`;
const READ_IDS = `SELECT memories.row AS row, memories.id AS id FROM ${GIVEN_ROWS}`;

interface Kept {
  memory: Memory;
  row: number;
  /** Size of the record, in characters. */
  length: number;
}

export function createRecordReader(connection: Connection): RecordReader {
  const known = createRecent<Kept>(CHARACTERS_MAX, ({ length }) => length);
  const ids = createRecent<string, number>(IDS_MAX, () => 1);
  /** @param statement reads the records whose ids or row numbers are in `wanted` */
  const readAnew = (statement: string, wanted: readonly (string | number)[]): Kept[] => {
    if (wanted.length === 0) return [];
    return connection.all<MemoryRow>(statement, JSON.stringify(wanted)).map(row => {
      const memory = frozenMemory(memoryOf(row));
      const kept = { memory, row: row.row, length: lengthOf(memory, row.metadata.length) };
      known.set(row.id, kept);
      ids.set(row.row, row.id);
      return kept;
    });
  };
  const knownIn = (row: number): Kept | undefined => {
    const id = ids.get(row);
    const kept = id === undefined ? undefined : known.get(id);
    // A deleted record is not in `known`, even if `ids` still has its row. If its id was stored again, the record may
    // have another row.
    return kept?.row === row ? kept : undefined;
  };
  const lookUp = (rows: Iterable<number>): { present: Kept[]; missing: number[] } => {
    const present: Kept[] = [];
    const missing: number[] = [];
    for (const row of rows) {
      const kept = knownIn(row);
      if (kept) present.push(kept);
      else missing.push(row);
    }
    return { present, missing };
  };
  return {
    read: wanted => {
      const present = wanted.map(id => known.get(id)?.memory);
      const missing = wanted.filter((_, index) => present[index] === undefined);
      const anew = new Map(readAnew(READ, missing).map(({ memory }) => [memory.id, memory]));
      const found = new Map<string, Memory>();
      for (const [index, id] of wanted.entries()) {
        const memory = present[index] ?? anew.get(id);
        if (memory) found.set(id, memory);
      }
      return found;
    },
    readRows: wanted => {
      const { present, missing } = lookUp(wanted);
      const anew = readAnew(READ_ROWS, missing);
      return new Map([...present, ...anew].map(({ row, memory }) => [row, memory]));
    },
    rowsOf: wanted => {
      const found = new Map<string, number>();
      const missing: string[] = [];
      for (const id of wanted) {
        const kept = known.get(id);
        if (kept) found.set(id, kept.row);
        else missing.push(id);
      }
      if (missing.length === 0) return found;
      const read = connection.all<{ row: number; id: string }>(FIND_ROWS, JSON.stringify(missing));
      for (const { row, id } of read) found.set(id, row);
      return found;
    },
    idsOf: wanted => {
      const { present, missing } = lookUp(wanted);
      const found = new Map(present.map(({ row, memory }) => [row, memory.id]));
      if (missing.length === 0) return found;
      const read = connection.all<{ row: number; id: string }>(READ_IDS, JSON.stringify(missing));
      for (const { row, id } of read) found.set(row, id);
      return found;
    },
    forget: changed => {
      for (const id of changed) known.delete(id);
    },
  };
}

interface RecordRow extends MemoryRow {
  vector: ArrayBuffer | Uint8Array | null;
  /** A JSON array of the kinds of work that is pending, is in flight or has failed. */
  waits_for: string;
}

export function readRecords(connection: Connection, { afterId = '', limit }: PageRequest): NewRecord[] {
  const rows = connection.all<RecordRow>(
    `SELECT memories.*, supplied_embeddings.vector, (
       SELECT json_group_array(kind) FROM work WHERE work.memory = memories.row
     ) AS waits_for
     FROM memories LEFT JOIN supplied_embeddings ON supplied_embeddings.memory = memories.row
     WHERE memories.id > ? ORDER BY memories.id LIMIT ?`,
    afterId,
    limit,
  );
  return rows.map(row => ({
    memory: memoryOf(row),
    ...(row.vector && { embedding: viewOf(row.vector, Float32Array) }),
    work: JSON.parse(row.waits_for) as WorkKind[],
  }));
}

export function vectorStates(connection: Connection, { afterId = '', limit }: PageRequest): VectorState[] {
  const rows = connection.all<{ id: string; embedded_by: string | null; has_work: number; is_pending: number }>(
    `SELECT id, embedded_by, work.memory IS NOT NULL AS has_work, due_ms IS NOT NULL AS is_pending
     FROM memories LEFT JOIN work ON kind = 'embed' AND work.memory = memories.row
     WHERE id > ? ORDER BY id LIMIT ?`,
    afterId,
    limit,
  );
  return rows.map(({ id, embedded_by: embeddedBy, has_work, is_pending }) => ({
    id,
    ...(embeddedBy !== null && { embeddedBy }),
    isPending: is_pending === 1,
    hasFailed: has_work === 1 && is_pending === 0,
  }));
}
