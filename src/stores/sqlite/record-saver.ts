/** Saves new records: a few on this thread, and more on the batch thread while later ones are still being made. */

import { partsOf } from '../../domain/collections.js';
import { MemoryError } from '../../domain/errors.js';
import { inSteps } from '../../event-loop.js';
import type { NewRecord, RecordParts, SaveOutcome } from '../ports/memory-store.js';
import type { Batch, BatchWriter } from './batch-writer.js';

/** Maximum number of records that are saved on this thread. More records are saved on the batch thread. */
const FEW_RECORDS = 5;
/** Number of records that are sent to the batch thread in one message. Sending a large batch in one message would block this thread. */
const PART = 5;

export interface RecordSaver {
  saveMemories(records: readonly NewRecord[] | RecordParts): Promise<SaveOutcome[]>;
  /** Refuses further records. Resolves when all earlier records are saved, or have failed. */
  close(): Promise<void>;
}

export interface RecordSaverParts extends Pick<BatchWriter, 'open'> {
  saveFew(records: readonly NewRecord[]): Promise<SaveOutcome[]>;
  saveBatch(batch: Batch): Promise<SaveOutcome[]>;
  /** Called with the number of memories that were created. */
  onCreated(count: number): void;
}

export function createRecordSaver({ open, saveFew, saveBatch, onCreated }: RecordSaverParts): RecordSaver {
  const underWay = new Set<Promise<SaveOutcome[]>>();
  let isOpen = true;

  const tracked = async (save: () => Promise<SaveOutcome[]>): Promise<SaveOutcome[]> => {
    if (!isOpen) throw new MemoryError('unavailable', 'The memory is closed');
    const saving = save();
    underWay.add(saving);
    try {
      const outcomes = await saving;
      onCreated(outcomes.filter(outcome => outcome === 'created').length);
      return outcomes;
    } finally {
      underWay.delete(saving);
    }
  };
  const collectAndSave = async (parts: RecordParts): Promise<SaveOutcome[]> => {
    const added = await addInParts(parts, open);
    return 'few' in added ? saveFew(added.few) : saveBatch(added.batch);
  };
  return {
    saveMemories: records =>
      tracked(() => {
        if (Symbol.asyncIterator in records) return collectAndSave(records);
        // A few records are saved without a pause, so that a later write cannot overtake them.
        return records.length <= FEW_RECORDS ? saveFew(records) : collectAndSave(inSteps(partsOf(records, PART)));
      }),
    close: async () => {
      isOpen = false;
      await Promise.allSettled(underWay);
    },
  };
}

/**
 * Collects records, or adds them to a new batch if there are many.
 *
 * @throws the error of `parts`; then the batch is dropped
 */
async function addInParts(
  parts: RecordParts,
  open: BatchWriter['open'],
): Promise<{ few: readonly NewRecord[] } | { batch: Batch }> {
  const few: NewRecord[] = [];
  let batch: Batch | undefined;
  try {
    for await (const part of parts) {
      if (batch) {
        batch.add(part);
        continue;
      }
      few.push(...part);
      if (few.length <= FEW_RECORDS) continue;
      batch = open();
      batch.add(few);
    }
  } catch (error) {
    batch?.drop();
    throw error;
  }
  return batch ? { batch } : { few };
}
