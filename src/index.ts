/** The public interface: opens a memory in process, and exports its types. */
import type { Config } from './config.js';
import type { Engine } from './engine/engine.js';
import { type OpenOptions, openEngine as open } from './engine/open.js';
import { readOnly } from './engine/read-only.js';

export { type Config, ConfigError, type Environment, loadConfig } from './config.js';
export { MemoryError } from './domain/errors.js';
export type { Memory, MemoryPatch, NewMemory } from './domain/memory.js';
export type * from './domain/recall.js';
export type { Relation, RelationEntry } from './domain/relation.js';
export type * from './domain/reports.js';
export type * from './domain/results.js';
export type { Engine } from './engine/engine.js';
export type { OpenOptions } from './engine/open.js';

/**
 * Opens the memory in this process. With ENGRAPH_READ_ONLY the memory refuses all writes and records no accesses.
 *
 * @throws MemoryError `unavailable` when the data folder is in use or unusable, `invalid` when the requested embeddings
 * are not available with these settings
 */
export async function openEngine(config: Config, options?: OpenOptions): Promise<Engine> {
  const engine = await open(config, options);
  return config.isReadOnly ? readOnly(engine) : engine;
}
