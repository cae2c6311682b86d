/** A real engine on the embedded stores in a folder of its own, with time that only a test moves. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../src/config.js';
import type { Engine } from '../../src/engine/engine.js';
import { openEngine } from '../../src/engine/open.js';
import { createLogger, type Logger } from '../../src/log.js';
import { openEmbeddedVectors } from '../../src/stores/embedded-vectors/store.js';
import { openFalkorStore } from '../../src/stores/falkordb/store.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { createManualClock, type ManualClock } from './manual-clock.js';

export interface TestEngine {
  engine: Engine;
  clock: ManualClock;
  log: Logger;
  config: Config;
  /** Closes the engine and opens another one on the same folder, where somebody may have been at work in between. */
  reopen(whileClosed?: () => Promise<void>): Promise<Engine>;
  /** Closes the engine and removes its folder. */
  close(): Promise<void>;
}

const DIMENSIONS = 64;
let emptyVectors: Promise<string> | undefined;

/** Making an empty collection takes twice as long as opening a copy of one, and tests do so by the hundred. */
async function provideVectors(dataDir: string): Promise<void> {
  emptyVectors ??= makeEmptyVectors();
  cpSync(await emptyVectors, dataDir, { recursive: true });
}

async function makeEmptyVectors(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'engraph-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await (await openEmbeddedVectors(folder, DIMENSIONS)).close();
  return folder;
}

let defaults: (dataDir: string) => Record<string, string> = () => ({});

/** Settings that every engine opened from here on gets beside its own, such as another graph store for its folder. */
export function setTestDefaults(next: (dataDir: string) => Record<string, string>): void {
  defaults = next;
}

/** @param env settings by the name of their variable */
export async function openTestEngine(env: Record<string, string> = {}): Promise<TestEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'engraph-test-'));
  // `auto` would look on the network for a model.
  const config = loadConfig({
    ENGRAPH_DATA_DIR: dataDir,
    VECTOR_SIZE: String(DIMENSIONS),
    EMBEDDING_PROVIDER: 'hash',
    ...defaults(env.ENGRAPH_DATA_DIR ?? dataDir),
    ...env,
  });
  if (config.input.vectorSize === DIMENSIONS && config.dataDir === dataDir) await provideVectors(dataDir);
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

/** The graph that an engine of these settings uses, for what no engine would do. Not beside one that is open. */
export function openGraphOf({ dataDir, stores: { falkordb } }: Config): GraphStore {
  if (!falkordb) return openSqliteStore(dataDir);
  const { url, graph, timeoutMs } = falkordb;
  return openFalkorStore({ url, graph, timeoutMs });
}
