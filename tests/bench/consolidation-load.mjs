/**
 * Measures a full run of consolidation over many memories: how long each task takes, how much RAM it needs, and how
 * long recalls take during the task.
 *
 *   npm run build && node tests/bench/consolidation-load.mjs [--size 100000] [--data FOLDER] [--falkordb] [--alone]
 *
 * `--data` uses a copy of a data folder instead of new memories. `--falkordb` keeps the graph in a FalkorDB server, as
 * `stores.mjs` does. `--alone` makes no recalls during the run, so that the reported RAM is that of the run alone.
 */
import { cpSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadConfig, openEngine } from '../../build/index.js';
import { makeMemories, randomSource } from './corpus.mjs';
import { startFalkorServer, temporaryFolders } from './falkor-server.mjs';

const { values: flags } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    data: { type: 'string' },
    falkordb: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
  },
});
const size = Number(flags.size);
const ALL = { tags: [], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix', limit: 10 };
/** Number of recalls before the measurement, because the first thousand recalls fill caches and grow the heap. */
const WARMING_RECALLS = 2_000;
const IDLE_RECALLS = 100;
const SAMPLE_EVERY_MS = 200;
const TASKS = ['decay', 'creative', 'cluster', 'forget'];

const folders = temporaryFolders();
const server = flags.falkordb ? await startFalkorServer(folders) : undefined;
const dataDir = folders.make();
if (flags.data) cpSync(flags.data, dataDir, { recursive: true, filter: path => !/owner/.test(path) });
const engine = await openEngine(
  loadConfig({
    ENGRAPH_DATA_DIR: dataDir,
    EMBEDDING_PROVIDER: 'hash',
    LOG_LEVEL: 'error',
    SYNC_CHECK_INTERVAL_SECONDS: '0',
    CONSOLIDATION_ARCHIVE_THRESHOLD: '0.05',
    ...(server && { FALKORDB_URL: server.url, FALKORDB_GRAPH: `bench-${process.pid}` }),
  }),
);

const random = randomSource(7);
const texts = makeMemories(1_000, 3).map(({ content }) => content);
async function timedRecall() {
  const words = texts[Math.floor(random() * texts.length)].split(' ').slice(3, 8).join(' ');
  const startedMs = performance.now();
  await engine.recall({ ...ALL, query: words });
  return performance.now() - startedMs;
}
const at = (durations, share) => [...durations].sort((a, b) => a - b)[Math.floor((durations.length - 1) * share)];
const shown = durations =>
  `p50 ${at(durations, 0.5).toFixed(1)} ms, p95 ${at(durations, 0.95).toFixed(1)} ms (${durations.length} recalls)`;
const beside = (durations, idle) =>
  durations.length === 0
    ? ''
    : `; recalls ${shown(durations)}, p95 ${(at(durations, 0.95) / at(idle, 0.95)).toFixed(1)} times idle`;
const mebibytes = bytes => Math.round(bytes / 1_048_576);
const out = line => process.stdout.write(`${line}\n`);

try {
  if (!flags.data) {
    const memories = makeMemories(size);
    for (let start = 0; start < size; start += 500) await engine.storeMany(memories.slice(start, start + 500));
  }
  await engine.idle();
  for (let turn = 0; turn < WARMING_RECALLS; turn++) await timedRecall();
  const idle = [];
  for (let turn = 0; turn < IDLE_RECALLS; turn++) idle.push(await timedRecall());
  const { memoryCount } = (await engine.health()).graph;
  out(`${memoryCount} memories, resident ${mebibytes(process.memoryUsage.rss())} MiB; idle: ${shown(idle)}`);
  let totalMs = 0;
  for (const mode of TASKS) {
    let peak = 0;
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, SAMPLE_EVERY_MS);
    const startedMs = performance.now();
    let isRunning = true;
    const run = engine.consolidation.run({ mode, isDryRun: false }).finally(() => {
      isRunning = false;
    });
    const during = [];
    // Recalls run for a tenth of the time, because a user asks only from time to time.
    while (isRunning && !flags.alone) {
      const tookMs = await timedRecall();
      during.push(tookMs);
      await new Promise(resolve => setTimeout(resolve, tookMs * 9));
    }
    const [{ count, changeCount, stopped }] = await run;
    const tookMs = performance.now() - startedMs;
    totalMs += tookMs;
    clearInterval(sampling);
    out(
      `${mode}: ${(tookMs / 1000).toFixed(1)} s, counted ${count}, ${changeCount} changes${stopped ? ', stopped' : ''}; ` +
        `peak ${mebibytes(Math.max(peak, process.memoryUsage.rss()))} MiB${beside(during, idle)}`,
    );
  }
  out(`all four: ${(totalMs / 1000).toFixed(1)} s`);
} finally {
  await engine.close();
  server?.stop();
  folders.remove();
}
