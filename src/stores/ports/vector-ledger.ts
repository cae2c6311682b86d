/** The graph's records about the vectors of its memories. */
import type { PageRequest } from './memory-store.js';

/** The graph's record about the vector of one memory. */
export interface VectorState {
  id: string;
  /** Model of the vector that the vector store should contain; absent if the memory has no vector yet. */
  embeddedBy?: string;
  /** Whether the embedding is queued or in flight. */
  isPending: boolean;
  /** Whether the embedding has failed for good. */
  hasFailed: boolean;
}

/**
 * A note that a vector no longer matches its memory: the memory was removed, or its tags, times or archiving changed.
 */
export interface StaleVector {
  id: string;
  /** Identifies this note. A later note about the same memory has a different token. */
  token: string;
}

export interface VectorLedger {
  vectorStates(page: PageRequest): Promise<VectorState[]>;
  /**
   * Counts the memories that have a vector according to the graph. If models are given, counts only vectors of these
   * models.
   */
  countEmbedded(models?: readonly string[]): Promise<number>;
  /**
   * Returns the notes of vectors that have to be removed or need a new payload, oldest first. The notes survive a
   * crash.
   */
  staleVectors(limit: number): Promise<StaleVector[]>;
  /** Deletes the notes with these tokens. A note that was renewed in the meantime has a new token, and stays. */
  settleStaleVectors(tokens: readonly string[]): Promise<void>;
}
