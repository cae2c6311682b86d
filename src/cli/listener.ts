/** The REST interface over an open engine. */
import type { Config } from '../config.js';
import type { Engine } from '../engine/engine.js';
import type { Listener } from '../http/listen.js';
import type { TrafficMetrics } from '../http/metrics/traffic-metrics.js';
import type { Logger } from '../log.js';

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
  const [{ createHttpApp }, { createMemoryApp }, { listen }] = await Promise.all([
    import('../http/app.js'),
    import('../http/memory-app.js'),
    import('../http/listen.js'),
  ]);
  const { host, port } = config;
  return listen(
    createHttpApp({
      memory: createMemoryApp(engine, log).fetch,
      limits: engine.limits,
      settings: config,
      log,
      ...(metrics && { metrics }),
    }),
    { host, port, log },
  );
}
