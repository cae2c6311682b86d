/** Encoder queues with scripted encoders. */
import { onTestFinished } from 'vitest';
import { createEncoderQueue, type EncoderQueue, hostOfThread } from '../../../src/embedding/local/encoder-queue.js';
import { startThread } from '../../../src/thread.js';
import { createManualClock, type ManualClock } from '../../support/manual-clock.js';
import { createTestLog, type TestLog } from './test-local.js';

const WORKER = new URL('./scripted-worker.mjs', import.meta.url);

export interface TestQueue {
  queue: EncoderQueue;
  log: TestLog;
  clock: ManualClock;
  /** The texts that each encoder was given, in the order in which the encoders were started. */
  given: string[][];
}

/** @param name name of the model, which tells the scripted encoders whether to fail at the start */
export function openQueue(name = 'fine'): TestQueue {
  const log = createTestLog();
  const clock = createManualClock();
  const given: string[][] = [];
  const queue = createEncoderQueue(
    { folder: '', name, weights: '' },
    {
      log,
      clock,
      startHost: (source, events) => {
        const texts: string[] = [];
        given.push(texts);
        const host = hostOfThread(startThread(WORKER, source), events);
        return {
          ...host,
          send: request => {
            texts.push(request.text);
            host.send(request);
          },
        };
      },
      onRuntime: () => {},
    },
  );
  onTestFinished(() => queue.close());
  return { queue, log, clock, given };
}

export const numbersOf = (vectors: readonly Float32Array[]) => vectors.map(([number]) => number);
