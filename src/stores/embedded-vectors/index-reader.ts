/**
 * Keeps the vectors of a file in memory, follows the changes of the file, and searches the vectors. A search compares
 * quantized vectors first, and then compares the nearest exactly.
 */
import { partsOf } from '../../domain/collections.js';
import { type Connection, GIVEN } from '../database/connection.js';
import type { EarlyIds, VectorHit } from '../vector-store.js';
import { compareRows } from './exact-vectors.js';
import { type Blob, viewOf } from './stored-vector.js';
import { createVectorIndex, type IndexSearch, type VectorEntry } from './vector-index.js';

export interface ReaderSearch extends IndexSearch {
  /** The vector `beside` of `VectorSearch`, scaled to unit length. */
  beside?: Float32Array;
}

export interface IndexReader {
  /** Number of vectors that are in RAM. */
  readonly size: number;
  /** Reads all vectors once, before the first search. Ends early when `isStopping` returns true. */
  load(isStopping?: () => boolean): void;
  /** Reads changed rows again, and drops the vectors of removed rows. */
  refresh(rows: readonly number[]): void;
  /** Returns the nearest memories, nearest first. */
  search(search: ReaderSearch, ahead?: EarlyIds): VectorHit[];
}

interface IndexedRow {
  row: number;
  id: string;
  model: string;
  timestamp_ms: number;
  valid_from_ms: number;
  valid_to_ms: number;
  tags: Blob;
  scale: number;
  codes: Blob;
  dimensions: Blob | null;
}

const ROWS_PER_READ = 250;
/** Number of nearest vectors that are compared exactly. With this number, recall@10 against an exact search is 1.00. */
const REFINED = 40;

const COLUMNS = 'row, id, model, timestamp_ms, valid_from_ms, valid_to_ms, tags, scale, codes, dimensions';
const READ_PAGE = `SELECT ${COLUMNS} FROM vectors WHERE row > ? ORDER BY row LIMIT ${ROWS_PER_READ}`;
const READ_ROWS = `SELECT ${COLUMNS} FROM ${GIVEN} CROSS JOIN vectors ON row = given`;

/** @param connection is only read from, so it may be read-only */
export function createIndexReader(connection: Connection): IndexReader {
  const index = createVectorIndex();

  return {
    get size() {
      return index.size;
    },
    load: (isStopping = () => false) => {
      let last = Number.MIN_SAFE_INTEGER;
      for (;;) {
        const rows = connection.all<IndexedRow>(READ_PAGE, last);
        for (const row of rows) index.put(entryOf(row));
        last = rows.at(-1)?.row ?? last;
        if (rows.length < ROWS_PER_READ || isStopping()) return;
      }
    },
    refresh: changed => {
      for (const part of partsOf(changed, ROWS_PER_READ)) {
        const present = new Map(connection.all<IndexedRow>(READ_ROWS, JSON.stringify(part)).map(row => [row.row, row]));
        for (const row of part) {
          const found = present.get(row);
          if (found) index.put(entryOf(found));
          else index.remove(row);
        }
      }
    },
    search: (search, ahead) => {
      if (search.isRough) return index.search(search).map(({ id, score }) => ({ id, similarity: score }));
      const nearest = index.search({ ...search, limit: Math.max(search.limit, REFINED) });
      ahead?.receive(nearest.slice(0, ahead.count).map(({ id }) => id));
      // Eight-bit codes cannot order vectors that are almost equally near, so the nearest are compared exactly. A row may
      // belong to another memory by now, so its exact vector is used only if the id is the same as in the index.
      const best = nearest.slice(0, REFINED).map(({ row }) => row);
      const compared = compareRows(connection, best, search);
      const hits = nearest.map(({ id, score }): VectorHit => {
        const exact = compared.get(id);
        return exact ? { id, similarity: exact.sought, exact } : { id, similarity: score };
      });
      return hits.sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1)).slice(0, search.limit);
    },
  };
}

function entryOf(found: IndexedRow): VectorEntry {
  const { row, id, model, timestamp_ms, valid_from_ms, valid_to_ms, tags, scale, codes, dimensions } = found;
  return {
    row,
    id,
    model,
    numbers: { createdMs: timestamp_ms, validFromMs: valid_from_ms, validUntilMs: valid_to_ms },
    tokens: viewOf(tags, Float64Array),
    scale,
    codes: viewOf(codes, Int8Array),
    dimensions: dimensions ? viewOf(dimensions, Uint16Array) : undefined,
  };
}
