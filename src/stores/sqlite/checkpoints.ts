/**
 * Decides when the log of changes is written back into the file. SQLite would write the log back within a commit, on
 * the thread that answers requests, and a large log would take seconds. The batch thread writes the log back instead.
 */
import { statSync } from 'node:fs';

/** Size of the log at which the log is written back. */
const LOG_BYTES = 8 * 1_048_576;
const COMMITS_PER_CHECK = 16;

/** @returns a function that must be called after each commit; it never throws */
export function createCheckpoints(path: string, checkpoint: () => Promise<void>): () => void {
  const logPath = `${path}-wal`;
  let commits = 0;
  let isRunning = false;
  const run = async () => {
    if ((statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) >= LOG_BYTES) await checkpoint();
  };
  return () => {
    commits += 1;
    if (isRunning || commits % COMMITS_PER_CHECK !== 0) return;
    isRunning = true;
    // A failed checkpoint is tried again after some more commits, and when the store is closed.
    run()
      .catch(() => undefined)
      .finally(() => {
        isRunning = false;
      });
  };
}
