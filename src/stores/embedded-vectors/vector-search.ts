/**
 * Chooses the thread that searches the vectors. A search thread searches many vectors. This thread searches few vectors
 * itself, because for few vectors a search thread costs more than the search.
 */
import type { Connection } from '../database/connection.js';
import type { EarlyIds } from '../vector-store.js';
import { createIndexReader, type IndexHit, type IndexReader, type ReaderSearch } from './index-reader.js';
import { createSearchThread, type SearchThreadParts, startSearchWorker } from './search-thread.js';

/** Number of vectors up to which this thread searches. Searching so few vectors takes a fraction of a millisecond. */
const FEW = 1_000;

export interface VectorSearchParts extends Omit<SearchThreadParts, 'start'> {
  /** Connection to the file at `path` of `SearchThreadParts`. */
  connection: Connection;
  countVectors(): number;
}

export interface VectorSearcher {
  /** @throws MemoryError `unavailable` when the vectors cannot be searched */
  search(search: ReaderSearch, ahead?: EarlyIds): Promise<IndexHit[]>;
  /** @throws MemoryError `unavailable` when the vectors cannot be searched */
  ping(): Promise<void>;
  /** Reports rows that were written or removed. Every later search sees these changes. */
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

  /** If there are many vectors, moves the searches to the search thread, as soon as this thread has read all vectors. */
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
    search: async (search, ahead) => open()?.search(search, ahead) ?? thread.search(search, ahead),
    ping: async () => void (open() ?? (await thread.ping())),
    refresh: rows => {
      try {
        here?.refresh(rows);
        moveWhenMany();
      } catch {
        // The rows have been written despite this failure. The next search reads all vectors again.
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
