/** What the graph knows of the vectors of its memories. */
import type { PageRequest } from './memory-store.js';

/** What the graph knows of a memory's vector. */
export interface VectorState {
  id: string;
  /** Model that made the vector which the vector store should hold; absent: none yet. */
  embeddedBy?: string;
  /** Whether its embedding waits or is in flight. */
  isPending: boolean;
  /** Whether its embedding has failed for good. */
  hasFailed: boolean;
}

/** A note that a vector no longer matches its memory, which was removed, or whose tags, times or archiving changed. */
export interface StaleVector {
  id: string;
  /** Names this note: one made later of the same memory has another. */
  token: string;
}

export interface VectorLedger {
  vectorStates(page: PageRequest): Promise<VectorState[]>;
  /** Memories that have a vector, as far as the graph knows; with models given, one that any of them made. */
  countEmbedded(models?: readonly string[]): Promise<number>;
  /** Notes of vectors to be removed or given their new payload, oldest first. They outlast a crash. */
  staleVectors(limit: number): Promise<StaleVector[]>;
  /** Forgets notes; one that was made again meanwhile stays. */
  settleStaleVectors(tokens: readonly string[]): Promise<void>;
}
