/**
 * Compares the embedded graph with FalkorDB in one run. Two engines get the same memories and vectors. Each call goes
 * to both engines, one after the other.
 *
 *   npm run build && node tests/bench/stores.mjs [--size 10000] [--calls 200] [--url falkor://host:port] [--fsync always]
 *
 * Without `--url`, the benchmark starts `valkey-server` with the module of `@falkordblite/linux-x64` on a Unix socket.
 * `--fsync` sets the option `appendfsync` of this server.
 */
import { parseArgs } from 'node:util';
import { loadConfig, openEngine } from '../../build/index.js';
import { makeMemories, makeQueries } from './corpus.mjs';
import { startFalkorServer, temporaryFolders } from './falkor-server.mjs';

const { values: flags } = parseArgs({
  options: {
    size: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '200' },
    url: { type: 'string' },
    fsync: { type: 'string', default: 'always' },
  },
});
const size = Number(flags.size);
const calls = Number(flags.calls);
const ALL = { limit: 5, tags: [], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix' };
const EXPANSION = { relations: true, entities: true, minImportance: 0, minStrength: 0, respectTags: false };
const ENGINES = ['SQLite', 'FalkorDB'];
/** Number of warm-up questions for each measured recall. All are asked first, so that V8 has compiled the code. */
const WARM_UPS_PER_CALL = 3;

const folders = temporaryFolders();
const undo = [() => folders.remove()];
const out = line => process.stdout.write(`${line}\n`);

async function open(env = {}) {
  const settings = { EMBEDDING_PROVIDER: 'hash', LLM_PROVIDER: 'none', LOG_LEVEL: 'warn', ...env };
  const engine = await openEngine(loadConfig({ ...settings, ENGRAPH_DATA_DIR: folders.make() }));
  undo.push(() => engine.close());
  return engine;
}

const quantile = (durations, share) => durations.toSorted((a, b) => a - b)[Math.floor((durations.length - 1) * share)];

/** Each input goes to both engines, which take turns in being first. */
async function compare(label, inputs, action) {
  const durations = ENGINES.map(() => []);
  for (const [turn, input] of inputs.entries()) {
    for (const step of [0, 1]) {
      const which = (turn + step) % 2;
      const startedMs = performance.now();
      await action(engines[which], input, which);
      durations[which].push(performance.now() - startedMs);
    }
  }
  const cells = durations.map(each =>
    `${quantile(each, 0.5).toFixed(2)} / ${quantile(each, 0.95).toFixed(2)}`.padStart(18),
  );
  const ratio = quantile(durations[1], 0.5) / quantile(durations[0], 0.5);
  out(`${label.padEnd(34)}${cells.join('')}${`${ratio.toFixed(1)}x`.padStart(9)}`);
}

async function linkSome(engine) {
  const { memories } = await engine.listByTag({ tags: ['user1'], limit: 100, offset: 0 });
  const link = ({ memory }, index) => {
    return {
      memory1_id: memories[index].memory.id,
      memory2_id: memory.id,
      type: 'LEADS_TO',
      strength: 0.7,
      properties: {},
    };
  };
  await engine.associateMany(memories.slice(1).map(link));
}

const server = flags.url ? undefined : await startFalkorServer(folders, flags.fsync);
if (server) undo.push(() => server.stop());
const url = flags.url ?? server.url;
const engines = [await open(), await open({ FALKORDB_URL: url, FALKORDB_GRAPH: `bench-${process.pid}` })];
const memories = makeMemories(size);
const copies = items => items.map(item => ({ ...item }));
out(`${size} memories; median / 95th percentile in ms${flags.url ? '' : `; FalkorDB with appendfsync ${flags.fsync}`}`);
out(`${''.padEnd(34)}${ENGINES.map(name => name.padStart(18)).join('')}    median`);

const batches = Array.from({ length: size / 100 }, (_, index) => memories.slice(index * 100, (index + 1) * 100));
await compare('store 100 in a batch', batches, (engine, batch) => engine.storeMany(copies(batch)));
for (const [which, engine] of engines.entries()) {
  const startedMs = performance.now();
  await engine.idle();
  out(`${ENGINES[which]}: embedded and enriched after ${((performance.now() - startedMs) / 1000).toFixed(0)} s more`);
  await linkSome(engine);
}
await compare('store one', makeMemories(calls, 9), (engine, memory) => engine.store({ ...memory }));
for (const engine of engines) await engine.idle();

const queries = makeQueries(memories, calls);
for (const query of makeQueries(memories, WARM_UPS_PER_CALL * calls, 3))
  for (const engine of engines) await engine.recall({ ...ALL, query });
await compare('recall', queries, (engine, query) => engine.recall({ ...ALL, query }));
await compare('recall with both expansions', queries, (engine, query) =>
  engine.recall({ ...ALL, query, expansion: EXPANSION }),
);
await compare('recall in one project (2 %)', queries, (engine, query) =>
  engine.recall({ ...ALL, query, tags: ['project:p7'] }),
);
await compare('recall without a query', queries, engine => engine.recall(ALL));
await compare('by tag, 20 of 20 %', queries, engine => engine.listByTag({ tags: ['user3'], limit: 20, offset: 0 }));
const ids = [[], []];
for (const [which, engine] of engines.entries()) {
  const { memories: found } = await engine.listByTag({ tags: ['user2'], limit: calls, offset: 0 });
  ids[which] = found.map(({ memory }) => memory.id);
}
const numbers = Array.from({ length: Math.min(...ids.map(each => each.length)) }, (_, index) => index);
await compare('get one', numbers, (engine, number, which) => engine.get(ids[which][number]));
await compare('update one', numbers, (engine, number, which) => engine.update(ids[which][number], { importance: 0.9 }));
for (const step of undo.toReversed()) await step();
