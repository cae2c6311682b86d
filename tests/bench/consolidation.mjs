/**
 * Measures how much consolidation finds in the planted corpus: links across topics, groups that match the topics,
 * repetitions and replaced facts. Each figure is given for the half used in development and for the held-out half.
 *
 *   npm run build && node tests/bench/consolidation.mjs [--provider hash|local] [--model FOLDER] [--sparse] [--missed]
 *
 * The model folder may also come from LOCAL_EMBEDDING_PATH, and the provider from EMBEDDING_PROVIDER. With `--sparse`,
 * two memories of five have no tag. `--missed` lists wrong links and wrong proposals, and the summaries of the groups.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readNewMemory } from '../../build/api/memory-requests.js';
import { planCluster } from '../../build/consolidation/tasks/cluster.js';
import { planCreative } from '../../build/consolidation/tasks/creative.js';
import { loadConfig, openEngine } from '../../build/index.js';
import { createJudge } from '../../build/replacement/judge.js';
import { openSqlitePair } from '../../build/stores/sqlite/store.js';
import { loadTypeScript } from './load-typescript.mjs';

const { values: flags } = parseArgs({
  options: {
    provider: { type: 'string', default: process.env.EMBEDDING_PROVIDER ?? 'hash' },
    model: { type: 'string', default: process.env.LOCAL_EMBEDDING_PATH },
    sparse: { type: 'boolean', default: false },
    missed: { type: 'boolean', default: false },
  },
});
const DIMENSIONS = 1024;
/** What the judge of replacements must know about the vectors of a provider. */
const JUDGED = {
  hash: { understandsMeaning: false, unrelatedSimilarity: 0.15 },
  local: { understandsMeaning: true, unrelatedSimilarity: 0.05 },
};
const HALVES = ['development', 'heldOut'];
const out = line => process.stdout.write(`${line}\n`);
const planted = await loadTypeScript(new URL('../consolidation/index.ts', import.meta.url));

