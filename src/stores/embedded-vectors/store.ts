/** The embedded vector store: rows of an SQLite file, searched in memory. */

import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { partsOf } from '../../domain/collections.js';
import { MemoryError } from '../../domain/errors.js';
import { nearlyUnitVector } from '../../domain/vectors.js';
import { VECTOR_FILE_VERSION } from '../../domain/versions.js';
import { inSteps } from '../../event-loop.js';
import { type Connection, connect, fileVersion, hasContent, openReadOnly } from '../database/connection.js';
import { createWriteQueue, type WriteQueue } from '../database/write-queue.js';
import { assertUsable, type Schema } from '../schema-version.js';
import type { VectorHit, VectorSearch, VectorStore } from '../vector-store.js';
import { createExactVectors } from './exact-vectors.js';
import { createVectorSearcher, type VectorSearchParts } from './search-thread.js';
import { numericFilter } from './vector-filter.js';
import { createVectorTable, VECTOR_TABLES, type VectorTable } from './vector-table.js';

export { isSearchFailure } from './search-thread.js';

/** File of the vectors if the graph is on a server. */
const FILE_NAME = 'vectors.db';
const IDS_PER_PAGE = 1_000;
/** The version number of the file is VECTOR_SIZE plus so many times the version of the tables. */
const VERSION_STEP = 100_000;
const VECTOR_FILE: Schema<never> = {
  name: 'The file of the vectors',
  version: VECTOR_FILE_VERSION,
  steps: [],
  elsewhere: `move ${FILE_NAME} to another folder: the vectors are then made again`,
};
/** Number of records written in one step. A step blocks the event loop for a few milliseconds. */
const WRITTEN_AT_ONCE = 20;
/**
 * Number of searches that one call of `searchEach` has in progress. With two, the search thread always has a next
 * search. With more, the searches of other callers would wait longer.
 */
const SEARCHES_WAITING = 2;

export interface EmbeddedVectorsParts extends Pick<VectorSearchParts, 'clock'> {
  /**
   * VECTOR_SIZE: length of the vectors that the store accepts and returns. Zeros at their end are not stored.
   */
  dimensions: number;
}

/**
 * Opens or creates a store with a file of its own in `folder`.
 *
 * @throws MemoryError `unavailable` when the file cannot be used
 */
