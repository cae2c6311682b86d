/**
 * The end of a thread that uses SQLite. It is asked to end and never stopped: the library ends the whole process when a
 * thread is stopped within one of its calls.
 */
import type { Worker } from 'node:worker_threads';
import pTimeout from 'p-timeout';

/** The last message of a thread. */
export const END = 'end';

/** Shared with the thread, which looks at it between two steps of long work. */
export type StopFlag = Int32Array<SharedArrayBuffer>;

/** Closing waits no longer than this for a call of the library. */
const DEADLINE_MS = 1_500;

export function createStopFlag(): StopFlag {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

export function isStopping(flag: StopFlag): boolean {
  return Atomics.load(flag, 0) === 1;
}

/**
 * Asks a thread to end.
 *
 * @param flag absent for a thread without long work of its own
 */
export function askToEnd(worker: Worker, flag?: StopFlag): void {
  if (flag) Atomics.store(flag, 0, 1);
  worker.postMessage(END);
}

/** Resolves when the thread has ended, or will not soon. */
export async function endThread(worker: Worker, flag?: StopFlag): Promise<void> {
  if (worker.threadId === -1) return;
  // An unreferenced thread would let the process end before this has resolved.
  worker.ref();
  const exited = new Promise<void>(resolve => worker.once('exit', () => resolve()));
  askToEnd(worker, flag);
  await pTimeout(exited, { milliseconds: DEADLINE_MS, message: false });
  worker.unref();
}
