/** Starts threads in this process. */
import { Worker } from 'node:worker_threads';

/**
 * Starts a thread. The stdout of the thread is destroyed: output of packages must not reach the stdout of the process,
 * which MCP uses, and an open stream would keep the process alive. Flags of the process, such as a script on the
 * command line, are not passed on.
 *
 * @param file a compiled file
 */
export function startThread(file: URL, workerData: unknown): Worker {
  const worker = new Worker(file, { workerData, stdout: true, execArgv: [] });
  worker.stdout.destroy();
  return worker;
}
