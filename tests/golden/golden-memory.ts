/** The format of a memory in the golden set: the request of a client, with a name in place of an id. */
import type { MemoryType } from '../../src/domain/memory.js';

export interface GoldenMemory {
  content: string;
  type: MemoryType;
  tags: string[];
  importance: number;
  /** Creation time. */
  at: string;
  /** End of the memory's validity. */
  until?: string;
  /** Start of the memory's validity. */
  from?: string;
  /** Name of the memory that supersedes this memory. An INVALIDATED_BY edge leads to the superseding memory. */
  invalidatedBy?: string;
}

export type GoldenMemories = Record<string, GoldenMemory>;
