/** Saves new records. Many are prepared in short steps, so that other requests are answered in between. */
import { partsOf } from '../../domain/collections.js';
import { MemoryError } from '../../domain/errors.js';
import { inSteps } from '../../event-loop.js';
import type { MemoryStore, NewRecord, RecordParts, SaveOutcome } from '../ports/memory-store.js';
import type { MemoryDatabase } from './memory-database.js';
import { type PreparedRecord, prepareRecord, savePrepared } from './save-memories.js';

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
