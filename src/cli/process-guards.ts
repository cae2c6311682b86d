/**
 * Protects the process against closed output, stray output and unhandled rejections, runs until it is stopped, and
 * flushes its output before it ends.
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

/** Time limit for closing. This limit and the one for flushing the output are together below five seconds. */
const CLOSE_DEADLINE_MS = 4000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface RunningCommand {
  /** Registers a resource to close. Resources are closed in reverse order. */
  closeLater(close: () => Promise<void>): void;
  /** Starts the shutdown. Only the first call has an effect. */
  stop(reason: string, exitCode?: number): void;
}

/**
 * Runs `start`, waits for a signal or `stop`, then closes everything in reverse order. A stop during the start takes
 * effect when the start is done. If closing is not done within a time limit after the stop, the process ends anyway.
 *
 * @returns the exit code
 * @throws the error of `start`, after closing all resources that it had registered
 */
export async function runUntilStopped(log: Logger, start: (run: RunningCommand) => Promise<void>): Promise<number> {
  const closers: (() => Promise<void>)[] = [];
  const { stopped, stop, dispose } = watchForStop(log);
  try {
    await start({ closeLater: close => closers.push(close), stop });
    return await stopped;
  } catch (error) {
    stop('the start failed', 1);
    throw error;
  } finally {
    await closeInReverse(closers, log);
    dispose();
  }
}

function watchForStop(log: Logger) {
  let deadline: NodeJS.Timeout | undefined;
  let announce: (exitCode: number) => void;
  const stopped = new Promise<number>(resolve => {
    announce = resolve;
  });
  const stop = (reason: string, exitCode = 0) => {
    if (deadline !== undefined) return;
    log.debug(`stopping: ${reason}`);
    deadline = setTimeout(() => {
      log.error('Closing took too long; the process ends anyway');
      process.exit(1);
    }, CLOSE_DEADLINE_MS);
    announce(exitCode);
  };
  const onSignal = (signal: NodeJS.Signals) => stop(signal);
  const onUncaught = (error: unknown) => {
    log.error('Uncaught error', error);
    stop('an uncaught error', 1);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('uncaughtException', onUncaught);
  const dispose = () => {
    clearTimeout(deadline);
    // Keep the signal handlers, because a signal during the last flush must not end the process early.
    process.off('uncaughtException', onUncaught);
  };
  return { stopped, stop, dispose };
}

async function closeInReverse(closers: readonly (() => Promise<void>)[], log: Logger): Promise<void> {
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      log.error('Closing failed', error);
    }
  }
}
