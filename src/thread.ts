/** Threads of this process. */
import { Worker } from 'node:worker_threads';

/**
 * Starts a thread. Nothing that a package prints may get to stdout, which is the wire of MCP; a stream that is merely read, or
 * left alone, would keep the process alive. Flags of the process, such as that for a script on the command line, are not for
 * the thread.
 *
 * @param file a compiled one
 */
export function startThread(file: URL, workerData: unknown): Worker {
  const worker = new Worker(file, { workerData, stdout: true, execArgv: [] });
  worker.stdout.destroy();
  return worker;
}
