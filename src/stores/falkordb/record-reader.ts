/**
 * Reads records by id, and parses a record again only when it has changed. Every read still fetches the whole record,
 * because any program may have changed it.
 */
import { createRecent } from '../../domain/recent.js';
import { CHARACTERS_MAX, CHARACTERS_OF_RECORD, frozenMemory, lengthOf } from '../cached-record.js';
import type { Connection } from './connection.js';
import { keysOf } from './encoding.js';
import { type FoundMemory, type FoundRecord, foundMemory, foundRecord, isOursIn } from './found-records.js';
import { readByIds, readByKeys } from './in-parts.js';
import { RECORD_FIELDS, type RecordRow } from './read-record.js';

export interface RecordReader {
  /**
   * Returns the memories with these ids, one for each node, in any order. Callers share the records.
   *
   * @param added further columns about each memory `m`: `m.content AS text`
   */
  read<Columns>(ids: readonly string[], added?: string): Promise<FoundRow<Columns>[]>;
}

export interface FoundRow<Columns> extends FoundMemory {
  row: Columns;
}

/** Properties that may contain quotes stay columns, because the server's `toJSON` does not escape texts. */
const TEXT_FIELDS = ['content', 'tags', 'summary', 'metadata', 'archived_reason', '_exact'];
/** Properties that are read as one JSON text, because decoding a column takes longer than parsing a value of the text. */
const PACKED_FIELDS = RECORD_FIELDS.filter(field => !TEXT_FIELDS.includes(field));
const [TEXT_POSITIONS, PACKED_POSITIONS] = [TEXT_FIELDS, PACKED_FIELDS].map(fields =>
  fields.map(field => RECORD_FIELDS.indexOf(field)),
) as [number[], number[]];

interface PackedRow {
  key: string;
  texts: unknown[];
  packed: string;
}

const PACKED = `m.id AS key, [${propertiesOf(TEXT_FIELDS)}] AS texts,
  toJSON([${propertiesOf(PACKED_FIELDS)}, ${isOursIn('m')}]) AS packed`;
const UNPACKED = `${foundRecord('m')} AS found`;

interface Kept {
  row: PackedRow;
  found: FoundMemory;
}

export function createRecordReader(connection: Connection): RecordReader {
  const known = createRecent<Kept>(CHARACTERS_MAX, lengthOfKept);
  /** Returns undefined if the row is ambiguous. */
  const foundIn = (row: PackedRow): FoundMemory | undefined => {
    const kept = known.get(row.key);
    if (kept && kept.row.packed === row.packed && isSame(kept.row.texts, row.texts)) return kept.found;
    const unpacked = unpack(row);
    if (!unpacked) return undefined;
    const found = foundMemory(unpacked);
    if (found.memory) frozenMemory(found.memory);
    known.set(row.key, { row: { key: row.key, texts: row.texts, packed: row.packed }, found });
    return found;
  };
  return {
    read: async <Columns>(ids: readonly string[], added?: string) => {
      const statement = (columns: string) =>
        `MATCH (m:Memory) WHERE m.id IN $ids RETURN ${added ? `${added}, ` : ''}${columns}`;
      const readExactly = async (keys: readonly string[]): Promise<FoundRow<Columns>[]> => {
        const rows = await readByKeys<Columns & { found: FoundRecord }>(connection, statement(UNPACKED), keys);
        return rows.map(row => ({ ...foundMemory(row.found), row }));
      };
      const found: FoundRow<Columns>[] = [];
      const ambiguous = new Set<string>();
      try {
        for (const row of await readByIds<Columns & PackedRow>(connection, statement(PACKED), ids)) {
          const each = foundIn(row);
          if (each) found.push({ memory: each.memory, isOurs: each.isOurs, row });
          else ambiguous.add(row.key);
        }
      } catch (error) {
        if (!isUnpackable(error)) throw error;
        return readExactly(keysOf(ids));
      }
      return ambiguous.size === 0 ? found : [...found, ...(await readExactly([...ambiguous]))];
    },
  };
}

/**
 * Whether the server refused to write a property as JSON, such as a date or a vector of another program. The server then
 * refuses the whole statement.
 */
function isUnpackable(error: unknown): boolean {
  return error instanceof Error && error.message.includes('JSON encoder');
}

function propertiesOf(fields: readonly string[]): string {
  return fields.map(field => `m.${field}`).join(', ');
}

function lengthOfKept({ row, found: { memory } }: Kept): number {
  const ofMemory = memory ? lengthOf(memory, JSON.stringify(memory.metadata).length) : CHARACTERS_OF_RECORD;
  return row.packed.length + ofMemory;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return (
    Array.isArray(one) &&
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((each, at) => isSame(each, other[at]))
  );
}

function unpack({ texts, packed }: PackedRow): FoundRecord | undefined {
  const values = flatValuesOf(packed);
  if (values?.length !== PACKED_FIELDS.length + 1) return undefined;
  const record: RecordRow = new Array(RECORD_FIELDS.length);
  for (const [at, position] of TEXT_POSITIONS.entries()) record[position] = texts[at];
  for (const [at, position] of PACKED_POSITIONS.entries()) record[position] = values[at];
  return [record, values.at(-1) as boolean];
}

/**
 * Returns the values of a list that the server has written as JSON; undefined if the text is ambiguous. The server does
 * not escape texts, so a backslash would be lost. A text with an odd number of quotes produces a value that begins with
 * `, `. A text with an even number of quotes adds values, and the caller compares the number of values.
 */
function flatValuesOf(json: string): unknown[] | undefined {
  if (json.includes('\\')) return undefined;
  try {
    const values = JSON.parse(json) as unknown[];
    return values.some(isAmbiguous) ? undefined : values;
  } catch {
    return undefined;
  }
}

function isAmbiguous(value: unknown): boolean {
  return typeof value === 'string' ? value.startsWith(', ') : typeof value === 'object' && value !== null;
}
