/** Records by their ids. Those that were read from the file stay in memory, because recalls meet the same ones again and again. */
import type { Memory } from '../../domain/memory.js';
import { type Connection, GIVEN_IDS } from '../database/connection.js';
import { type MemoryRow, memoryOf } from './rows.js';

export interface RecordReader {
  /** Those that exist, in the order of the ids. */
  read(ids: readonly string[]): Map<string, Memory>;
  /** To be told of what has been written: these records, or, without ids, any. */
  forget(ids?: readonly string[]): void;
}

/** Content, tags and metadata kept, about 20 MiB with what belongs to them: more than 10,000 notes. */
const CHARACTERS_MAX = 8_000_000;

const READ = `SELECT memories.* FROM ${GIVEN_IDS}`;

/** Forgets what was read from the file longest ago. */
export function createRecordReader(connection: Connection, charactersMax = CHARACTERS_MAX): RecordReader {
  const kept = new Map<string, MemoryRow>();
  let characters = 0;
  const drop = (row: MemoryRow | undefined) => {
    if (!row) return;
    kept.delete(row.id);
    characters -= lengthOf(row);
  };
  const keep = (row: MemoryRow) => {
    drop(kept.get(row.id));
    kept.set(row.id, row);
    characters += lengthOf(row);
    for (const oldest of kept.values()) {
      if (characters <= charactersMax) break;
      drop(oldest);
    }
  };
  return {
    read: ids => {
      const unknown = ids.filter(id => !kept.has(id));
      const fresh = new Map<string, MemoryRow>();
      if (unknown.length > 0) {
        for (const row of connection.all<MemoryRow>(READ, JSON.stringify(unknown))) fresh.set(row.id, row);
      }
      const found = new Map<string, Memory>();
      for (const id of ids) {
        const row = kept.get(id) ?? fresh.get(id);
        if (row) found.set(id, memoryOf(row));
      }
      for (const row of fresh.values()) keep(row);
      return found;
    },
    forget: ids => {
      if (ids) {
        for (const id of ids) drop(kept.get(id));
        return;
      }
      kept.clear();
      characters = 0;
    },
  };
}

function lengthOf({ content, tags, metadata, summary }: MemoryRow): number {
  return content.length + tags.length + metadata.length + (summary?.length ?? 0);
}
