/** Composition root: Config into stores, embedder, workers and the engine. */
import type { Config } from '../config.js';
import type { Clock } from '../domain/time.js';
import type { Logger } from '../log.js';
import type { Engine } from './engine.js';

export interface OpenOptions {
  log?: Logger;
  /** Tests pass one they move by hand. */
  clock?: Clock;
}

/**
 * Opens the memory. Undoes everything when a step fails.
 *
 * @throws MemoryError `unavailable` when the data folder is in use or cannot be used
 */
export async function openEngine(config: Config, options: OpenOptions = {}): Promise<Engine> {
  throw new Error(`under construction: ${config.dataDir} ${String(options)}`);
}
