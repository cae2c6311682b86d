/** Runs slow operations on the file in a thread of its own, which starts on first use. */

import type { Worker } from 'node:worker_threads';
import { MemoryError } from '../../domain/errors.js';
import { partsOf } from '../../domain/parts.js';
import { yieldToEventLoop } from '../../event-loop.js';
import { startThread } from '../../thread.js';
import { endThread } from '../database/thread-end.js';
import type { NewRecord, SaveOutcome } from '../ports/memory-store.js';
import type { BatchReply, BatchRequest, BatchThreadData, CheckpointReply } from './batch-messages.js';

/** Number of records in one message. */
const PART = 5;

export interface BatchWriter {
  /**
   * Writes all records or none. Only one call may run at a time, and no other write to the file may run at the same
   * time.
   *
   * @returns the outcome of each record, and the rows of the vectors that were written
   * @throws MemoryError like `saveMemories`, or `unavailable` when the thread fails, in which case nothing was written
   */
  save(records: readonly NewRecord[]): Promise<{ outcomes: SaveOutcome[]; vectorRows: number[] }>;
  /**
   * Writes the log of changes back into the file. Never rejects, because a failed checkpoint can be repeated at any
   * time.
   */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

export function createBatchWriter(data: BatchThreadData): BatchWriter {
  let thread: Worker | undefined;

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
    save: async records => {
      thread ??= start();
      const asked = thread;
      asked.ref();
      const reply = replyOf(asked);
      // If sending fails, nothing awaits this reply, so this handler prevents an unhandled rejection.
      reply.catch(() => undefined);
      const post = (request: BatchRequest) => asked.postMessage(request);
      for (const [index, part] of partsOf(records, PART).entries()) {
        post({ kind: 'add', records: part, isFirst: index === 0 });
        await yieldToEventLoop();
      }
      post({ kind: 'save' });
      const answer = await reply;
      asked.unref();
      if ('outcomes' in answer) return answer;
      const { code, message, context } = answer.failure;
      throw new MemoryError(code, message, context);
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
