/**
 * Protects the process against closed output, stray output and unhandled rejections, and flushes its output before it
 * ends.
 */
import { Console } from 'node:console';
import { availableParallelism, loadavg } from 'node:os';
import type { Logger } from '../log.js';

const FLUSH_DEADLINE_MS = 500;

/**
 * Listens for errors of the output streams. Otherwise the process would crash when the reader of its output closes the
 * pipe early.
 */
export function tolerateClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** Redirects output of libraries to stderr, because other text on stdout would break the protocol. */
export function keepConsoleOffStdout(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}

/** Logs an unhandled rejection as an internal error, and keeps the service running. */
export function logUnhandledRejections(log: Logger): void {
  process.on('unhandledRejection', reason => log.error('Unhandled rejection', reason));
}

/** Flushes buffered output within a time limit, then ends the process. */
export async function exitWhenFlushed(exitCode: number): Promise<never> {
  const deadline = setTimeout(() => process.exit(exitCode), FLUSH_DEADLINE_MS);
  await Promise.all([process.stdout, process.stderr].map(flush));
  clearTimeout(deadline);
  process.exit(exitCode);
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => {
    stream.write('', () => resolve());
  });
}

export class LateError extends Error {
  override readonly name = 'LateError';
}

/** Says how busy the machine is. Undefined if it is not, and on Windows, which does not report its load. */
export function busyNote(): string | undefined {
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  return load > cores ? `The machine is busy (load ${load.toFixed(1)} on ${cores} cores)` : undefined;
}
