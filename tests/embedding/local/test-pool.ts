/** Encoder pools with scripted encoders, and a record of each encoder. */
import { onTestFinished } from 'vitest';
import { hostOfThread, type StartHost } from '../../../src/embedding/local/encoder-host.js';
import { createEncoderPool, type EncoderPool } from '../../../src/embedding/local/encoder-pool.js';
import { startThread } from '../../../src/thread.js';
import { createManualClock, type ManualClock } from '../../support/manual-clock.js';
import { until } from '../../support/turns.js';
import { createTestLog, type TestLog } from './test-local.js';

const WORKER = new URL('./scripted-worker.mjs', import.meta.url);

export interface StartedEncoder {
  /** True for an encoder started for memories. False for the encoder started for questions. */
  isInBackground: boolean;
  isReady: boolean;
  isEnded: boolean;
  /** Texts that the encoder was given. */
  texts: string[];
}

export interface TestPool {
  pool: EncoderPool;
  log: TestLog;
  clock: ManualClock;
  /** Encoders in the order in which they were started. */
  started: StartedEncoder[];
}

/** @param name name of the model, which tells the scripted encoders whether to fail at the start */
export function openPool(name = 'fine', documentEncoders = 0): TestPool {
  const log = createTestLog();
  const clock = createManualClock();
  const started: StartedEncoder[] = [];
  const startHost: StartHost = (start, events) => {
    const note: StartedEncoder = { isInBackground: start.isInBackground, isReady: false, isEnded: false, texts: [] };
    started.push(note);
    const worker = startThread(WORKER, start);
    worker.once('exit', () => {
      note.isEnded = true;
    });
    worker.once('message', () => {
      note.isReady = true;
    });
    const host = hostOfThread(worker, events);
    return {
      ...host,
      send: request => {
        note.texts.push(request.text);
        host.send(request);
      },
    };
  };
  const source = { folder: '', name, weights: '' };
  const pool = createEncoderPool(source, { log, clock, documentEncoders, startHost, onRuntime: () => {} });
  onTestFinished(() => pool.close());
  return { pool, log, clock, started };
}

/** Opens a pool in which the maximum number of encoders has been started, and waits until all are ready. */
export async function openBusyPool(documentEncoders: number): Promise<TestPool> {
  const test = openPool('fine', documentEncoders);
  await test.pool.encode(['question'], 'query');
  await test.pool.encode(texts(20), 'document');
  await until(() => test.started.length === documentEncoders + 1 && test.started.every(({ isReady }) => isReady));
  return test;
}

export const texts = (count: number) => Array.from({ length: count }, (_, index) => 'x'.repeat(index + 1));

export const numbersOf = (vectors: readonly Float32Array[]) => vectors.map(([number]) => number);
