/** Keeps the process from dying of what is not its fault, and ends it without losing output. */
import { Console } from 'node:console';
import type { Logger } from '../log.js';

const FLUSH_DEADLINE_MS = 500;

/** A reader of our output that goes away early is no reason to crash; without a listener it would be. */
export function tolerateClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** Sends what a library prints to stderr: on stdout it would break the protocol. */
export function keepConsoleOffStdout(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}

/** A rejection nobody waits for is a fault of ours, yet the memory goes on serving. */
export function logUnhandledRejections(log: Logger): void {
  process.on('unhandledRejection', reason => log.error('Unhandled rejection', reason));
}

/** Writes out what is still buffered, for a bounded time, and ends the process. */
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
