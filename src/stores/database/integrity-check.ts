/** Checks in the background whether a file is damaged. */
import { createStopFlag, endThread, requestEnd, type StopFlag, startThread } from '../../thread.js';
import type { Integrity } from '../store-watch.js';

/** Matches messages of failures that prove damage. Other failures do not prove damage. */
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
  const thread = startThread(new URL('./check-thread.js', import.meta.url), workerData);
  thread.unref();
  thread.on('message', (problems: string[]) => {
    result = problems.length === 0 ? { state: 'sound' } : { state: 'damaged', problem: problems.join('; ') };
    requestEnd(thread, workerData.stopFlag);
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

export interface CheckData {
  path: string;
  stopFlag: StopFlag;
}
