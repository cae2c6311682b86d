/** `engraph serve`: serves REST and MCP over HTTP in the foreground. */
import { MemoryError } from '../../domain/errors.js';
import { systemClock } from '../../engine/clock.js';
import { assertSafeToListen } from '../../http/guards.js';
import { shareMemory } from '../../sharing/shared-memory.js';
import type { CommandParts } from '../command.js';
import { startListener } from '../listener.js';
import { runUntilStopped } from '../process-guards.js';

/**
 * @returns the exit code, after the command has been stopped
 * @throws MemoryError when the data folder cannot be used, the port is taken, or listening would be unsafe
 */
export function runServe({ config, log, version, environment }: CommandParts): Promise<number> {
  return runUntilStopped(log, async run => {
    assertSafeToListen(config.host, config.apiToken);
    const memory = shareMemory({ config, version, log, clock: systemClock });
    run.closeLater(() => memory.close());
    const owner = await memory.open();
    const listener = await startListener({ memory, config, version, log }).catch(error => {
      throw owner ? withOwner(error, owner.pid) : error;
    });
    run.closeLater(() => listener.close());
    watchParent(environment, () => run.stop('npm has ended'));
    if (config.logFormat === 'json') log.info(`listening on ${listener.url}`);
    else process.stderr.write(`engraph is listening on ${listener.url}\n`);
  });
}

/** Names the process that has the memory open, because that process often uses the port too. */
function withOwner(error: unknown, pid: number): unknown {
  if (!(error instanceof MemoryError)) return error;
  const hint = `Process ${pid} has this memory open and may serve it there already. ${error.hint ?? ''}`.trim();
  return new MemoryError(error.code, error.message, { hint, cause: error });
}

const CHECK_EVERY_MS = 500;

/**
 * Calls `onGone` once when the parent process has ended, but only if npm started this process. On Windows it never
 * calls `onGone`, because `process.ppid` stays the same there after the parent has ended.
 */
function watchParent(environment: NodeJS.ProcessEnv, onGone: () => void): void {
  if (environment.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, CHECK_EVERY_MS);
  timer.unref();
}
