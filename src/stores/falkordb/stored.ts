/** A memory as it stands in the graph, with what says whether it may be written over. */
import type { Memory } from '../../domain/memory.js';
import { memoryOf, type RecordRow, recordOf } from './read-record.js';

export interface StoredMemory {
  memory: Memory;
  /** Rises with every write of ours that a change could overwrite. */
  revision: number;
  /** What its index was made from. */
  indexedAs: string;
  /** Whether the index is there, as far as is known. */
  hasIndex: boolean;
}

export interface StoredRow {
  record: RecordRow;
  revision: number;
  indexed_as: string | null;
}

/** The columns that `storedOf` reads. */
export function storedColumns(alias: string): string {
  return `${recordOf(alias)} AS record, ${alias}._revision AS revision, ${alias}._indexed_as AS indexed_as`;
}

/** Undefined where the node cannot be read as a memory, or has not been taken over yet. */
export function storedOf({ record, revision, indexed_as }: StoredRow, hasIndex = true): StoredMemory | undefined {
  const memory = memoryOf(record);
  if (!memory || typeof revision !== 'number') return undefined;
  return { memory, revision, indexedAs: typeof indexed_as === 'string' ? indexed_as : '', hasIndex };
}
