/** REST and MCP over HTTP, over an open engine. */
import type { Config } from '../config.js';
import type { Engine } from '../engine/engine.js';
import { readOnly } from '../engine/read-only.js';
import type { Listener } from '../http/listen.js';
import type { TrafficMetrics } from '../http/metrics/traffic-metrics.js';
import type { Logger } from '../log.js';
import { createMcpEndpoint } from './mcp-endpoint.js';

/**
 * Starts to listen. The HTTP parts are loaded only now, when whatever is more urgent has started.
 *
 * @param metrics to show, where calls of tools are counted in them too
 * @throws MemoryError `unavailable` when the port is taken
 */
export async function startListener(
  engine: Engine,
  config: Config & { version: string },
  log: Logger,
  metrics?: TrafficMetrics,
): Promise<Listener> {
  const [{ createHttpApp }, { createMemoryApp }, { listen }, { createTrafficMetrics }] = await Promise.all([
    import('../http/app.js'),
    import('../http/memory-app.js'),
    import('../http/listen.js'),
    import('../http/metrics/traffic-metrics.js'),
  ]);
  const { host, port } = config;
  const { limits } = engine;
  const counted = metrics ?? createTrafficMetrics();
  const { fetch: memory } = createMemoryApp(config.isReadOnly ? readOnly(engine) : engine, log);
  const mcp = await createMcpEndpoint({ memory, limits, config, log, observeCall: counted.observeToolCall });
  const app = createHttpApp({ memory, limits, settings: config, log, metrics: counted, mcp });
  return listen(app, { host, port, log, streams: mcp });
}
