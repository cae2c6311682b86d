/** Receives new records in parts, so that the batch thread can work while later records are still being made. */
import { partsOf } from '../../domain/parts.js';
import { yieldToEventLoop } from '../../event-loop.js';
import type { NewRecord } from '../ports/memory-store.js';
import type { Batch, BatchWriter } from './batch-writer.js';

/** Maximum number of records that are saved on this thread. More records are saved on the batch thread. */
const FEW_RECORDS = 5;
/** Number of records in a part of `inSmallParts`. Sending a large batch in one message would block this thread. */
const PART = 5;

export async function* inSmallParts(records: readonly NewRecord[]): AsyncGenerator<readonly NewRecord[]> {
  for (const part of partsOf(records, PART)) {
    yield part;
    await yieldToEventLoop();
  }
}

/**
 * Collects records, or adds them to a new batch if there are many.
 *
 * @throws the error of `parts`; then the batch is dropped
 */
export async function addInParts(
  parts: AsyncIterable<readonly NewRecord[]>,
  { open }: Pick<BatchWriter, 'open'>,
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
