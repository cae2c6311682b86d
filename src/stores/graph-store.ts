/** The source of truth: memories with their tags, text, edges and pending work, and nodes other than memories. */

import type { Adopter } from './ports/adopter.js';
import type { EdgeStore } from './ports/edge-store.js';
import type { Figures } from './ports/figures.js';
import type { Leases } from './ports/leases.js';
import type { MemoryStore } from './ports/memory-store.js';
import type { NodeStore } from './ports/node-store.js';
import type { SearchIndex } from './ports/search-index.js';
import type { VectorLedger } from './ports/vector-ledger.js';
import type { WordUpkeep } from './ports/word-upkeep.js';
import type { WorkQueue } from './ports/work-queue.js';

/** Everything that a backend offers. Each part of the engine depends only on the interfaces that it uses. */
export interface GraphStore
  extends MemoryStore,
    SearchIndex,
    EdgeStore,
    NodeStore,
    Figures,
    WorkQueue,
    Leases,
    VectorLedger,
    WordUpkeep,
    Adopter {
  /** Kind and location of the store, for people to read. */
  readonly description: string;
  /** Name of the graph. */
  readonly name: string;
  /**
   * Whether the graph also holds the vectors. If so, each vector is written, changed and removed in the transaction of
   * its memory, and the vector store only reads the vectors.
   */
  readonly holdsVectors: boolean;
  /** Rejects when the store cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