/** Stores the memories with an engine in a new folder, closes the engine, and calls `use` with the stores. */
async function withStored(memories, use) {
  const dataDir = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const config = loadConfig({
    ENGRAPH_DATA_DIR: dataDir,
    VECTOR_SIZE: String(DIMENSIONS),
    EMBEDDING_PROVIDER: flags.provider,
    LOG_LEVEL: 'warn',
    ...(flags.model && { LOCAL_EMBEDDING_PATH: resolve(flags.model) }),
  });
  const engine = await openEngine(config);
  await engine.storeMany(memories.map(input => readNewMemory(input, engine.limits)));
  await engine.idle();
  await engine.close();
  const { graph, vectors } = openSqlitePair(dataDir, { dimensions: DIMENSIONS, clock: planted.createManualClock() });
  const [first] = await graph.readRecords({ limit: 1 });
  const context = {
    graph,
    vectors,
    models: [first.memory.embedded_by],
    judge: createJudge(JUDGED[flags.provider] ?? JUDGED.hash),
    settings: config.consolidation,
    nowMs: Date.parse('2026-03-01T09:00:00Z'),
    runId: 'bench',
    random: Math.random,
    onPage: async () => {},
  };
  try {
    await use(context);
  } finally {
    await vectors.close();
    await graph.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function changesOf(planner, context) {
  const startedMs = performance.now();
  const changes = [];
  for await (const page of planner(context)) changes.push(...page.changes);
  return { changes, seconds: (performance.now() - startedMs) / 1000 };
}

async function edgedPairs({ graph }, ids) {
  const edges = [...(await graph.relationsOf({ ids, limit: 1000 })).values()].flat();
  return new Set(edges.map(({ from, to }) => planted.keyOf([from, to])));
}

function report(label, { planted: count, found, wrong, precision }, contentOf) {
  out(`  ${label.padEnd(22)} found ${found} of ${count}, wrong ${wrong.length}, precision ${precision.toFixed(2)}`);
  if (!flags.missed) return;
  for (const pair of wrong)
    out(
      `    wrong: ${pair
        .split(' ')
        .map(id => contentOf.get(id))
        .join(' | ')}`,
    );
}

function reportAll(corpus, { links, cluster, edged, half }) {
  const contentOf = new Map(corpus.memories.map(({ id, input }) => [id, input.content]));
  const ofLinks = planted.measureLinks(corpus, { changes: links, edged, half });
  report('links across topics', ofLinks, contentOf);
  out(`  ${'links within topics'.padEnd(22)} ${ofLinks.withinTopics}`);
  const { agreement, grouped, memories } = planted.measureGroups(corpus, { changes: cluster, half });
  out(`  ${'groups'.padEnd(22)} adjusted Rand index ${agreement.toFixed(3)}, ${grouped} of ${memories} in a group`);
  for (const kind of ['duplicate', 'replaced']) {
    report(kind, planted.measureProposals(corpus, { changes: cluster, kind, half }), contentOf);
  }
}

/** Stores the given halves of the corpus together, and reports on each half. */
async function reportCorpus(halves) {
  const corpus = planted.plantedCorpus(halves, flags.sparse ? 'sparse' : 'usual');
  const inputs = corpus.memories.map(({ input }) => input);
  await withStored(inputs, async context => {
    const edged = await edgedPairs(
      context,
      corpus.memories.map(({ id }) => id),
    );
    const creative = await changesOf(planCreative, context);
    const cluster = await changesOf(planCluster, context);
    const times = `creative ${creative.seconds.toFixed(1)} s, cluster ${cluster.seconds.toFixed(1)} s`;
    for (const half of halves) {
      out(
        `${half}${halves.length > 1 ? ', with the other half stored' : ', alone'} (${inputs.length} memories; ${times})`,
      );
      reportAll(corpus, { links: creative.changes, cluster: cluster.changes, edged, half });
    }
    if (halves.length === 1) return;
    const { agreement, groups } = planted.measureGroups(corpus, { changes: cluster.changes });
    out(`both: ${groups} groups, adjusted Rand index ${agreement.toFixed(3)}`);
    if (!flags.missed) return;
    for (const { after } of cluster.changes.filter(({ kind }) => kind === 'summary')) out(`    ${after.content}`);
  });
}

/**
 * Reports how many pairs of notes consolidation proposes as replaced or as duplicates. The pairs were written for
 * another purpose. In differing pairs the newer note replaces the older one, and in related pairs both are valid.
 */
async function reportPairs(label, pairs) {
  const idOf = (pair, end) => `00000000-0000-4000-8000-${String(pair * 2 + end).padStart(12, '0')}`;
  const inputs = pairs.flatMap(({ tags, older, newer }, pair) =>
    [older, newer].map((note, end) => ({ id: idOf(pair, end), content: note.content, tags, timestamp: note.at })),
  );
  await withStored(inputs, async context => {
    const { changes } = await changesOf(planCluster, context);
    const own = new Set(pairs.map((_, pair) => planted.keyOf([idOf(pair, 0), idOf(pair, 1)])));
    for (const kind of ['replaced', 'duplicate']) {
      const said = planted.proposalsIn(changes, kind).map(({ olderId, newerId }) => planted.keyOf([olderId, newerId]));
      const within = said.filter(key => own.has(key)).length;
      out(`  ${`${label}, ${kind}`.padEnd(22)} ${within} of ${pairs.length} pairs, ${said.length - within} others`);
    }
  });
}

out(`${flags.provider} vectors${flags.sparse ? ', sparse tags' : ''}`);
await reportCorpus(HALVES);
for (const half of HALVES) await reportCorpus([half]);
out('pairs of the golden set');
await reportPairs('differing', planted.DIFFERING_PAIRS);
await reportPairs('related', planted.RELATED_PAIRS);
