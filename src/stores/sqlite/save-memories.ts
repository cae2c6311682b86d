/**
 * Saves new memories with all their indexes in one transaction. The rows of a memory are computed separately, because
 * no other write can run during the transaction.
 */
import { idTaken } from '../../domain/errors.js';
import { payloadOf } from '../../domain/filter.js';
import { type Connection, GIVEN_IDS, placeholders, type SqlValue } from '../database/connection.js';
import type { PreparedVector, VectorTable } from '../embedded-vectors/vector-table.js';
import type { NewRecord, SaveOutcome } from '../ports/memory-store.js';
import type { WorkKind } from '../ports/work-queue.js';
import { noteRevision } from './last-known.js';
import type { MemoryDatabase } from './memory-database.js';
import { MEMORY_COLUMNS, memoryValues, vectorToBlob } from './rows.js';
import { countMemoryRows } from './tag-blocks.js';
import { type TagRow, tagRowsOf, writeTagRows } from './tag-rows.js';
import { type IndexedWords, indexedWords, writeNewWords } from './word-rows.js';
import { enqueueNew } from './work.js';

const INSERT_MEMORY = `INSERT INTO memories (${MEMORY_COLUMNS.join(', ')}) VALUES (${placeholders(MEMORY_COLUMNS)})`;
const INSERT_SUPPLIED = 'INSERT INTO supplied_embeddings (memory, vector) VALUES (?, ?)';

/** The values of all rows of a new memory. */
export interface PreparedRecord {
  id: string;
  content: string;
  /** The columns of `memories`, in the order of `MEMORY_COLUMNS`. */
  columns: readonly SqlValue[];
  supplied?: Buffer;
  vector?: PreparedVector;
  tags: readonly TagRow[];
  words: IndexedWords;
  work: readonly WorkKind[];
  isNew: boolean;
}

/** @throws Error that names a vector that cannot be compared by cosine */
export function prepareRecord(record: NewRecord, vectors?: VectorTable): PreparedRecord {
  const { memory, embedding, vector, work, isNew = false } = record;
  const { id, content } = memory;
  return {
    id,
    content,
    columns: memoryValues(memory),
    ...(embedding && { supplied: vectorToBlob(embedding) }),
    ...(vector &&
      vectors && { vector: vectors.prepare({ id, vector, payload: payloadOf(memory, memory.embedded_by ?? '') }) }),
    tags: tagRowsOf(memory),
    words: indexedWords(memory),
    work,
    isNew,
  };
}

export function saveMemories(connection: MemoryDatabase, records: readonly NewRecord[]): SaveOutcome[] {
  return savePrepared(
    connection,
    records.map(record => prepareRecord(record, connection.vectors)),
  );
}

/** @throws MemoryError `conflict` like `MemoryStore.saveMemories`; then nothing is written */
export function savePrepared(connection: MemoryDatabase, records: readonly PreparedRecord[]): SaveOutcome[] {
  return connection.transaction(() => {
    noteRevision(connection);
    const contents = existingContents(connection, records);
    const added: (PreparedRecord & { row: number })[] = [];
    const outcomes = records.map((record, index): SaveOutcome => {
      const existing = contents.get(record.id);
      if (existing === record.content && !record.isNew) return 'replayed';
      if (existing !== undefined) throw idTaken(record.id, { index, isSameContent: existing === record.content });
      contents.set(record.id, record.content);
      added.push({ ...record, row: connection.run(INSERT_MEMORY, ...record.columns).lastInsertRowid });
      return 'created';
    });
    for (const { row, supplied } of added) if (supplied) connection.run(INSERT_SUPPLIED, row, supplied);
    connection.vectors?.putPrepared(added.flatMap(({ vector }) => vector ?? []));
    countMemoryRows(
      connection,
      added.map(({ row }) => row),
    );
    writeTagRows(connection, added);
    writeNewWords(connection, added);
    enqueueNew(connection, added);
    return outcomes;
  });
}

/** Returns the contents of the memories that already exist, by id. */
function existingContents(connection: Connection, records: readonly PreparedRecord[]): Map<string, string> {
  const rows = connection.all<{ id: string; content: string }>(
    `SELECT id, content FROM ${GIVEN_IDS}`,
    JSON.stringify(records.map(({ id }) => id)),
  );
  return new Map(rows.map(({ id, content }) => [id, content]));
}
