/** `engraph serve`: the REST interface in the foreground. */
import { openEngine } from '../../engine/open.js';
import { assertSafeToListen } from '../../http/guards.js';
import type { CommandParts } from '../command.js';
import { startListener } from '../listener.js';
import { runUntilStopped } from '../run-until-stopped.js';

/**
 * @returns the exit code, once stopped
 * @throws MemoryError when the data folder or the port is in use, or listening would be unsafe
 */
export function runServe({ config, log, version }: CommandParts): Promise<number> {
  return runUntilStopped(log, async run => {
    assertSafeToListen(config.host, config.apiToken);
    const engine = await openEngine(config, { log });
    run.closeLater(() => engine.close());
    const listener = await startListener(engine, { ...config, version }, log);
    run.closeLater(() => listener.close());
    if (config.logFormat === 'json') log.info(`listening on ${listener.url}`);
    else process.stderr.write(`engraph is listening on ${listener.url}\n`);
  });
}
