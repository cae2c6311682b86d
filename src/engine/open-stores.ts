/** Opens the two stores that the settings name. Only this file names concrete stores. */
import { statfs } from 'node:fs/promises';
import { type CircuitBreakerOptions, withCircuitBreaker } from '../circuit-breaker.js';
import type { Config } from '../config.js';
import type { StoreSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { Logger } from '../log.js';
import { type FolderLock, lockFolder } from '../stores/data-folder/lock.js';
import { withFolder } from '../stores/data-folder/unusable-folder.js';
import { startIntegrityCheck } from '../stores/database/integrity-check.js';
import { removeFormerStore } from '../stores/embedded-vectors/former-store.js';
import { isSearchFailure, openEmbeddedVectors, vectorsPath } from '../stores/embedded-vectors/store.js';
import type { GraphStore } from '../stores/graph-store.js';
import { openSqlitePair, openSqliteStore, sqlitePath } from '../stores/sqlite/store.js';
import type { StorageState } from '../stores/storage-state.js';
import { type WatchedStore, watchStore } from '../stores/store-watch.js';
import { GRAPH_WRITES, VECTOR_WRITES } from '../stores/store-writes.js';
import type { VectorStore } from '../stores/vector-store.js';
import { createWriteGuard, withWriteGuard } from '../stores/write-guard.js';

export interface Stores {
  graph: GraphStore;
  vectors: VectorStore;
  /** Whether one of the two stores is a server, which may become unreachable. */
  isRemote: boolean;
  /** Whether other processes may work on the same graph. */
  isShared: boolean;
  /** State of the stores, for health reports. */
  storage: StorageState;
  /** Refuses all later writes; see `WriteGuard`. */
  refuseWrites(reason: string): void;
  /** Closes both stores and releases the data folder. */
  close(): Promise<void>;
}

/**
 * An opened store. With `isAway`, the store gets a circuit breaker. `isAway` returns whether a failure `unavailable`
 * concerns the whole store, and not only the failed call.
 */
interface Opened<Store> {
  store: Store;
  isAway?: NonNullable<CircuitBreakerOptions['isAway']>;
  /** The methods that fail while the store is away. If undefined, all methods fail. */
  methods?: ReadonlySet<PropertyKey>;
}

interface GuardedStore<Store> extends WatchedStore<Store> {
  /** Whether the store's circuit breaker refuses calls. Always false for a store without a circuit breaker. */
  isCircuitOpen(): boolean;
}

/** Limits the circuit breaker to the search, because writes and reads by id do not depend on the search. */
const EMBEDDED_SEARCH = { isAway: isSearchFailure, methods: new Set(['search', 'searchEach', 'ping']) };

export interface OpenStoresParts {
  config: Pick<Config, 'dataDir' | 'stores' | 'input' | 'acceptsLoss'>;
  clock: Clock;
  log: Logger;
  /** The caller's lock of the data folder. It is released when the stores are closed or cannot be opened. */
  lock?: FolderLock;
  /** Called when an unreachable server can be reached again. */
  onRecovery?(): void;
}

/**
 * Opens both stores, or neither. An unreachable server is not an error here: its store rejects every call until the
 * server is reachable.
 *
 * @throws MemoryError `unavailable` when the data folder is needed and is in use or unusable, `invalid` when an address
 * is invalid
 */
export async function openStores(parts: OpenStoresParts): Promise<Stores> {
  const { config, log } = parts;
  const { falkordb, qdrant } = config.stores;
  const hasFiles = needsFolder(config);
  let lock: FolderLock | undefined;
  const guard = createWriteGuard(() => (lock?.isHeld() === false ? lock.folder : undefined));
  const refuseWrites = (reason: string) => {
    if (config.acceptsLoss) return log.warn(`data are missing, but the settings accept the loss: ${reason}`);
    log.error(`data are missing, so all writes are refused: ${reason}`);
    guard.refuse(reason);
  };
  const undo: (() => unknown)[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    for (const step of undo.splice(0).reverse()) {
      // Continue after a failed step, because the failure must not prevent the release of the lock.
      await Promise.resolve()
        .then(step)
        .catch(error => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    lock = parts.lock ?? (needsFolder(config) ? lockFolder(config.dataDir) : undefined);
    if (lock) undo.push(lock.release);
    const opening = () => openBoth(parts, { owner: lock?.folderId, onLoss: refuseWrites });
    const opened = await (hasFiles ? withFolder(config.dataDir, opening) : opening());
    const graph = watched(parts, opened.graph, GRAPH_WRITES);
    const vectors = watched(parts, opened.vectors, VECTOR_WRITES);
    undo.push(
      () => graph.store.close(),
      () => vectors.store.close(),
    );
    const path = falkordb ? vectorsPath(config.dataDir) : sqlitePath(config.dataDir);
    const check = lock?.wasAbandoned ? startIntegrityCheck(path) : undefined;
    if (check) undo.push(() => check.stop());
    const isShared = falkordb !== undefined;
    return {
      graph: withWriteGuard(graph.store, guard),
      vectors: vectors.store,
      isShared,
      isRemote: isShared || qdrant !== undefined,
      refuseWrites,
      storage: {
        graphActivity: graph.activity,
        vectorActivity: vectors.activity,
        openCircuits: () => ({ graph: graph.isCircuitOpen(), vectors: vectors.isCircuitOpen() }),
        integrity: () => check?.result ?? { state: 'unchecked' },
        missing: () => guard.refusal?.reason,
        freeBytes: () => (hasFiles ? freeBytes(config.dataDir) : Promise.resolve(undefined)),
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether at least one store is in the data folder. The process must then hold the lock of the folder. */
export function needsFolder({ stores }: Pick<Config, 'stores'>): boolean {
  return !stores.falkordb || !stores.qdrant;
}

/** Free bytes on the disk of a folder. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Opens both stores. Loads the client of a server only if the settings use the server. */
async function openBoth(
  { config, clock, log }: OpenStoresParts,
  { owner, onLoss }: { owner: string | undefined; onLoss(loss: string): void },
): Promise<{ graph: Opened<GraphStore>; vectors: Opened<VectorStore> }> {
  const { dataDir, stores, input, acceptsLoss } = config;
  const embedded = { dimensions: input.vectorSize, clock };
  const onFailure = (error: unknown) => log.warn('the last known state of the memory could not be recorded', error);
  const watch = { clock, acceptsLoss, onLoss, onFailure };
  if (!stores.qdrant && removeFormerStore(dataDir)) {
    log.info(
      'vectors are now kept in an SQLite file; the vectors of the former store will be made again in the background',
    );
  }
  if (!stores.falkordb && !stores.qdrant) {
    const { graph, vectors } = openSqlitePair(dataDir, embedded, watch);
    return { graph: { store: graph }, vectors: { store: vectors, ...EMBEDDED_SEARCH } };
  }
  const graph = stores.falkordb
    ? await openFalkor({ ...stores.falkordb, owner })
    : { store: openSqliteStore(dataDir, watch) };
  try {
    const vectors = stores.qdrant
      ? await openQdrant(stores.qdrant, input.vectorSize)
      : { store: openEmbeddedVectors(dataDir, embedded), ...EMBEDDED_SEARCH };
    return { graph, vectors };
  } catch (error) {
    await graph.store.close();
    throw error;
  }
}

async function openFalkor(
  settings: NonNullable<StoreSettings['falkordb']> & { owner: string | undefined },
): Promise<Opened<GraphStore>> {
  const { openFalkorStore, isAway } = await import('../stores/falkordb/store.js');
  return { store: openFalkorStore(present(settings)), isAway };
}

async function openQdrant(
  settings: NonNullable<StoreSettings['qdrant']>,
  dimensions: number,
): Promise<Opened<VectorStore>> {
  const { openQdrantStore, isAway } = await import('../stores/qdrant/store.js');
  return { store: openQdrantStore({ ...present(settings), dimensions }), isAway };
}

/** Returns the store with a record of its activity, and with a circuit breaker if the store has `isAway`. */
function watched<Store extends GraphStore | VectorStore>(
  { clock, log, onRecovery }: OpenStoresParts,
  { store, isAway, methods }: Opened<Store>,
  writes: ReadonlySet<PropertyKey>,
): GuardedStore<Store> {
  const watch = watchStore(store, writes, clock);
  if (!isAway) return { ...watch, isCircuitOpen: () => false };
  let isCircuitOpen = false;
  const breaking = withCircuitBreaker(watch.store, {
    clock,
    isAway,
    ...(methods && { methods }),
    onChange: ({ isReachable, error }) => {
      isCircuitOpen = !isReachable;
      if (!isReachable) return log.warn(`${store.description}: ${error?.message}`);
      log.info(`${store.description} can be reached again`);
      watch.forgetFailures();
      onRecovery?.();
    },
  });
  return { ...watch, store: breaking, isCircuitOpen: () => isCircuitOpen };
}

/** Removes keys without a value, so that a store applies its own defaults. */
function present<Settings extends object>(settings: Settings): Present<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Present<Settings>;
}

type Present<Settings> = {
  [Key in keyof Settings as undefined extends Settings[Key] ? never : Key]: Settings[Key];
} & { [Key in keyof Settings as undefined extends Settings[Key] ? Key : never]?: Exclude<Settings[Key], undefined> };
