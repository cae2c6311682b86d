/**
 * Reads records by id, and parses a record again only when it has changed. Every read still fetches the whole record,
 * because any program may have changed it.
 */
import { createRecent } from '../../domain/collections.js';
import { CHARACTERS_MAX, CHARACTERS_OF_RECORD, frozenMemory } from '../cached-record.js';
import type { Connection } from './connection.js';
import { keysOf } from './encoding.js';
import { type FoundMemory, type FoundRecord, foundMemory, foundRecord } from './found-records.js';
import { readByIds, readByKeys } from './in-parts.js';
import { isUnpackable, keyOfPacked, WHOLE } from './packed-record.js';
import { RECORD_FIELDS } from './read-record.js';

export interface RecordReader {
  /**
   * Returns the memories with these ids, one for each node, in any order. Callers share the records, which are frozen.
   *
   * @param added further columns about each memory `m`: `m.content AS text`
   */
  read<Columns>(ids: readonly string[], added?: string): Promise<FoundRow<Columns>[]>;
}

export interface FoundRow<Columns> extends FoundMemory {
  row: Columns;
}

interface PackedRow {
  packed: string;
}

const PACKED = `${WHOLE.columnOf('m')} AS packed`;
const UNPACKED = `${foundRecord('m')} AS found`;
const METADATA = RECORD_FIELDS.indexOf('metadata');

interface Kept {
  packed: string;
  found: FoundMemory;
  /** Size of the record, in characters. */
  length: number;
}

export function createRecordReader(connection: Connection): RecordReader {
  const known = createRecent<Kept>(CHARACTERS_MAX, ({ length }) => length);
  /** Returns undefined if the text is ambiguous. */
  const foundIn = (key: string, packed: string): FoundMemory | undefined => {
    const kept = known.get(key);
    if (kept && kept.packed === packed) return kept.found;
    const unpacked = WHOLE.unpack(packed);
    if (!unpacked) return undefined;
    const found = frozenFound(unpacked);
    known.set(key, { packed, found, length: lengthOf(packed, unpacked) });
    return found;
  };
  return {
    read: async <Columns>(ids: readonly string[], added?: string) => {
      const statement = (columns: string) =>
        `MATCH (m:Memory) WHERE m.id IN $ids RETURN ${added ? `${added}, ` : ''}${columns}`;
      const readExactly = async (keys: readonly string[]): Promise<FoundRow<Columns>[]> => {
        const rows = await readByKeys<Columns & { found: FoundRecord }>(connection, statement(UNPACKED), keys);
        return rows.map(row => ({ ...frozenFound(row.found), row }));
      };
      const found: FoundRow<Columns>[] = [];
      const ambiguous = new Set<string>();
      try {
        for (const row of await readByIds<Columns & PackedRow>(connection, statement(PACKED), ids)) {
          const { packed } = row;
          const key = keyOfPacked(packed);
          const each = foundIn(key, packed);
          if (each) found.push({ memory: each.memory, isOurs: each.isOurs, row });
          else ambiguous.add(key);
        }
      } catch (error) {
        if (!isUnpackable(error)) throw error;
        return readExactly(keysOf(ids));
      }
      return ambiguous.size === 0 ? found : [...found, ...(await readExactly([...ambiguous]))];
    },
  };
}

function frozenFound(record: FoundRecord): FoundMemory {
  const found = foundMemory(record);
  if (found.memory) frozenMemory(found.memory);
  return found;
}

/** Counts the characters of a packed record and of its memory. They share the texts, but not the parsed metadata. */
function lengthOf(packed: string, [record]: FoundRecord): number {
  const metadata = record[METADATA];
  return CHARACTERS_OF_RECORD + packed.length + (typeof metadata === 'string' ? metadata.length : 0);
}
