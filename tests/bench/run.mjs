/**
 * Speed of the engine in process, on the embedded stores with the hash embedder.
 *
 *   npm run bench -- [--sizes 10000,100000] [--queries 300]
 *
 * Figures of one run compare with each other only; the first line gives a baseline of this machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createHashEmbedder } from '../../dist/embedding/hash.js';
import { loadConfig, openEngine } from '../../dist/index.js';
import { recall } from '../../dist/recall/recall.js';
import { createTextCache } from '../../dist/recall/score/text-cache.js';
import { openSqlitePair } from '../../dist/stores/sqlite/store.js';
import { makeMemories, makeQueries } from './corpus.mjs';

const { values: flags } = parseArgs({
  options: { sizes: { type: 'string', default: '10000' }, queries: { type: 'string', default: '300' } },
});
const queryCount = Number(flags.queries);
const ALL = { limit: 5, tags: [], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix' };

const out = line => process.stdout.write(`${line}\n`);
const mib = bytes => `${(bytes / 1_048_576).toFixed(0)} MiB`;

function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

async function timed(action) {
  const startedMs = performance.now();
  await action();
  return performance.now() - startedMs;
}

async function latencies(label, inputs, action) {
  const durations = [];
  for (const input of inputs) durations.push(await timed(() => action(input)));
  durations.sort((a, b) => a - b);
  const [p50, p95, max] = [0.5, 0.95, 1].map(share => percentile(durations, share).toFixed(2));
  out(`  ${label.padEnd(34)} p50 ${p50.padStart(7)} ms   p95 ${p95.padStart(7)} ms   max ${max.padStart(7)} ms`);
}

/** A loop of plain arithmetic: what this machine does at this moment. */
async function baseline() {
  const durationMs = await timed(() => {
    let sum = 0;
    for (let index = 0; index < 2e8; index++) sum = (sum + index * 7) | 0;
    return sum;
  });
  out(`baseline: 200 million integer steps in ${durationMs.toFixed(0)} ms`);
}

/** Edges for expansion to follow: a chain through one project. */
async function linkSome(engine) {
  const { memories } = await engine.listByTag({ tags: ['user1'], limit: 200, offset: 0 });
  const items = memories.slice(1).map(({ memory }, index) => ({
    memory1_id: memories[index].memory.id,
    memory2_id: memory.id,
    type: 'LEADS_TO',
    strength: 0.7,
    properties: {},
  }));
  await engine.associateMany(items);
}

async function measure(size) {
  const dataDir = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const config = loadConfig({
    ...process.env,
    ENGRAPH_DATA_DIR: dataDir,
    EMBEDDING_PROVIDER: 'hash',
    LOG_LEVEL: 'warn',
  });
  const memories = makeMemories(size);
  out(`\n${size} memories`);
  let engine = await openEngine(config);

  const batchMs = await timed(async () => {
    for (let start = 0; start < size; start += 500) {
      await engine.storeMany(memories.slice(start, start + 500).map(memory => ({ ...memory })));
    }
  });
  out(`  batches of 500: ${((size / batchMs) * 1000).toFixed(0)} memories/s acknowledged`);
  const settleMs = await timed(() => engine.idle());
  out(`  all embedded and enriched ${((batchMs + settleMs) / 1000).toFixed(1)} s after the first batch`);
  await linkSome(engine);
  const singles = makeMemories(300, 9);
  const stored = [];
  await latencies('store, one at a time', singles, async memory => stored.push((await engine.store(memory)).memory));
  const again = memories.slice(0, 300).map(({ content }) => ({ content: `${content} again`, metadata: {} }));
  const copies = (await engine.storeMany(again)).memories;
  await engine.idle();
  await latencies('name what is similar: nothing', stored, memory => engine.similarTo(memory, []));
  await latencies('name what is similar: a copy', copies, memory => engine.similarTo(memory, []));

  const queries = makeQueries(memories, queryCount);
  for (const query of queries.slice(0, 50)) await engine.recall({ ...ALL, query });
  await latencies('recall', queries, query => engine.recall({ ...ALL, query }));
  await latencies('recall, limit 20', queries, query => engine.recall({ ...ALL, query, limit: 20 }));
  await latencies('recall with both expansions', queries, query =>
    engine.recall({
      ...ALL,
      query,
      expansion: { relations: true, entities: true, minImportance: 0, minStrength: 0, respectTags: false },
    }),
  );
  await latencies('recall in one project (2 %)', queries, query =>
    engine.recall({ ...ALL, query, tags: ['project:p7'] }),
  );
  await latencies('recall in one week (2 %)', queries, query =>
    engine.recall({ ...ALL, query, start: '2025-06-01T00:00:00.000Z', end: '2025-06-08T00:00:00.000Z' }),
  );
  await latencies('recall without a query', queries, () => engine.recall(ALL));
  await latencies('by tag, 20 of 20 %', queries, () => engine.listByTag({ tags: ['user3'], limit: 20, offset: 0 }));
  out(`  memory: ${mib(process.memoryUsage().rss)} resident, ${mib(process.memoryUsage().heapUsed)} heap`);
  await engine.close();

  const reopenMs = await timed(async () => {
    engine = await openEngine(config);
    await engine.recall({ ...ALL, query: queries[0] });
  });
  out(`  open to first answer: ${reopenMs.toFixed(0)} ms`);
  await engine.close();
  out('  where a recall spends its time:');
  await shares(config, queries);
  rmSync(dataDir, { recursive: true, force: true });
}

/**
 * Times every method of a part, one call after the other so that the times add up: a real recall runs the two channels at
 * once. What is left of a recall is our own code: text analysis, scores, order.
 */
function timedPart(part, spentMs, turn) {
  return new Proxy(part, {
    get: (target, name) => {
      const member = target[name];
      if (typeof member !== 'function') return member;
      return (...given) => {
        const result = turn.last.then(async () => {
          const startedMs = performance.now();
          const value = await member.apply(target, given);
          spentMs.set(name, (spentMs.get(name) ?? 0) + performance.now() - startedMs);
          return value;
        });
        turn.last = result;
        return result;
      };
    },
  });
}

async function shares(config, queries) {
  const spentMs = new Map();
  const turn = { last: Promise.resolve() };
  const clock = {
    nowMs: Date.now,
    elapsedMs: () => performance.now(),
    schedule: (delayMs, callback) => {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
  };
  const { graph, vectors } = openSqlitePair(config.dataDir, { dimensions: config.input.vectorSize, clock });
  const parts = {
    graph: timedPart(graph, spentMs, turn),
    vectors: timedPart(vectors, spentMs, turn),
    embedder: timedPart(createHashEmbedder(config.input.vectorSize), spentMs, turn),
    settings: config.recall,
    clock,
    texts: createTextCache(),
    onDegraded: error => out(String(error)),
  };
  for (const query of queries.slice(0, 50)) await recall(parts, { ...ALL, query });
  spentMs.clear();
  const totalMs = await timed(async () => {
    for (const query of queries) await recall(parts, { ...ALL, query });
  });
  const known = [...spentMs].reduce((sum, [, ms]) => sum + ms, 0);
  const rows = [...spentMs, ['text analysis, scores and order', totalMs - known]].sort((a, b) => b[1] - a[1]);
  for (const [name, ms] of rows) {
    out(
      `    ${name.padEnd(40)} ${(ms / queries.length).toFixed(2).padStart(6)} ms  ${((ms / totalMs) * 100).toFixed(0).padStart(3)} %`,
    );
  }
  await vectors.close();
  await graph.close();
}

await baseline();
for (const size of flags.sizes.split(',').map(Number)) await measure(size);
