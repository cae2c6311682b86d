/** The shape of a memory in the golden set: what a client sends, with a name in place of an id. */
import type { MemoryType } from '../../src/domain/memory-type.js';

export interface GoldenMemory {
  content: string;
  type: MemoryType;
  tags: string[];
  importance: number;
  /** Creation time. */
  at: string;
  /** It stopped being true then. */
  until?: string;
  /** It becomes true only then. */
  from?: string;
  /** Name of the memory that took its place: an INVALIDATED_BY edge leads there. */
  invalidatedBy?: string;
}

export type GoldenMemories = Record<string, GoldenMemory>;
