/**
 * Reads records by id, and parses a record again only when it has changed. Every read still fetches the whole record,
 * because any program may have changed it.
 */
import { createRecent } from '../../domain/recent.js';
import { CHARACTERS_MAX, CHARACTERS_OF_RECORD, frozenMemory } from '../cached-record.js';
import type { Connection } from './connection.js';
import { keysOf } from './encoding.js';
import { type FoundMemory, type FoundRecord, foundMemory, foundRecord, isOursIn } from './found-records.js';
import { readByIds, readByKeys } from './in-parts.js';
import { RECORD_FIELDS, type RecordRow } from './read-record.js';

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

/** These properties are read as columns, because they often contain quotes, which `toJSON` does not escape. */
const TEXT_FIELDS = ['content', 'tags', 'summary', 'metadata', 'archived_reason', '_exact'];
/** These properties are read as one JSON text, because parsing the text takes less time than decoding columns. */
const PACKED_FIELDS = RECORD_FIELDS.filter(field => !TEXT_FIELDS.includes(field));
const TEXT_POSITIONS = positionsOf(TEXT_FIELDS);
const PACKED_POSITIONS = positionsOf(PACKED_FIELDS);
const METADATA = TEXT_FIELDS.indexOf('metadata');

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
    const found = frozenFound(unpacked);
    known.set(row.key, { row: { key: row.key, texts: row.texts, packed: row.packed }, found });
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

function positionsOf(fields: readonly string[]): number[] {
  return fields.map(field => RECORD_FIELDS.indexOf(field));
}

function frozenFound(record: FoundRecord): FoundMemory {
  const found = foundMemory(record);
  if (found.memory) frozenMemory(found.memory);
  return found;
}

/** Size of a row and its memory, in characters. The two share their texts, but the memory has its own parsed metadata. */
function lengthOfKept({ row: { texts, packed } }: Kept): number {
  return CHARACTERS_OF_RECORD + packed.length + lengthOf(texts) + lengthOf(texts[METADATA]);
}

/** Number of characters in a text, or in all texts of a list. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.reduce((sum: number, part) => sum + lengthOf(part), 0) : 0;
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
