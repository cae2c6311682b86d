/** The two stores that the settings name. With `open.ts` the only place that names concrete ones. */
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
  /** Whether one is a server, which may be away, now or later. */
  isRemote: boolean;
  /** Whether other processes may work on the same graph. */
  isShared: boolean;
  /** How they have fared, for health. */
  storage: StorageState;
  /** Writes are refused from then on; see `WriteGuard`. */
  refuseWrites(reason: string): void;
  /** Closes both and gives the data folder free. */
  close(): Promise<void>;
}

/** A store, and where it may be away: whether a failure `unavailable` says so. */
interface Opened<Store> {
  store: Store;
  isAway?: NonNullable<CircuitBreakerOptions['isAway']>;
  /** The methods that fail while it is away; absent: all. */
  methods?: ReadonlySet<PropertyKey>;
}

interface GuardedStore<Store> extends WatchedStore<Store> {
  /** Whether its circuit breaker refuses calls; never where it cannot be away. */
  isCircuitOpen(): boolean;
}

/** What is written and read by id needs no search. */
const EMBEDDED_SEARCH = { isAway: isSearchFailure, methods: new Set(['search', 'ping']) };

export interface OpenStoresParts {
  config: Pick<Config, 'dataDir' | 'stores' | 'input' | 'acceptsLoss'>;
  clock: Clock;
  log: Logger;
  /** Of the data folder, where the caller has it. It is given free with the stores, also when they cannot be opened. */
  lock?: FolderLock;
  /** A server that was away has come back. */
  onRecovery?(): void;
}

/**
 * Opens both stores, or neither. A server that is away is no failure: its store says so with every call, until it is there.
 *
 * @throws MemoryError `unavailable` when the data folder is needed and is in use or cannot be used, `invalid` when an
 *   address cannot be used
 */
export async function openStores(parts: OpenStoresParts): Promise<Stores> {
  const { config, log } = parts;
  const { falkordb, qdrant } = config.stores;
  const hasFiles = needsFolder(config);
  const guard = createWriteGuard();
  const refuseWrites = (reason: string) => {
    if (config.acceptsLoss) return log.warn(`something is missing, which was accepted: ${reason}`);
    log.error(`something is missing, so that nothing is written: ${reason}`);
    guard.refuse(reason);
  };
  const undo: (() => unknown)[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    for (const step of undo.splice(0).reverse()) {
      // One that fails must not keep the lock from being given free.
      await Promise.resolve()
        .then(step)
        .catch(error => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    const lock = parts.lock ?? (needsFolder(config) ? lockFolder(config.dataDir) : undefined);
    if (lock) undo.push(() => lock.release());
    const opening = () => openBoth(parts, { owner: lock?.folderId, onLoss: refuseWrites });
    const opened = await (hasFiles ? withFolder(config.dataDir, opening) : opening());
    const graph = watched(parts, opened.graph, GRAPH_WRITES);
    const vectors = watched(parts, opened.vectors, VECTOR_WRITES);
    undo.push(
      () => graph.store.close(),
      () => vectors.store.close(),
    );
    const path = falkordb ? vectorsPath(config.dataDir) : sqlitePath(config.dataDir);
    const check = lock?.wasLeft ? startIntegrityCheck(path) : undefined;
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
        missing: () => guard.reason,
        freeBytes: () => (hasFiles ? freeBytes(config.dataDir) : Promise.resolve(undefined)),
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether something is kept in the data folder, which then needs an owner. */
export function needsFolder({ stores }: Pick<Config, 'stores'>): boolean {
  return !stores.falkordb || !stores.qdrant;
}

/** Bytes that are left on the disk of a folder. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Clients of servers are loaded only by those who use them. */
async function openBoth(
  { config, clock, log }: OpenStoresParts,
  { owner, onLoss }: { owner: string | undefined; onLoss(loss: string): void },
): Promise<{ graph: Opened<GraphStore>; vectors: Opened<VectorStore> }> {
  const { dataDir, stores, input, acceptsLoss } = config;
  const embedded = { dimensions: input.vectorSize, clock };
  const onFailure = (error: unknown) => log.warn('what is known of the memory could not be written beside it', error);
  const watch = { clock, acceptsLoss, onLoss, onFailure };
  if (!stores.qdrant && removeFormerStore(dataDir)) {
    log.info('vectors are kept in an SQLite file now: those of the former store are made again in the background');
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

/** The store as everybody above sees it, and what became of its calls. */
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

/** Without the keys that have no value, so that a store applies its own defaults. */
function present<Settings extends object>(settings: Settings): Present<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Present<Settings>;
}

type Present<Settings> = {
  [Key in keyof Settings as undefined extends Settings[Key] ? never : Key]: Settings[Key];
} & { [Key in keyof Settings as undefined extends Settings[Key] ? Key : never]?: Exclude<Settings[Key], undefined> };
