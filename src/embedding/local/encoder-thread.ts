/** The worker thread seen from outside: it starts when it is needed, and another takes its place when it has failed. */
import type { Worker } from 'node:worker_threads';
import { MemoryError } from '../../domain/errors.js';
import { startThread } from '../../thread.js';
import type { EmbeddingPurpose } from '../embedder.js';
import { createBackoff } from './backoff.js';
import type { EncoderSource } from './encoder.js';
import type { EncodeReply, EncodeRequest } from './messages.js';
import { createTextQueue } from './text-queue.js';

export interface EncoderThreadParts {
  log: { warn(message: string): void };
  clock: { elapsedMs(): number };
  /** As `startEncoder`. */
  startWorker(source: EncoderSource): Worker;
}

export interface EncoderThread {
  /**
   * The vectors of texts, in order, of unit length and of the model's own dimension. A question waits for one text at most,
   * the one that is in work.
   *
   * @throws MemoryError `unavailable` when the model cannot be used, `invalid` when it can but not with one of these texts
   */
  encode(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]>;
  /** Ends the thread, in the middle of a text if need be. What waits fails with `unavailable`. */
  close(): Promise<void>;
}

export function startEncoder(source: EncoderSource): Worker {
  return startThread(new URL('./worker.js', import.meta.url), source);
}

export function createEncoderThread(source: EncoderSource, parts: EncoderThreadParts): EncoderThread {
  const queue = createTextQueue();
  /** For a model that cannot be loaded: each attempt costs a core for a while. */
  const backoff = createBackoff(parts.clock);
  let thread: Worker | undefined;
  let isClosed = false;

  const unavailable = (problem: string, cause?: unknown) =>
    new MemoryError('unavailable', `The local model ${problem}`, { cause });

  /** Gives the worker a text if it is free. Only a busy one keeps the process alive. */
  const proceed = () => {
    const text = queue.next();
    if (text === undefined) return;
    thread ??= start();
    thread.ref();
    thread.postMessage({ text } satisfies EncodeRequest);
  };

  const start = (): Worker => {
    const started = parts.startWorker(source);
    let hasAnswered = false;
    const end = (problem: string, cause?: unknown) => {
      if (thread !== started) return;
      thread = undefined;
      if (!hasAnswered) backoff.fail();
      parts.log.warn(`the local model ${problem}`);
      queue.failAll(unavailable('has failed: see the log', cause));
    };
    started.on('message', (reply: EncodeReply) => {
      if (thread !== started) return;
      hasAnswered = true;
      backoff.succeed();
      started.unref();
      queue.settle(reply);
      proceed();
    });
    started.on('error', error => end(`has failed: ${error.message}`, error));
    started.on('exit', code => end(`has ended with code ${code}`));
    return started;
  };

  return {
    encode: async (texts, purpose) => {
      if (isClosed) throw unavailable('is closed');
      if (!thread && !backoff.isDue()) throw unavailable('has failed and is tried again later: see the log');
      const vectors = queue.add(texts, purpose);
      proceed();
      return vectors;
    },
    close: async () => {
      isClosed = true;
      const ending = thread;
      thread = undefined;
      queue.failAll(unavailable('is closed'));
      await ending?.terminate();
    },
  };
}
