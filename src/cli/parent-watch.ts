/**
 * Detects that the parent process has ended. `npm start` runs this process in a shell. A SIGTERM to npm ends only npm
 * and the shell, so this process must detect their end.
 */

const CHECK_EVERY_MS = 500;

/**
 * Calls `onGone` once when the parent process has ended, but only if npm started this process. On Windows it never
 * calls `onGone`, because `process.ppid` stays the same there after the parent has ended.
 */
export function watchParent(environment: NodeJS.ProcessEnv, onGone: () => void): void {
  if (environment.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, CHECK_EVERY_MS);
  timer.unref();
}
