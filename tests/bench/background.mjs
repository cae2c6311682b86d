/**
 * Measures the speed of background work on each graph: stores memories in batches, and waits until no work is left.
 * Then measures how long a recall takes.
 *
 *   npm run build && node tests/bench/background.mjs [--size 2000] [--only FalkorDB] [--url falkor://host:port]
 *     [--qdrant http://host:port]
 *
 * Without a URL it starts `valkey-server` with the module of `@falkordblite/linux-x64`, as `stores.mjs` does.
 */
import { parseArgs } from 'node:util';
import { loadConfig, openEngine } from '../../build/index.js';
import { makeMemories, makeQueries } from './corpus.mjs';
import { startFalkorServer, temporaryFolders } from './falkor-server.mjs';

const { values: flags } = parseArgs({
  options: {
    size: { type: 'string', default: '2000' },
    only: { type: 'string' },
    url: { type: 'string' },
    qdrant: { type: 'string' },
  },
});
const size = Number(flags.size);
const folders = temporaryFolders();
const server = flags.url ? undefined : await startFalkorServer(folders);
const graphs = {
  SQLite: {},
  FalkorDB: { FALKORDB_URL: flags.url ?? server.url, FALKORDB_GRAPH: `bench-${process.pid}` },
};

const RECALLS = 200;

/** Median and 95th percentile of `RECALLS` recalls, in milliseconds, after the same number of recalls as warm-up. */
async function recallTimes(engine, memories) {
  const durations = [];
  for (const query of makeQueries(memories, 2 * RECALLS)) {
    const startedMs = performance.now();
    await engine.recall({ limit: 5, tags: [], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix', query });
    durations.push(performance.now() - startedMs);
  }
  const sorted = durations.slice(RECALLS).sort((a, b) => a - b);
  return [0.5, 0.95].map(share => sorted[Math.floor(RECALLS * share)].toFixed(1));
}

try {
  for (const [name, settings] of Object.entries(graphs)) {
    if (flags.only && flags.only !== name) continue;
    const engine = await openEngine(
      loadConfig({
        ENGRAPH_DATA_DIR: folders.make(),
        EMBEDDING_PROVIDER: 'hash',
        LOG_LEVEL: 'error',
        ...settings,
        ...(flags.qdrant && { QDRANT_URL: flags.qdrant, QDRANT_COLLECTION: `bench-${name}-${process.pid}` }),
      }),
    );
    const startedMs = performance.now();
    const memories = makeMemories(size);
    for (let start = 0; start < size; start += 500) await engine.storeMany(memories.slice(start, start + 500));
    const storedMs = performance.now();
    await engine.idle();
    const endedMs = performance.now();
    const perSecond = ms => Math.round((size / ms) * 1000);
    process.stdout.write(
      `${name}: ${size} memories stored in ${Math.round(storedMs - startedMs)} ms, all work done ` +
        `${Math.round(endedMs - storedMs)} ms later: ${perSecond(endedMs - startedMs)} a second\n`,
    );
    const [median, p95] = await recallTimes(engine, memories);
    process.stdout.write(`${name}: a recall takes ${median} ms (p50), ${p95} ms (p95)\n`);
    await engine.close();
  }
} finally {
  server?.stop();
  folders.remove();
}
