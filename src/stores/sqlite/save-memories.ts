/**
 * Saves new memories with all their indexes in one transaction. Their rows are computed before it, and for many memories
 * in short steps, so that other requests are answered in between.
 */

import { partsOf } from '../../domain/collections.js';
import { idTaken, MemoryError } from '../../domain/errors.js';
import { payloadOf } from '../../domain/filter.js';
import { inSteps } from '../../event-loop.js';
import { type Connection, GIVEN_IDS, placeholders, type SqlValue } from '../database/connection.js';
import { bytesOf } from '../embedded-vectors/stored-vector.js';
import type { PreparedVector, VectorTable } from '../embedded-vectors/vector-table.js';
import type { MemoryStore, NewRecord, RecordParts, SaveOutcome } from '../ports/memory-store.js';
import type { WorkKind } from '../ports/work-queue.js';
import { countChange } from './last-known.js';
import type { MemoryDatabase } from './memory-database.js';
import { MEMORY_COLUMNS, memoryValues } from './rows.js';
import { countMemoryRows, type TagRow, tagRowsOf, writeTagRows } from './tags.js';
import { type IndexedWords, indexedWords, writeNewWords } from './words.js';
import { enqueueNew } from './work.js';

const INSERT_MEMORY = `INSERT INTO memories (${MEMORY_COLUMNS.join(', ')}) VALUES (${placeholders(MEMORY_COLUMNS)})`;
const INSERT_SUPPLIED = 'INSERT OR REPLACE INTO supplied_embeddings (memory, vector) VALUES (?, ?)';

/** The values of all rows of a new memory. */
interface PreparedRecord {
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
    ...(embedding && { supplied: bytesOf(embedding) }),
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
    countChange(connection);
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

/** Maximum number of records that are prepared at once. */
const STEP = 5;

export interface RecordSaver extends Pick<MemoryStore, 'saveMemories'> {
  /** Refuses further records. Resolves when all earlier records are saved, or have failed. */
  close(): Promise<void>;
}

/** @param write runs the transaction when it is its turn */
export function createRecordSaver(
  database: MemoryDatabase,
  write: (save: () => SaveOutcome[]) => Promise<SaveOutcome[]>,
): RecordSaver {
  const underWay = new Set<Promise<SaveOutcome[]>>();
  let isOpen = true;
  const prepare = (records: readonly NewRecord[]) => records.map(record => prepareRecord(record, database.vectors));
  const save = async (records: readonly NewRecord[] | RecordParts): Promise<SaveOutcome[]> => {
    // A few records are saved without a pause, so that a later write cannot overtake them.
    if (!(Symbol.asyncIterator in records) && records.length <= STEP) {
      const prepared = prepare(records);
      return write(() => savePrepared(database, prepared));
    }
    const prepared: PreparedRecord[] = [];
    for await (const part of Symbol.asyncIterator in records ? records : [records]) {
      for await (const few of inSteps(partsOf(part, STEP))) prepared.push(...prepare(few));
    }
    return write(() => savePrepared(database, prepared));
  };
  return {
    saveMemories: async records => {
      if (!isOpen) throw new MemoryError('unavailable', 'The memory is closed');
      const saving = save(records);
      underWay.add(saving);
      try {
        return await saving;
      } finally {
        underWay.delete(saving);
      }
    },
    close: async () => {
      isOpen = false;
      await Promise.allSettled(underWay);
    },
  };
}

/** Replaces the supplied vector of a memory. */
export function supplyEmbedding(connection: Connection, row: number, embedding: Float32Array): void {
  connection.run(INSERT_SUPPLIED, row, bytesOf(embedding));
}
