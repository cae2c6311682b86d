/** The public surface: opening a memory in process, and the types it speaks in. */
export { type Config, ConfigError, type Environment, loadConfig } from './config.js';
export type * from './domain/answers.js';
export { MemoryError } from './domain/errors.js';
export type { Memory, MemoryPatch, NewMemory } from './domain/memory.js';
export type { RecallQuery, TagPage } from './domain/recall-query.js';
export type { Statistics } from './domain/statistics.js';
export type { Engine } from './engine/engine.js';
export { type OpenOptions, openEngine } from './engine/open.js';
