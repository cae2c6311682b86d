/** Memories that a statement has found, one for each node. Several nodes may have the same id. */
import type { Memory } from '../../domain/memory.js';
import { memoryOf, type RecordRow, recordOf } from './read-record.js';

export interface FoundMemory {
  /** Undefined if the node cannot be read as a memory. */
  memory: Memory | undefined;
  /** Whether Engraph has written or adopted the node. */
  isOurs: boolean;
}

/** A column with the record and `isOurs`. */
export type FoundRecord = [record: RecordRow, isOurs: boolean];

/** Returns the column that `foundMemory` reads. */
export function foundRecord(alias: string, record = recordOf(alias)): string {
  return `[${record}, ${isOursIn(alias)}]`;
}

export function isOursIn(alias: string): string {
  return `${alias}._revision IS NOT NULL`;
}

export function foundMemory([record, isOurs]: FoundRecord): FoundMemory {
  return { memory: memoryOf(record), isOurs };
}

/** Returns memories by id. If another program has made a second node with the same id, the adopted node is used. */
export function memoriesById(found: Iterable<FoundMemory>): Map<string, Memory> {
  const memories = new Map<string, Memory>();
  for (const { memory, isOurs } of found) {
    if (memory && (isOurs || !memories.has(memory.id))) memories.set(memory.id, memory);
  }
  return memories;
}
