/** The public surface: opening a memory in process, and the types it speaks in. */
export { type Config, ConfigError, type Environment, loadConfig } from './config.js';
export { MemoryError } from './domain/errors.js';
export type { ReembedReport, SyncReport } from './domain/maintenance.js';
export type { Memory, MemoryPatch, NewMemory } from './domain/memory.js';
export type { RecallQuery, TagPage } from './domain/recall-query.js';
export type * from './domain/recall-results.js';
export type { Relation, RelationEntry } from './domain/relation.js';
export type * from './domain/results.js';
export type { Statistics } from './domain/statistics.js';
export type * from './domain/status.js';
export type * from './domain/why-not.js';
export type { Engine } from './engine/engine.js';
export { type OpenOptions, openEngine } from './engine/open.js';
