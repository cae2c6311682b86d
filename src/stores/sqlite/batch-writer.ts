/** Runs slow operations on the file in a thread of its own, which starts on first use. */

import type { Worker } from 'node:worker_threads';
import { MemoryError } from '../../domain/errors.js';
import { endThread, startThread } from '../../thread.js';
import type { NewRecord, SaveOutcome } from '../ports/memory-store.js';
import type { BatchReply, BatchRequest, BatchThreadData, CheckpointReply } from './batch-messages.js';

/** New memories that are sent to the thread in parts, and then written together or not at all. */
export interface Batch {
  /** Number of records that were added. */
  readonly count: number;
  /** Sends records to the thread, which computes the values of their rows without waiting for `save`. */
  add(records: readonly NewRecord[]): void;
  /**
   * Writes all records or none. Only one batch may be saved at a time, and no other write to the file may run at the
   * same time.
   *
   * @returns the outcome of each record, and the rows of the vectors that were written
   * @throws MemoryError like `saveMemories`, or `unavailable` when the thread fails. If the thread failed after the commit,
   * all records were written, and otherwise none
   */
  save(): Promise<{ outcomes: SaveOutcome[]; vectorRows: number[] }>;
  /** Discards the records that were added. */
  drop(): void;
}

export interface BatchWriter {
  /** Starts a batch. Several batches can be open at once. */
  open(): Batch;
  /**
   * Writes the log of changes back into the file. Never rejects, because a failed checkpoint can be repeated at any
   * time.
   */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

export function createBatchWriter(data: BatchThreadData): BatchWriter {
  let thread: Worker | undefined;
  let lastBatch = 0;

  const start = (): Worker => {
    const started = startThread(new URL('./batch-thread.js', import.meta.url), data);
    started.on('error', () => undefined);
    // Only a batch with a waiting caller keeps the process alive.
    started.unref();
    started.once('exit', () => {
      if (thread === started) thread = undefined;
    });
    return started;
  };

  return {
    open: () => {
      thread ??= start();
      return createBatch(thread, ++lastBatch);
    },
    checkpoint: () => {
      thread ??= start();
      const asked = thread;
      asked.postMessage({ kind: 'checkpoint' } satisfies BatchRequest);
      return new Promise(resolve => {
        const settle = () => {
          asked.off('message', onMessage).off('exit', settle);
          resolve();
        };
        const onMessage = (reply: BatchReply | CheckpointReply) => {
          if ('isCheckpoint' in reply) settle();
        };
        asked.on('message', onMessage).on('exit', settle);
      });
    },
    close: async () => {
      const ending = thread;
      thread = undefined;
      if (ending) await endThread(ending);
    },
  };
}

function createBatch(thread: Worker, batch: number): Batch {
  const post = (request: BatchRequest) => thread.postMessage(request);
  let count = 0;
  return {
    get count() {
      return count;
    },
    add: records => {
      count += records.length;
      post({ kind: 'add', batch, records });
    },
    save: async () => {
      // A thread that has ended has lost the records, and sends neither a reply nor an event.
      if (hasEnded(thread)) throw failed('the thread has ended');
      thread.ref();
      const reply = replyOf(thread);
      post({ kind: 'save', batch, count });
      const answer = await reply;
      thread.unref();
      if ('outcomes' in answer) return answer;
      const { code, message, context } = answer.failure;
      throw new MemoryError(code, message, context);
    },
    drop: () => post({ kind: 'drop', batch }),
  };
}

function hasEnded(thread: Worker): boolean {
  return thread.threadId === -1;
}

/** @throws MemoryError `unavailable` when the thread ends without a reply */
function replyOf(thread: Worker): Promise<BatchReply> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      action();
    };
    const onMessage = (reply: BatchReply | CheckpointReply) => {
      if (!('isCheckpoint' in reply)) settle(() => resolve(reply));
    };
    const onError = (error: Error) => settle(() => reject(failed(error.message)));
    const onExit = () => settle(() => reject(failed('the thread has ended')));
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

function failed(reason: string): MemoryError {
  return new MemoryError('unavailable', `The batch could not be saved: ${reason}`);
}
