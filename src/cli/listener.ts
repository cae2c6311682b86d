/** The REST interface over the memory, wherever that is open. */
import type { Config } from '../config.js';
import type { Listener } from '../http/listen.js';
import type { MemoryFetch } from '../http/memory-app.js';
import type { TrafficMetrics } from '../http/metrics/traffic-metrics.js';
import type { Logger } from '../log.js';

export interface ListenerParts {
  memory: MemoryFetch;
  config: Config;
  /** Of the package. */
  version: string;
  log: Logger;
  /** To show, where calls of tools are counted in them too. */
  metrics?: TrafficMetrics;
}

/**
 * Starts to listen. The HTTP parts are loaded only now, when whatever is more urgent has started.
 *
 * @throws MemoryError `unavailable` when the port is taken
 */
export async function startListener({ memory, config, version, log, metrics }: ListenerParts): Promise<Listener> {
  const [{ createHttpApp }, { listen }] = await Promise.all([import('../http/app.js'), import('../http/listen.js')]);
  const { host, port, input: limits } = config;
  const settings = { ...config, version };
  return listen(createHttpApp({ memory, limits, settings, log, ...(metrics && { metrics }) }), { host, port, log });
}
