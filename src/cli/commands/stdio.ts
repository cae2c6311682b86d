/** `engraph` without a command: MCP over stdin and stdout, with the REST interface beside it. */
import type { Config } from '../../config.js';
import { MemoryError } from '../../domain/errors.js';
import type { ToolCallObserver } from '../../domain/tool-call.js';
import type { Engine } from '../../engine/engine.js';
import { openEngine } from '../../engine/open.js';
import { assertSafeToListen } from '../../http/guards.js';
import type { Logger } from '../../log.js';
import { createMcpServer } from '../../mcp/server.js';
import { serveStdio } from '../../mcp/stdio.js';
import type { CommandParts } from '../command.js';
import { startListener } from '../listener.js';
import { keepConsoleOffStdout } from '../process-guards.js';
import { type Run, runUntilStopped } from '../run-until-stopped.js';

/**
 * @returns the exit code, once the client has gone or a signal has come
 * @throws MemoryError when the data folder is in use, or listening would be unsafe
 */
export function runStdio({ config, log, version }: CommandParts): Promise<number> {
  keepConsoleOffStdout();
  return runUntilStopped(log, async run => {
    assertSafeToListen(config.host, config.apiToken);
    const engine = await openEngine(config, { log });
    run.closeLater(() => engine.close());
    let observeToolCall: ToolCallObserver | undefined;
    const server = createMcpServer({
      engine,
      content: config.content,
      version,
      log,
      observeCall: tool => observeToolCall?.(tool),
    });
    const session = await serveStdio(server, { onClose: reason => run.stop(reason), log });
    run.closeLater(() => session.close());
    observeToolCall = await listenBeside(run, engine, { ...config, version }, log);
  });
}

/**
 * The assistant can do without REST: several processes of one user would all want the same port.
 *
 * @returns what counts calls of tools for the metrics; nothing where no listener shows them
 */
async function listenBeside(
  run: Run,
  engine: Engine,
  config: Config & { version: string },
  log: Logger,
): Promise<ToolCallObserver | undefined> {
  try {
    const listener = await startListener(engine, config, log);
    run.closeLater(() => listener.close());
    log.info(`REST is listening on ${listener.url}`);
    return listener.observeToolCall;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    log.warn(`${error.message}; MCP goes on without the REST interface`);
    return undefined;
  }
}
