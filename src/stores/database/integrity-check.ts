/** Whether a file is sound, found out behind the answers. */
import { Worker } from 'node:worker_threads';
import type { Integrity } from '../storage-state.js';
import type { CheckData } from './check-data.js';
import { askToEnd, createStopFlag, endThread } from './thread-end.js';

/** A thread needs a compiled file; the tests run the sources, with the file that `npm test` has built just before. */
const THREAD_URL = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/stores/database/check-thread.js' : './check-thread.js',
  import.meta.url,
);

/** Other failures say nothing about the file. */
const IS_DAMAGE = /malformed|not a database|corrupt/i;

export interface IntegrityCheck {
  readonly result: Integrity;
  /** Resolves when the check has ended. */
  done: Promise<void>;
  stop(): Promise<void>;
}

export function startIntegrityCheck(path: string): IntegrityCheck {
  let result: Integrity = { state: 'checking' };
  const workerData: CheckData = { path, stopFlag: createStopFlag() };
  const thread = new Worker(THREAD_URL, { workerData, stdout: true, execArgv: [] });
  thread.stdout.destroy();
  thread.unref();
  thread.on('message', (problems: string[]) => {
    result = problems.length === 0 ? { state: 'sound' } : { state: 'damaged', problem: problems.join('; ') };
    askToEnd(thread, workerData.stopFlag);
  });
  const done = new Promise<void>(resolve => {
    thread.on('error', error => {
      if (IS_DAMAGE.test(error.message)) result = { state: 'damaged', problem: error.message };
      resolve();
    });
    thread.on('exit', () => {
      if (result.state === 'checking') result = { state: 'unchecked' };
      resolve();
    });
  });
  return {
    get result() {
      return result;
    },
    done,
    stop: () => endThread(thread, workerData.stopFlag),
  };
}
