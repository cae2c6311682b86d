/** The indexes of schema version 1, by `Label.property`. */
import { NODE_KINDS } from '../../ports/node-store.js';

/**
 * The index by which nodes of version 1 are found. Version 2 keeps it, because an older Engraph that is still running
 * may write such nodes later.
 */
export const FINDING_VERSION_1 = 'Memory.id_rank';

const WORK = ['embed', 'enrich'].flatMap(kind => [`${kind}_due_ms`, `${kind}_state`]);
const INDEX = ['id', 'tag_tokens', 'importance', 'timestamp_ms', 'updated_ms', 'holds_from_ms', 'holds_until_ms'];

/** Indexes that version 2 drops, because it never uses them. */
export const FORMER_INDEXES: Readonly<Record<string, readonly string[]>> = {
  Memory: ['model', ...WORK],
  MemoryIndex: INDEX,
  StaleVector: ['id', 'note'],
  Lease: ['name'],
  ...Object.fromEntries(NODE_KINDS.map(label => [label, ['updated_ms']])),
};
export const FORMER_WORDS = 'MemoryIndex.words';
