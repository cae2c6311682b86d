/**
 * Reads each record as one text, because the client takes several times as long to decode many values. A record that has
 * not changed since it was read is not parsed again. If a text could mean several records, or the server cannot make it,
 * the values are read one by one.
 */
import { randomBytes } from 'node:crypto';
import { createRecent } from '../../domain/collections.js';
import type { Memory } from '../../domain/memory.js';
import { CHARACTERS_MAX, CHARACTERS_OF_RECORD } from '../cached-record.js';
import { idOfRow, memoryOf, RECORD_FIELDS, type RecordRow, recordOf } from './record.js';

/** These texts often contain quotes. `toJSON` does not escape quotes, so each text is a part of its own. */
const TEXT_FIELDS = ['content', 'summary', 'metadata', 'archived_reason', '_exact'];
const JSON_FIELDS = RECORD_FIELDS.filter(field => !['id', 'tags', ...TEXT_FIELDS].includes(field));
/** Separates the parts of a packed record: the key, the JSON text, the tags, and the texts. */
const PART_END = '\u0001';
/** Separates the tags in their part. */
const TAG_END = '\u0003';
/** Stands for an absent text. It is random, so that no text of another program equals it. */
const ABSENT = `\u0002${randomBytes(3).toString('base64url')}`;

/** A record as it was read: one text, or the values one by one. */
export type RecordColumn = string | RecordRow;

/**
 * Runs a read that returns records.
 *
 * @param run reads the records in the columns that `columnOf` returns, and their memories with `memoryIn`. It is run
 * again with other columns if some records cannot be read as texts
 */
export async function readRecordsWith<Result>(
  run: (columnOf: (alias: string) => string) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(packedOf);
  } catch (error) {
    if (error !== AMBIGUOUS && !isUnpackable(error)) throw error;
  }
  return run(recordOf);
}

const AMBIGUOUS = new Error('A packed record is ambiguous');

/**
 * Whether the server refused the statement because it could not pack a node. `toJSON` refuses dates and vectors, and
 * `string.join` refuses values that are not texts.
 */
function isUnpackable(error: unknown): boolean {
  return error instanceof Error && /JSON encoder|Type mismatch/.test(error.message);
}

function packedOf(alias: string): string {
  const of = (field: string) => `${alias}.${field}`;
  const parts = [
    of('id'),
    `toJSON([${[...JSON_FIELDS.map(of), `size(${of('tags')})`].join(', ')}])`,
    `string.join(coalesce(${of('tags')}, []), '${TAG_END}')`,
    ...TEXT_FIELDS.map(field => `coalesce(${of(field)}, '${ABSENT}')`),
  ];
  return `string.join([${parts.join(', ')}], '${PART_END}')`;
}

/** The last text of each record, by its key, with its memory. */
const known = createRecent<{ packed: string; memory: Memory | undefined }>(
  CHARACTERS_MAX,
  ({ packed }) => CHARACTERS_OF_RECORD + packed.length,
);

/** Returns the memory in a column; undefined if it cannot be read. */
function memoryIn(column: RecordColumn): Memory | undefined {
  if (typeof column !== 'string') return memoryOf(column);
  const key = column.slice(0, column.indexOf(PART_END));
  const last = known.get(key);
  if (last?.packed === column) return last.memory;
  const memory = memoryOf(unpacked(column));
  known.set(key, { packed: column, memory });
  return memory;
}

/** Returns the readable memories by id. */
export function memoriesIn(columns: Iterable<RecordColumn>): Map<string, Memory> {
  const memories = new Map<string, Memory>();
  for (const column of columns) {
    const memory = memoryIn(column);
    if (memory) memories.set(memory.id, memory);
  }
  return memories;
}

/** Returns the id of a record that Engraph has written, even if the record cannot be read. */
export function recordId(column: RecordColumn): string {
  return memoryIn(column)?.id ?? idOfRow(typeof column === 'string' ? unpacked(column) : column);
}

/** @throws AMBIGUOUS */
function unpacked(packed: string): RecordRow {
  const [id, json = '', tags = '', ...texts] = packed.split(PART_END);
  const values = flatValuesOf(json);
  // A separator within a text adds a part.
  if (texts.length !== TEXT_FIELDS.length || values?.length !== JSON_FIELDS.length + 1) throw AMBIGUOUS;
  const tagCount = values.at(-1);
  const tagList = tagCount === 0 ? [] : tags.split(TAG_END);
  if (tagCount !== null && tagList.length !== tagCount) throw AMBIGUOUS;
  const of: Record<string, unknown> = { id, tags: tagCount === null ? null : tagList };
  for (const [at, field] of JSON_FIELDS.entries()) of[field] = values[at];
  for (const [at, field] of TEXT_FIELDS.entries()) of[field] = texts[at] === ABSENT ? null : texts[at];
  return RECORD_FIELDS.map(field => of[field]);
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
