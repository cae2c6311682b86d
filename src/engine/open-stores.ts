/** Opens the two stores that the settings name. Only this file names concrete stores. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { type CircuitBreakerOptions, withCircuitBreaker } from '../circuit-breaker.js';
import type { Config } from '../config.js';
import type { StoreSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { Logger } from '../log.js';
import { type FolderLock, lockFolder } from '../stores/data-folder/lock.js';
import { StorageFailure, withFolder } from '../stores/data-folder/storage-failure.js';
import { type IntegrityCheck, startIntegrityCheck } from '../stores/database/integrity-check.js';
import {
  type EmbeddedVectorsParts,
  isSearchFailure,
  openEmbeddedVectors,
  setVectorsAside,
  vectorsPath,
} from '../stores/embedded-vectors/store.js';
import type { GraphStore } from '../stores/graph-store.js';
import { openSqlitePair, openSqliteStore, sqlitePath } from '../stores/sqlite/store.js';
import { type StorageState, type WatchedStore, watchStore } from '../stores/store-watch.js';
import type { VectorStore } from '../stores/vector-store.js';
import { createWriteGuard, GRAPH_WRITES, LOSS_HINT, VECTOR_WRITES, withWriteGuard } from '../stores/write-guard.js';

export interface Stores {
  graph: GraphStore;
  vectors: VectorStore;
  /** Whether one of the two stores is a server, which may become unreachable. */
  isRemote: boolean;
  /** Whether other processes may work on the same graph. */
  isShared: boolean;
  /** Whether the data folder cannot be written, so that the memory is only read. */
  isReadOnly: boolean;
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

const WRITES_RETURN = 'Then writes are accepted again within seconds, or after a restart.';

/** Limits the circuit breaker to the search, because writes and reads by id do not depend on the search. */
const EMBEDDED_SEARCH = { isAway: isSearchFailure, methods: new Set(['search', 'searchEach', 'ping']) };

export interface OpenStoresParts {
  config: Pick<Config, 'dataDir' | 'stores' | 'input' | 'acceptsLoss' | 'isReadOnly'>;
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
  let check: IntegrityCheck | undefined;
  const guard = createWriteGuard(() => (lock?.isHeld() === false ? lock.folder : undefined));
  const refuseWrites = (reason: string) => {
    if (config.acceptsLoss) return log.warn(`data are missing, but the settings accept the loss: ${reason}`);
    log.error(`data are missing, so all writes are refused: ${reason}`);
    guard.refuse({ reason, hint: LOSS_HINT });
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
    // An owner that ends before its check does, such as a hook, leaves the check to the next owner.
    undo.push(() => lock?.release(lock.wasAbandoned && check?.result.state !== 'sound'));
    const opening = { owner: lock?.folderId, onLoss: refuseWrites };
    const opened = await (lock ? openInFolder(parts, lock, opening) : openBoth(parts, opening));
    const { unwritable } = opened;
    if (unwritable) {
      const reason = `the memory in ${config.dataDir} is only read, because of this: ${unwritable.reason}`;
      const isIntended = config.isReadOnly && unwritable.isUnwritable;
      if (isIntended) log.info(reason);
      else log.error(`${reason}. ${unwritable.hint}`);
      const hint = [unwritable.hint, ...(unwritable.isUnwritable ? [WRITES_RETURN] : [])].join(' ');
      guard.refuse({ reason, hint, isIntended });
    }
    const graph = watched(parts, opened.graph, GRAPH_WRITES);
    const vectors = watched(parts, opened.vectors, VECTOR_WRITES);
    undo.push(
      () => graph.store.close(),
      () => vectors.store.close(),
    );
    const path = falkordb ? vectorsPath(config.dataDir) : sqlitePath(config.dataDir);
    if (lock?.wasAbandoned) check = startIntegrityCheck(path);
    undo.push(() => check?.stop());
    const isShared = falkordb !== undefined;
    return {
      graph: withWriteGuard(graph.store, guard),
      vectors: vectors.store,
      isShared,
      isRemote: isShared || qdrant !== undefined,
      refuseWrites,
      isReadOnly: unwritable?.isUnwritable === true,
      storage: {
        graphActivity: graph.activity,
        vectorActivity: vectors.activity,
        openCircuits: () => ({ graph: graph.isCircuitOpen(), vectors: vectors.isCircuitOpen() }),
        integrity: () => check?.result ?? { state: 'unchecked' },
        refusals: () => guard.refusals.flatMap(({ reason, isIntended }) => (isIntended ? [] : [reason])),
        freeBytes: async () => (hasFiles && !(unwritable && config.isReadOnly) ? freeBytes(config.dataDir) : undefined),
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

interface Opening {
  /** Id of the data folder. */
  owner: string | undefined;
  onLoss(loss: string): void;
  isReadOnly?: boolean;
}

interface OpenedStores {
  graph: Opened<GraphStore>;
  vectors: Opened<VectorStore>;
  /** Why the stores are only read; absent if they can be written. */
  unwritable?: StorageFailure;
}

/** Opens both stores. If the folder cannot be written, but has a graph, opens them for reading only. */
async function openInFolder(parts: OpenStoresParts, lock: FolderLock, opening: Opening): Promise<OpenedStores> {
  const { dataDir, stores } = parts.config;
  const open = (isReadOnly: boolean) => withFolder(dataDir, () => openBoth(parts, { ...opening, isReadOnly }));
  const read = async (unwritable: StorageFailure) => {
    if (stores.falkordb || !existsSync(sqlitePath(dataDir))) throw unwritable;
    return { ...(await open(true)), unwritable };
  };
  if (lock.unwritable) return read(lock.unwritable);
  try {
    return await open(false);
  } catch (error) {
    if (error instanceof StorageFailure && (error.isUnwritable || error.isDamage)) return read(error);
    throw error;
  }
}

/** Opens both stores. Loads the client of a server only if the settings use the server. */
async function openBoth(
  { config, clock, log }: OpenStoresParts,
  { owner, onLoss, isReadOnly = false }: Opening,
): Promise<OpenedStores> {
  const { dataDir, stores, input, acceptsLoss } = config;
  const embedded = { dimensions: input.vectorSize, clock };
  const onFailure = (error: unknown) => log.warn('the last known state of the memory could not be recorded', error);
  const options = { watch: { clock, acceptsLoss, onLoss, onFailure }, isReadOnly };
  if (!stores.falkordb && !stores.qdrant) {
    const { graph, vectors } = openSqlitePair(dataDir, embedded, options);
    return { graph: { store: graph }, vectors: { store: vectors, ...EMBEDDED_SEARCH } };
  }
  const graph = stores.falkordb
    ? await openFalkor({ ...stores.falkordb, owner })
    : { store: openSqliteStore(dataDir, options) };
  try {
    const vectors = stores.qdrant
      ? await openQdrant(stores.qdrant, input.vectorSize)
      : { store: openVectors(dataDir, embedded, log), ...EMBEDDED_SEARCH };
    return { graph, vectors };
  } catch (error) {
    await graph.store.close();
    throw error;
  }
}

/** Opens the file of the vectors. A damaged file is replaced, because all its vectors can be made again. */
function openVectors(dataDir: string, parts: EmbeddedVectorsParts, log: Logger): VectorStore {
  try {
    return openEmbeddedVectors(dataDir, parts);
  } catch (error) {
    if (!(error instanceof StorageFailure && error.isDamage)) throw error;
    const aside = setVectorsAside(dataDir);
    log.warn(`${error.message}. The file is now ${aside}, and the vectors are made again in the background`);
    return openEmbeddedVectors(dataDir, parts);
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
