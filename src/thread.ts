/** Starts threads in this process. */
import { Worker } from 'node:worker_threads';

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
