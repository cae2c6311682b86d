/** Where vectors are searched: few of them here, since a thread costs more than they do, and many in a thread. */
import type { Connection } from '../database/connection.js';
import { createIndexReader, type IndexHit, type IndexReader, type ReaderSearch } from './index-reader.js';
import { createSearchThread, type SearchThreadParts, startSearchWorker } from './search-thread.js';

/** Searching so many takes a fraction of a millisecond. */
const FEW = 1_000;

export interface VectorSearchParts extends Omit<SearchThreadParts, 'start'> {
  /** Of the file at `path`. */
  connection: Connection;
  countVectors(): number;
}

export interface VectorSearcher {
  /** @throws MemoryError `unavailable` when the vectors cannot be searched */
  search(search: ReaderSearch): Promise<IndexHit[]>;
  /** @throws MemoryError `unavailable` when the vectors cannot be searched */
  ping(): Promise<void>;
  /** Tells of rows that were written or removed. Every later search sees them. */
  refresh(rows: readonly number[]): void;
  close(): Promise<void>;
}

export function createVectorSearcher(parts: VectorSearchParts): VectorSearcher {
  const { connection, countVectors } = parts;
  const thread = createSearchThread({ ...parts, start: startSearchWorker });
  let here: IndexReader | undefined;
  let isMoving = false;

  const open = (): IndexReader | undefined => {
    if (here || isMoving) return here;
    if (countVectors() > FEW) {
      isMoving = true;
      return undefined;
    }
    const reader = createIndexReader(connection);
    reader.load();
    here = reader;
    return here;
  };

  /** Searches go on here until the thread has read everything. */
  const moveWhenMany = () => {
    if (isMoving || !here || here.size <= FEW) return;
    isMoving = true;
    thread.ping().then(
      () => {
        here = undefined;
      },
      () => {
        isMoving = false;
      },
    );
  };

  return {
    search: async search => open()?.search(search) ?? thread.search(search),
    ping: async () => void (open() ?? (await thread.ping())),
    refresh: rows => {
      try {
        here?.refresh(rows);
        moveWhenMany();
      } catch {
        // The rows are written all the same: the next search reads everything anew.
        here = undefined;
      }
      thread.refresh(rows);
    },
    close: async () => {
      here = undefined;
      isMoving = true;
      await thread.close();
    },
  };
}
