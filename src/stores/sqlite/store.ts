/** The embedded graph store: one SQLite file in the data folder, owned by one process. */
import type { Connection } from '../database/connection.js';
import { createWriteQueue, type WriteQueue } from '../database/write-queue.js';
import { createEmbeddedVectors, type EmbeddedVectorsParts } from '../embedded-vectors/store.js';
import type { GraphStore } from '../graph-store.js';
import type { VectorStore } from '../vector-store.js';
import * as memories from './memories.js';
import { type MemoryDatabase, none, type Write } from './memory-database.js';
import { neighbours } from './neighbours.js';
import { leaseStore, nodeStore } from './nodes.js';
import { type OpenFileOptions, openFile } from './open-file.js';
import { createRecordReader, readRecords, vectorStates } from './record-reader.js';
import { edgeStore } from './relations.js';
import { createRecordSaver } from './save-memories.js';
import * as search from './search.js';
import { countMemories } from './tags.js';
import { searchText } from './text-search.js';
import * as vectors from './vectors.js';
import { wordUpkeep } from './words.js';
import * as work from './work.js';

export { sqlitePath } from './open-file.js';

/**
 * Opens or creates a graph whose vectors are in another store. The caller must own the folder, because claims
 * and leases of an earlier owner are released.
 *
 * @throws MemoryError `unavailable` when the file cannot be used
 */
export function openSqliteStore(dataDir: string, options: OpenFileOptions = {}): GraphStore {
  const { database } = openFile(dataDir, vectors.removeVectors, options);
  return createGraph(database, createWriteQueue(database));
}

export interface SqlitePair {
  graph: GraphStore;
  /** The vectors must be closed before the graph. */
  vectors: VectorStore;
}

/**
 * Opens or creates a graph and its vectors in one file. The caller must own the folder, as with `openSqliteStore`.
 *
 * @throws MemoryError `unavailable` when the file cannot be used
 */
export function openSqlitePair(
  dataDir: string,
  parts: EmbeddedVectorsParts,
  options: OpenFileOptions = {},
): SqlitePair {
  const { dimensions } = parts;
  const prepare = (connection: Connection) => vectors.matchVectors(connection, dimensions);
  const { database, address: path } = openFile(dataDir, prepare, options);
  const queue = createWriteQueue(database);
  const { store, table } = createEmbeddedVectors({ ...parts, connection: database, path, queue });
  return { graph: createGraph({ ...database, vectors: table }, queue), vectors: store };
}

/** @param queue runs one write at a time, because a write waits while another program holds the lock on the file */
function createGraph(connection: MemoryDatabase, queue: WriteQueue): GraphStore {
  let isOpen = true;
  const records = createRecordReader(connection);
  const write: Write = (body, changed) =>
    queue.run(() => {
      const ids = [...changed()];
      return whenWritten(body, () => records.forget(ids));
    });
  const saver = createRecordSaver(connection, save => write(save, none));
  const claimed = (tokens: readonly string[]) =>
    records.idsOf(tokens.map(token => work.parseToken(token).row)).values();

  return {
    description: 'embedded SQLite',
    name: 'memories',
    holdsVectors: connection.vectors !== undefined,
    saveMemories: saver.saveMemories,
    getMemories: async ids => records.read(ids),
    updateMemory: (id, change) =>
      write(
        () => memories.updateMemory(connection, id, change),
        () => [id],
      ),
    deleteMemories: (ids, updatedAt) =>
      write(
        () => memories.deleteMemories(connection, ids, updatedAt),
        () => ids,
      ),
    annotate: annotations =>
      write(
        () => memories.annotate(connection, annotations),
        () => annotations.map(({ id }) => id),
      ),
    readRecords: async page => readRecords(connection, page),
    vectorStates: async page => vectorStates(connection, page),
    list: async request => search.list(connection, request),
    searchText: request => searchText(connection, request),
    supersede: request =>
      write(
        () => memories.supersede(connection, request),
        () => [request.supersededId],
      ),
    neighbours: async request => neighbours(connection, request, records),
    ...edgeStore(connection, write, records),
    ...nodeStore(connection, write),
    ...search.figuresOf(connection),
    ...leaseStore(connection, write),
    ...wordUpkeep(connection, write),
    claimWork: request => write(() => work.claimWork(connection, request), none),
    renewWork: (tokens, leaseUntilMs) => write(() => work.renewWork(connection, tokens, leaseUntilMs), none),
    settleWork: (tokens, result) =>
      write(
        () => work.settleWork(connection, tokens, result),
        () => claimed(tokens),
      ),
    completeWork: (token, outcome) =>
      write(
        () => memories.completeWork(connection, token, outcome),
        () => claimed([token]),
      ),
    releaseWork: (tokens, release) => write(() => work.releaseWork(connection, tokens, release), none),
    workCounts: async kind => work.workCounts(connection, kind),
    listWaiting: async request => work.listWaiting(connection, request),
    nextWorkDueMs: async kind => work.nextWorkDueMs(connection, kind),
    makeWorkDue: (kind, laterThanMs) => write(() => work.makeWorkDue(connection, kind, laterThanMs), none),
    requeue: (kind, ids) => write(() => work.requeue(connection, kind, ids), none),
    requeueOutdated: models => write(() => work.requeueOutdated(connection, models), none),
    staleVectors: async limit => vectors.staleVectors(connection, limit),
    settleStaleVectors: tokens => write(() => vectors.settleStaleVectors(connection, tokens), none),
    countMemories: async which => (which ? search.countMemories(connection, which) : countMemories(connection)),
    ping: async () => void connection.get('SELECT 1 AS one'),
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await saver.close();
      await queue.inTurn(() => undefined);
      await connection.lastKnown?.finish();
      connection.close();
    },
  };
}

/** Both calls run without a pause between them, so that no read can see the state before `finish`. */
function whenWritten<Value>(write: () => Value, finish: () => void): Value {
  try {
    return write();
  } finally {
    finish();
  }
}
