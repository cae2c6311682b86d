/**
 * Measures the time of an analysis and of a startup recall, on the embedded graph or on FalkorDB. Also measures how
 * long other requests wait meanwhile.
 *
 *   npm run build && node tests/bench/analyze.mjs [--sizes 10000,100000] [--runs 15] [--falkordb]
 */
import { parseArgs } from 'node:util';
import { loadConfig, openEngine } from '../../build/index.js';
import { makeMemories } from './corpus.mjs';
import { startFalkorServer, temporaryFolders } from './falkor-server.mjs';

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    runs: { type: 'string', default: '15' },
    falkordb: { type: 'boolean', default: false },
  },
});
const RUNS = Number(flags.runs);
const TYPES = ['Decision', 'Pattern', 'Preference', 'Style', 'Habit', 'Insight', 'Context'];

const folders = temporaryFolders();
const out = line => process.stdout.write(`${line}\n`);

/**
 * Starts to measure how long other work has to wait.
 *
 * @returns a function that ends the measurement and returns the longest wait in milliseconds
 */
function watchBlocking() {
  let [lastMs, longestMs] = [performance.now(), 0];
  const timer = setInterval(() => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs - 1);
    lastMs = nowMs;
  }, 1);
  return () => {
    clearInterval(timer);
    return longestMs;
  };
}

async function latency(label, action) {
  const durations = [];
  const stop = watchBlocking();
  for (let turn = 0; turn < RUNS; turn++) {
    const startedMs = performance.now();
    await action();
    durations.push(performance.now() - startedMs);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  const blockedMs = stop();
  const [first] = durations;
  const sorted = durations.toSorted((a, b) => a - b);
  const cells = { first, p50: sorted[sorted.length >> 1], max: sorted.at(-1), 'others wait': blockedMs };
  const text = Object.entries(cells).map(([name, ms]) => `${name} ${ms.toFixed(1).padStart(7)} ms`);
  out(`  ${label.padEnd(16)} ${text.join('   ')}`);
}

/** Connects each memory with the next by an edge. Every tenth edge is a preference. */
async function relate(engine, ids) {
  for (let start = 0; start + 1 < ids.length; start += 500) {
    const part = ids.slice(start, start + 501);
    await engine.associateMany(
      part.slice(1).map((id, index) => ({
        memory1_id: part[index],
        memory2_id: id,
        type: index % 10 === 0 ? 'PREFERS_OVER' : 'RELATES_TO',
        strength: (index % 97) / 97,
        properties: {},
      })),
    );
  }
}

async function measure(size, env) {
  const settings = { EMBEDDING_PROVIDER: 'hash', LLM_PROVIDER: 'none', LOG_LEVEL: 'warn', ...env };
  const engine = await openEngine(loadConfig({ ...settings, ENGRAPH_DATA_DIR: folders.make() }));
  const memories = makeMemories(size).map((memory, index) => ({
    ...memory,
    type: TYPES[index % TYPES.length],
    tags: index % 40 === 0 ? [...memory.tags, index % 80 === 0 ? 'lesson' : 'system'] : memory.tags,
  }));
  const ids = [];
  for (let start = 0; start < size; start += 500) {
    ids.push(...(await engine.storeMany(memories.slice(start, start + 500))).memories.map(({ id }) => id));
  }
  await engine.idle();
  await relate(engine, ids);
  out(`\n${size} memories, ${flags.falkordb ? 'FalkorDB' : 'SQLite'}`);
  await latency('analyze', () => engine.analyze());
  await latency('startup recall', () => engine.startupRecall());
  const { types, patterns, preferences } = await engine.analyze();
  out(`  ${types.length} types, ${patterns.length} patterns, ${preferences.length} preferences`);
  await engine.close();
}

const server = flags.falkordb ? await startFalkorServer(folders, 'no') : undefined;
try {
  for (const size of flags.sizes.split(',').map(Number)) {
    const graph = { FALKORDB_URL: server?.url, FALKORDB_GRAPH: `of-${size}`, FALKORDB_TIMEOUT_SECONDS: '60' };
    await measure(size, server ? graph : {});
  }
} finally {
  server?.stop();
  folders.remove();
}
