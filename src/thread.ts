/** Starts and ends threads in this process. */

import { Worker } from 'node:worker_threads';
import pTimeout from 'p-timeout';

/**
 * Maximum size of the heap for new objects of a thread. The threads keep their data outside of this heap. With the
 * default maximum, up to 40 megabytes of garbage would stay in memory for longer.
 */
const NEW_OBJECTS_MAX_MB = 8;

/**
 * Starts a thread. The stdout of the thread is destroyed, because MCP uses the stdout of the process, and output of
 * packages must not reach it. An open stream would also keep the process alive. Node's flags of the process, such as
 * `--eval` with a script, are not passed on.
 *
 * @param file a compiled file
 */
export function startThread(file: URL, workerData: unknown): Worker {
  const worker = new Worker(file, {
    workerData,
    stdout: true,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: NEW_OBJECTS_MAX_MB },
  });
  worker.stdout.destroy();
  return worker;
}

/** The last message that a thread receives. It asks the thread to end. */
export const END = 'end';

/** A flag that is shared with the thread. The thread checks the flag between two steps of long work. */
export type StopFlag = Int32Array<SharedArrayBuffer>;

/** Maximum time to wait for a call of the library that is still running when the thread must end. */
const DEADLINE_MS = 1_500;

export function createStopFlag(): StopFlag {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

export function isStopping(flag: StopFlag): boolean {
  return Atomics.load(flag, 0) === 1;
}

/**
 * Asks a thread to end. A thread that uses SQLite must never be terminated: the library ends the whole process when a
 * thread is terminated within one of its calls.
 *
 * @param flag absent for a thread without long work of its own
 */
export function requestEnd(worker: Worker, flag?: StopFlag): void {
  if (flag) Atomics.store(flag, 0, 1);
  worker.postMessage(END);
}

/** Resolves when the thread has ended, or the deadline has passed. */
export async function endThread(worker: Worker, flag?: StopFlag): Promise<void> {
  if (worker.threadId === -1) return;
  // If the thread were unreferenced, the process could end before this promise resolves.
  worker.ref();
  const exited = new Promise<void>(resolve => worker.once('exit', () => resolve()));
  requestEnd(worker, flag);
  await pTimeout(exited, { milliseconds: DEADLINE_MS, message: false });
  worker.unref();
}
