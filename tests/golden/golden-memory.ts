/** The format of a memory in the golden set: the request of a client, with a name in place of an id. */
import type { MemoryType } from '../../src/domain/memory-type.js';

export interface GoldenMemory {
  content: string;
  type: MemoryType;
  tags: string[];
  importance: number;
  /** Creation time. */
  at: string;
  /** End of its validity. */
  until?: string;
  /** Start of its validity. */
  from?: string;
  /** Name of the memory that superseded it, to which an INVALIDATED_BY edge leads. */
  invalidatedBy?: string;
}

export type GoldenMemories = Record<string, GoldenMemory>;
