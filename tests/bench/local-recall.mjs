/**
 * Measures recall while the `local` embedder embeds memories, and compares it with recall while no other work is
 * pending.
 *
 *   npm run build && node tests/bench/local-recall.mjs ../models/all-MiniLM-L6-v2 [--memories 2000] [--long]
 *
 * The memories are sentences. With `--long`, the memories that wait for embedding are messages of 2,000 characters.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadConfig, openEngine } from '../../build/index.js';
import { makeMemories, makeQueries } from './corpus.mjs';

const { values: flags, positionals } = parseArgs({
  options: { memories: { type: 'string', default: '2000' }, long: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const ALL = { limit: 5, tags: [], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix' };
const BATCH = 500;
const IDLE_RECALLS = 300;
const LONG_CHARACTERS = 2000;
/** Pause between two recalls, as between the questions of a client. */
const PAUSE_MS = 20;

const out = line => process.stdout.write(`${line}\n`);
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

async function store(engine, memories) {
  for (let start = 0; start < memories.length; start += BATCH) {
    await engine.storeMany(memories.slice(start, start + BATCH));
  }
}

/** The same memories, made long by appending the contents of others. */
function lengthened(memories) {
  return memories.map((memory, index) => {
    let content = memory.content;
    for (let next = index + 1; content.length < LONG_CHARACTERS; next++)
      content += ` ${memories[next % memories.length].content}`;
    return { ...memory, content: content.slice(0, LONG_CHARACTERS) };
  });
}

/** Runs recalls one after the other, as long as there are queries and `goesOn` returns true. */
async function recalls(engine, queries, goesOn) {
  const durations = [];
  let withVectors = 0;
  for (const query of queries) {
    if (!goesOn()) break;
    const startedMs = performance.now();
    const { isVectorSearchEnabled } = await engine.recall({ ...ALL, query });
    durations.push(performance.now() - startedMs);
    if (isVectorSearchEnabled) withVectors += 1;
    await sleep(PAUSE_MS);
  }
  return { durations: durations.sort((a, b) => a - b), withVectors };
}

function report(label, { durations, withVectors }) {
  const [p50, p95, max] = [0.5, 0.95, 1].map(share => at(durations, share).toFixed(1));
  out(
    `${label.padEnd(28)} p50 ${p50} ms   p95 ${p95} ms   max ${max} ms   (${durations.length}, ${withVectors} by vectors)`,
  );
}

const dataDir = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
const engine = await openEngine(
  loadConfig({
    ENGRAPH_DATA_DIR: dataDir,
    EMBEDDING_PROVIDER: 'local',
    LOCAL_EMBEDDING_PATH: resolve(positionals[0] ?? '../models/all-MiniLM-L6-v2'),
    LOG_LEVEL: 'warn',
  }),
);
const count = Number(flags.memories);
const first = makeMemories(count, 1);
const queries = makeQueries(first, 100_000);
await store(engine, first);
await engine.idle();
await recalls(engine, queries.slice(0, 50), () => true);
const idle = await recalls(engine, queries.slice(0, IDLE_RECALLS), () => true);
report('recall, idle:', idle);

const waiting = makeMemories(count, 2);
await store(engine, flags.long ? lengthened(waiting) : waiting);
const startedMs = performance.now();
let isDone = false;
const done = engine.idle().then(() => {
  isDone = true;
});
const busy = await recalls(engine, queries, () => !isDone);
await done;
const durationS = (performance.now() - startedMs) / 1000;
report(`recall, embedding ${count}${flags.long ? ' long' : ''}:`, busy);
const [p50Times, p95Times] = [0.5, 0.95].map(share => at(busy.durations, share) / at(idle.durations, share));
out(`p50 is ${p50Times.toFixed(1)} times that of idle, p95 ${p95Times.toFixed(1)} times`);
out(`embedded in ${durationS.toFixed(0)} s, ${(count / durationS).toFixed(0)} memories/s beside the recalls`);
await engine.close();
rmSync(dataDir, { recursive: true, force: true });
