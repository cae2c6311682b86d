/**
 * Notices that the process which started this one has ended. `npm start` puts a shell between npm and this process. A
 * SIGTERM that npm receives ends only npm and the shell.
 */

const CHECK_EVERY_MS = 500;

/**
 * Calls `onGone` once if npm started this process and the shell in between ends. On Windows nothing is called, because
 * there a process keeps the id of its parent.
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
