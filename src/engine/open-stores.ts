/** The two stores that the settings name. With `open.ts` the only place that names concrete ones. */
import type { Config } from '../config.js';
import type { Clock } from '../domain/time.js';
import type { Logger } from '../log.js';
import { type CircuitBreakerOptions, withCircuitBreaker } from '../stores/circuit-breaker.js';
import { MissingBinaryError } from '../stores/embedded-vectors/collection.js';
import { openEmbeddedVectors } from '../stores/embedded-vectors/store.js';
import type { GraphStore } from '../stores/graph-store.js';
import { lockFolder } from '../stores/sqlite/folder-lock.js';
import { openSqliteStore } from '../stores/sqlite/store.js';
import { withFolder } from '../stores/sqlite/unusable-folder.js';
import type { VectorStore } from '../stores/vector-store.js';

export interface Stores {
  graph: GraphStore;
  vectors: VectorStore | undefined;
  /** Why there is no vector store. */
  note: string | undefined;
  /** Whether one is a server, which may be away, now or later. */
  isRemote: boolean;
  /** Whether other processes may work on the same graph. */
  isShared: boolean;
  /** Closes both and gives the data folder free. */
  close(): Promise<void>;
}

export interface OpenStoresParts {
  config: Pick<Config, 'dataDir' | 'stores' | 'input'>;
  clock: Clock;
  log: Logger;
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
  const { falkordb, qdrant } = parts.config.stores;
  const undo: (() => unknown)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    if (!falkordb || !qdrant) {
      const lock = lockFolder(parts.config.dataDir);
      undo.push(() => lock.release());
    }
    const graph = await openGraph(parts);
    undo.push(() => graph.close());
    const { vectors, note } = await openVectors(parts);
    if (vectors) undo.push(() => vectors.close());
    const isShared = falkordb !== undefined;
    return { graph, vectors, note, isShared, isRemote: isShared || qdrant !== undefined, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Clients of servers are loaded only by those who use them. */
async function openGraph(parts: OpenStoresParts): Promise<GraphStore> {
  const { falkordb } = parts.config.stores;
  const { dataDir } = parts.config;
  if (!falkordb) return withFolder(dataDir, () => openSqliteStore(dataDir));
  const { openFalkorStore, isAway } = await import('../stores/falkordb/store.js');
  return guarded(parts, openFalkorStore(present(falkordb)), isAway);
}

async function openVectors(parts: OpenStoresParts): Promise<Pick<Stores, 'vectors' | 'note'>> {
  const { dataDir, stores, input } = parts.config;
  if (stores.qdrant) {
    const { openQdrantStore, isAway } = await import('../stores/qdrant/store.js');
    const store = openQdrantStore({ ...present(stores.qdrant), dimensions: input.vectorSize });
    return { vectors: guarded(parts, store, isAway), note: undefined };
  }
  try {
    return {
      vectors: await withFolder(dataDir, () => openEmbeddedVectors(dataDir, input.vectorSize)),
      note: undefined,
    };
  } catch (error) {
    if (!(error instanceof MissingBinaryError)) throw error;
    const note = `${error.message}: recall works by words, tags and relations only`;
    parts.log.warn(note);
    return { vectors: undefined, note };
  }
}

function guarded<Store extends GraphStore | VectorStore>(
  parts: OpenStoresParts,
  store: Store,
  isAway?: CircuitBreakerOptions['isAway'],
): Store {
  return withCircuitBreaker(store, {
    clock: parts.clock,
    ...(isAway && { isAway }),
    onChange: ({ isReachable, error }) => {
      if (!isReachable) return parts.log.warn(`${store.description}: ${error?.message}`);
      parts.log.info(`${store.description} can be reached again`);
      parts.onRecovery?.();
    },
  });
}

/** Without the keys that have no value, so that a store applies its own defaults. */
function present<Settings extends object>(settings: Settings): Present<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Present<Settings>;
}

type Present<Settings> = {
  [Key in keyof Settings as undefined extends Settings[Key] ? never : Key]: Settings[Key];
} & { [Key in keyof Settings as undefined extends Settings[Key] ? Key : never]?: Exclude<Settings[Key], undefined> };
