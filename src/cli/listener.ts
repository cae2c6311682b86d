/** The REST interface over an open engine. */
import type { Config } from '../config.js';
import type { ToolCallObserver } from '../domain/tool-call.js';
import type { Engine } from '../engine/engine.js';
import type { Listener } from '../http/listen.js';
import type { Logger } from '../log.js';

export interface RunningListener extends Listener {
  /** Counts calls of tools among the metrics that it shows. */
  observeToolCall: ToolCallObserver;
}

/**
 * Starts to listen. The HTTP parts are loaded only now, when whatever is more urgent has started.
 *
 * @throws MemoryError `unavailable` when the port is taken
 */
export async function startListener(
  engine: Engine,
  config: Config & { version: string },
  log: Logger,
): Promise<RunningListener> {
  const [{ createHttpApp }, { createTrafficMetrics }, { listen }] = await Promise.all([
    import('../http/app.js'),
    import('../http/metrics/traffic-metrics.js'),
    import('../http/listen.js'),
  ]);
  const { host, port } = config;
  const metrics = createTrafficMetrics();
  const listener = await listen(createHttpApp({ engine, settings: config, log, metrics }), { host, port, log });
  return { ...listener, observeToolCall: metrics.observeToolCall };
}
