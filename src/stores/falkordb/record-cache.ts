/** Reads memories from rows. A row that has not changed since it was read is not parsed again. */
import { createRecent } from '../../domain/collections.js';
import type { Memory } from '../../domain/memory.js';
import { CHARACTERS_MAX, CHARACTERS_OF_RECORD, lengthOf } from '../cached-record.js';
import { memoryOf, RECORD_FIELDS, type RecordRow } from './record.js';

const METADATA = RECORD_FIELDS.indexOf('metadata');

/** The last row of each record, by its key, with its memory. */
const known = createRecent<{ row: RecordRow; memory: Memory | undefined }>(CHARACTERS_MAX, ({ row, memory }) =>
  memory ? lengthOf(memory, String(row[METADATA]).length) : CHARACTERS_OF_RECORD,
);

/** Returns the memory in a row; undefined if it cannot be read. */
function memoryIn(row: RecordRow): Memory | undefined {
  const key = String(row[0]);
  const last = known.get(key);
  if (last && isSameRow(last.row, row)) return last.memory;
  const memory = memoryOf(row);
  known.set(key, { row, memory });
  return memory;
}

function isSameRow(a: RecordRow, b: RecordRow): boolean {
  return a.every((value, at) => {
    const other = b[at];
    return value === other || (Array.isArray(value) && Array.isArray(other) && isSameList(value, other));
  });
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

/** Returns the readable memories by id. */
export function memoriesIn(rows: Iterable<RecordRow>): Map<string, Memory> {
  const memories = new Map<string, Memory>();
  for (const row of rows) {
    const memory = memoryIn(row);
    if (memory) memories.set(memory.id, memory);
  }
  return memories;
}