export function openEmbeddedVectors(folder: string, parts: EmbeddedVectorsParts): VectorStore {
  const path = vectorsPath(folder);
  assertFileUsable(path);
  const connection = connect(path);
  try {
    prepare(connection, parts.dimensions);
  } catch (error) {
    connection.close();
    throw error;
  }
  const { store } = createEmbeddedVectors({ connection, path, ...parts });
  const close = async () => {
    await store.close();
    connection.close();
  };
  let closed: Promise<void> | undefined;
  return {
    ...store,
    get storedDimensions() {
      return store.storedDimensions;
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Looks on a connection that changes nothing, so that a file that cannot be used stays as it is. */
function assertFileUsable(path: string): void {
  if (!hasContent(path)) return;
  const { connection } = openReadOnly(path);
  try {
    const stored = fileVersion(connection);
    if (stored !== undefined) assertUsable(Math.floor(stored / VERSION_STEP), VECTOR_FILE);
  } finally {
    connection.close();
  }
}

/**
 * Creates the tables. Removes all vectors if VECTOR_SIZE has changed, because vectors of another length cannot be
 * compared with anything. The vectors are computed again.
 */
function prepare(connection: Connection, dimensions: number): void {
  const wanted = VECTOR_FILE_VERSION * VERSION_STEP + dimensions;
  connection.transaction(() => {
    const stored = fileVersion(connection);
    if (stored === wanted) return;
    connection.execute(stored === undefined ? VECTOR_TABLES : 'DELETE FROM vectors; DELETE FROM exact_vectors');
    connection.execute(`PRAGMA user_version = ${wanted}`);
  });
}

/**
 * Moves the file of the vectors aside, with its log. The next `openEmbeddedVectors` makes a new file.
 *
 * @returns the new name of the file
 */
export function setVectorsAside(folder: string): string {
  const name = `${FILE_NAME}.damaged`;
  rmSync(join(folder, `${FILE_NAME}-shm`), { force: true });
  for (const end of ['', '-wal']) {
    const file = join(folder, `${FILE_NAME}${end}`);
    if (existsSync(file)) renameSync(file, join(folder, `${name}${end}`));
  }
  return name;
}

/** Returns the path of the file that `openEmbeddedVectors` uses. */
export function vectorsPath(folder: string): string {
  return join(folder, FILE_NAME);
}

export interface HostedVectorsParts extends EmbeddedVectorsParts {
  /**
   * Connection to a file that has the tables. The caller owns the connection, and keeps it open until the store is
   * closed.
   */
  connection: Connection;
  /** Path of the file of `connection`. */
  path: string;
  /** The queue of all writes to the file, if other parts write to the file too. */
  queue?: WriteQueue;
}

export interface HostedVectors {
  store: VectorStore;
  table: VectorTable;
}

/**
 * Creates the store on an open file. Also returns the VectorTable, with which other parts write vectors in their own
 * transactions.
 */
export function createEmbeddedVectors(parts: HostedVectorsParts): HostedVectors {
  const { connection, path, dimensions, queue = createWriteQueue(connection) } = parts;
  const table = createVectorTable({ connection, dimensions, onChange: rows => searcher.refresh(rows) });
  const exact = createExactVectors(path, dimensions);
  const searcher = createVectorSearcher({ ...parts, countVectors: table.count });
  let isOpen = true;
  const close = async () => {
    isOpen = false;
    await searcher.close();
    exact.close();
  };
  let closed: Promise<void> | undefined;
  const assertOpen = () => {
    if (!isOpen) throw new MemoryError('unavailable', 'The embedded vector store is closed');
  };
  // Starts reading the vectors before the first search.
  void searcher.ping().catch(() => undefined);

  const search = async ({ vector, beside, filter, ahead, ...rest }: VectorSearch): Promise<VectorHit[]> => {
    assertOpen();
    if (rest.limit < 1) return [];
    const exact = { vector: nearlyUnitVector(vector), ...(beside && { beside: nearlyUnitVector(beside) }) };
    return searcher.search({ ...rest, ...exact, filter: numericFilter(filter) }, ahead);
  };

  const store: VectorStore = {
    description: 'embedded SQLite',
    dimensions,
    get storedDimensions() {
      return table.storedDimensions();
    },
    isInProcess: true,
    upsert: records =>
      queue.inTurn(async () => {
        // Writing blocks this thread, so other requests run between two parts.
        for await (const part of inSteps(partsOf(records, WRITTEN_AT_ONCE))) {
          await queue.whenUnlocked(() => table.put(part));
        }
      }),
    updatePayloads: changes => queue.run(() => table.changePayloads(changes)),
    remove: ids => queue.run(() => table.remove(ids)),
    vectorsOf: async ids => exact.vectorsOf(ids),
    compare: async (ids, others) => exact.compare(ids, others),
    present: async ids => table.present(ids),
    search,
    searchEach: searches => {
      const inTurn = pLimit(SEARCHES_WAITING);
      return Promise.all(searches.map(({ ahead, ...each }) => inTurn(() => search(each))));
    },
    count: async () => table.count(),
    async *ids() {
      let last = '';
      for (;;) {
        assertOpen();
        const page = table.idsAfter(last, IDS_PER_PAGE);
        yield* page;
        last = page.at(-1) ?? last;
        if (page.length < IDS_PER_PAGE) return;
      }
    },
    ping: async () => {
      assertOpen();
      connection.get('SELECT 1 AS one');
      await searcher.ping();
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
  return { store, table };
}
