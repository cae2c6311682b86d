/** A real engine on the embedded stores in a temporary folder, with a clock that only the test moves. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../src/config.js';
import type { Engine } from '../../src/engine/engine.js';
import { openEngine } from '../../src/engine/open.js';
import { createLogger, type Logger } from '../../src/log.js';
import { openEmbeddedVectors } from '../../src/stores/embedded-vectors/store.js';
import { openFalkorStore } from '../../src/stores/falkordb/store.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { openQdrantStore } from '../../src/stores/qdrant/store.js';
import { openSqlitePair, openSqliteStore } from '../../src/stores/sqlite/store.js';
import type { VectorStore } from '../../src/stores/vector-store.js';
import { createManualClock, type ManualClock } from './manual-clock.js';
import { startedQdrant } from './qdrant-store.js';

export interface TestEngine {
  engine: Engine;
  clock: ManualClock;
  log: Logger;
  config: Config;
  /** Closes the engine and opens another one on the same folder. A test may change the folder in between. */
  reopen(whileClosed?: () => Promise<void>): Promise<Engine>;
  /** Closes the engine and removes its folder. */
  close(): Promise<void>;
}

const DIMENSIONS = 64;

let defaults: (dataDir: string) => Record<string, string> = () => ({});

/** Sets additional settings for all engines opened after this call, such as another graph store. */
export function setTestDefaults(next: (dataDir: string) => Record<string, string>): void {
  defaults = next;
}

/**
 * @param env settings by the name of the environment variable
 * @param change changes values that are not settings
 */
export async function openTestEngine(
  env: Record<string, string> = {},
  change: (config: Config) => Config = config => config,
): Promise<TestEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'engraph-test-'));
  // The provider is `hash`, because `auto` would look for a model on the network. The zone must not be the machine's.
  const read = loadConfig({
    ENGRAPH_DATA_DIR: dataDir,
    VECTOR_SIZE: String(DIMENSIONS),
    EMBEDDING_PROVIDER: 'hash',
    TIME_ZONE: 'UTC',
    ...defaults(env.ENGRAPH_DATA_DIR ?? dataDir),
    ...env,
  });
  const config = change(read);
  const clock = createManualClock();
  const log = createLogger('silent');
  let engine = await openEngine(config, { clock, log });
  return {
    get engine() {
      return engine;
    },
    clock,
    log,
    config,
    reopen: async whileClosed => {
      await engine.close();
      await whileClosed?.();
      engine = await openEngine(config, { clock, log });
      return engine;
    },
    close: async () => {
      await engine.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Opens the graph of a closed engine, so that a test can make changes that an engine never makes. */
export function openGraphOf({ dataDir, input, stores: { falkordb, qdrant } }: Config): GraphStore {
  if (!falkordb && qdrant) return openSqliteStore(dataDir);
  if (!falkordb) return openSqlitePair(dataDir, { dimensions: input.vectorSize, clock: createManualClock() }).graph;
  const { url, graph, timeoutMs } = falkordb;
  return openFalkorStore({ url, graph, timeoutMs });
}

/** Opens the vectors of a closed engine that keeps them in a separate vector store. */
export function openVectorsOf({ dataDir, input, stores: { qdrant } }: Config): VectorStore {
  const dimensions = input.vectorSize;
  if (!qdrant) return openEmbeddedVectors(dataDir, { dimensions, clock: createManualClock() });
  const { url, collection, timeoutMs } = qdrant;
  return openQdrantStore({ url, collection, timeoutMs, dimensions });
}

/** Settings for an engine whose vectors are separate from its graph, so that the two can drift. */
export async function settingsForVectorsApart(): Promise<Record<string, string>> {
  // If the tests run with FalkorDB, the vectors are already separate from the graph.
  if ('FALKORDB_URL' in defaults('')) return {};
  return { QDRANT_URL: (await startedQdrant()).url };
}
