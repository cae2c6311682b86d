/** `engraph` without a command: MCP over stdin and stdout, with the REST interface beside it. */
import { MemoryError } from '../../domain/errors.js';
import { openEngine } from '../../engine/open.js';
import { readOnly } from '../../engine/read-only.js';
import { assertSafeToListen } from '../../http/guards.js';
import type { Listener } from '../../http/listen.js';
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
    // Before the first call of a tool, which may come at once.
    const { createTrafficMetrics } = await import('../../http/metrics/traffic-metrics.js');
    const metrics = createTrafficMetrics();
    const observeCall = metrics.observeToolCall;
    const { createMemoryApp } = await import('../../http/memory-app.js');
    const { createHandlers } = await import('../../mcp/handlers.js');
    const { createClient } = await import('../../client/client.js');
    const app = createMemoryApp(config.isReadOnly ? readOnly(engine) : engine, log);
    const fetch = (url: string, init: RequestInit) => app.fetch(new Request(url, init));
    const memory = createClient({ url: 'http://memory', fetch });
    const { content, isReadOnly } = config;
    const handlers = createHandlers({ memory, limits: engine.limits, content, log, observeCall, isReadOnly });
    const server = createMcpServer({ content, version, isReadOnly, handlers: async () => handlers });
    const session = await serveStdio(server, { onClose: reason => run.stop(reason), log });
    run.closeLater(() => session.close());
    await listenBeside(run, log, () => startListener(engine, { ...config, version }, log, metrics));
  });
}

/** The assistant can do without REST: several processes of one user would all want the same port. */
async function listenBeside(run: Run, log: Logger, start: () => Promise<Listener>): Promise<void> {
  try {
    const listener = await start();
    run.closeLater(() => listener.close());
    log.info(`REST is listening on ${listener.url}`);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    log.warn(`${error.message}; MCP goes on without the REST interface`);
  }
}
