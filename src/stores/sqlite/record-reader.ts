/** Reads records by id, and caches them in memory, because recalls need the same records again and again. */
import type { Memory } from '../../domain/memory.js';
import { createRecent } from '../../domain/recent.js';
import { type Connection, GIVEN_IDS } from '../database/connection.js';
import { COMPACT_COLUMNS, type CompactRow, memoryOf, rowOf } from './rows.js';

export interface RecordReader {
  /** Returns existing records, in the order of the ids. Callers share these objects. */
  read(ids: readonly string[]): Map<string, Memory>;
  /** Returns the row number of a record; undefined if the record is not cached. */
  knownRow(id: string): number | undefined;
  /** Returns the id of the record in a row; undefined if the record is not cached. */
  knownId(row: number): string | undefined;
  /**
   * Removes records from the cache. Must be called after every write with the ids of the changed records, or without
   * ids if any record may have changed.
   */
  forget(ids?: readonly string[]): void;
}

/**
 * Maximum size of the cache, in characters of content, summary, tags and metadata, with an allowance for each record:
 * about 15,000 notes.
 */
const CHARACTERS_MAX = 12_000_000;
const CHARACTERS_OF_RECORD = 400;
/** Maximum number of cached ids: the number of records that the cache holds if they are short. */
const IDS_MAX = CHARACTERS_MAX / CHARACTERS_OF_RECORD;

const READ = `SELECT ${COMPACT_COLUMNS} FROM ${GIVEN_IDS}`;

interface Kept {
  memory: Memory;
  row: number;
  /** Size of the record, in characters. */
  length: number;
}

export function createRecordReader(connection: Connection): RecordReader {
  const known = createRecent<Kept>(CHARACTERS_MAX, ({ length }) => length);
  const ids = createRecent<string, number>(IDS_MAX, () => 1);
  const readAnew = (missing: readonly string[]): Map<string, Memory> => {
    const found = new Map<string, Memory>();
    for (const compact of connection.all<CompactRow>(READ, JSON.stringify(missing))) {
      const row = rowOf(compact);
      const memory = frozen(memoryOf(row));
      found.set(row.id, memory);
      known.set(row.id, { memory, row: row.row, length: lengthOf(memory, row.metadata) });
      ids.set(row.row, row.id);
    }
    return found;
  };
  return {
    read: wanted => {
      const present = wanted.map(id => known.get(id)?.memory);
      const missing = wanted.filter((_, index) => present[index] === undefined);
      const anew = missing.length > 0 ? readAnew(missing) : undefined;
      const found = new Map<string, Memory>();
      for (const [index, id] of wanted.entries()) {
        const memory = present[index] ?? anew?.get(id);
        if (memory) found.set(id, memory);
      }
      return found;
    },
    knownRow: id => known.get(id)?.row,
    knownId: row => {
      const id = ids.get(row);
      // A later record may have the row of a deleted one, and the deleted record is no longer known.
      return id !== undefined && known.get(id)?.row === row ? id : undefined;
    },
    forget: changed => {
      if (changed) for (const id of changed) known.delete(id);
      else known.clear();
    },
  };
}

/**
 * Freezes a record, so that a program that tries to change it gets an error. Without the error, the change would appear
 * in the next recall.
 */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/** @param metadata as JSON */
function lengthOf({ content, tags, tag_prefixes, summary }: Memory, metadata: string): number {
  let ofTags = 0;
  for (const tag of tags) ofTags += tag.length;
  for (const prefix of tag_prefixes) ofTags += prefix.length;
  return CHARACTERS_OF_RECORD + content.length + (summary?.length ?? 0) + 2 * metadata.length + ofTags;
}
