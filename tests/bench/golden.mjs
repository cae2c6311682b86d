/**
 * Measures the golden sets on a build: ranking, results that match a question neither by word nor by meaning, questions
 * that use other words than the notes, pairs of notes that differ, and how well confidence distinguishes answerable
 * from unanswerable questions.
 *
 *   npm run build && node tests/bench/golden.mjs [--provider hash|local] [--model FOLDER] [--code FOLDER] [--missed]
 *
 * The model folder may also come from LOCAL_EMBEDDING_PATH, and the provider from EMBEDDING_PROVIDER. `--missed` lists
 * the questions whose answer is not ranked first, and the pairs in the wrong order. The clock always shows 2026-03-01.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadTypeScript } from './load-typescript.mjs';

const { values: flags } = parseArgs({
  options: {
    provider: { type: 'string', default: process.env.EMBEDDING_PROVIDER ?? 'hash' },
    model: { type: 'string', default: process.env.LOCAL_EMBEDDING_PATH },
    code: { type: 'string', default: fileURLToPath(new URL('../../build', import.meta.url)) },
    missed: { type: 'boolean', default: false },
  },
});
const out = line => process.stdout.write(`${line}\n`);
const share = value => value.toFixed(3);

const fromCode = path => import(pathToFileURL(join(resolve(flags.code), path)).href);
const { loadConfig, openEngine } = await fromCode('index.js');
const { readNewMemory } = await fromCode('api/memory-requests.js');
const { readRecall } = await fromCode('api/recall-request.js');
const golden = await loadTypeScript(new URL('../golden/index.ts', import.meta.url));

/** Lets `use` query an engine that contains only these memories. */
async function withStored(memories, use) {
  const dataDir = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const config = loadConfig({
    ENGRAPH_DATA_DIR: dataDir,
    VECTOR_SIZE: '1024',
    EMBEDDING_PROVIDER: flags.provider,
    LOG_LEVEL: 'warn',
    ...(flags.model && { LOCAL_EMBEDDING_PATH: resolve(flags.model) }),
  });
  const engine = await openEngine(config, { clock: golden.createManualClock() });
  try {
    await engine.storeMany(golden.inputsOf(memories).map(input => readNewMemory(input, engine.limits)));
    for (const edge of golden.edgesOf(memories)) await engine.associate(edge);
    await engine.idle();
    const { nameOf } = golden.createNames(memories);
    await use({ nameOf, ask: parameters => engine.recall(readRecall(parameters, engine.limits)) });
  } finally {
    await engine.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function list(title, lines) {
  if (flags.missed) for (const line of lines) out(`    ${title}: ${line}`);
}

async function reportRanking(label, asked, queries) {
  const { precisionAt1, recallAt5, meanReciprocalRank, missed } = await golden.measureRanking(asked, queries);
  const figures = `P@1 ${share(precisionAt1)}  recall@5 ${share(recallAt5)}  MRR ${share(meanReciprocalRank)}`;
  out(`${label.padEnd(26)} ${figures}  (${queries.length} questions)`);
  list('not first', missed);
}

function levelsLine({ none, low, medium, high }) {
  return `none ${none}  low ${low}  medium ${medium}  high ${high}`;
}

async function reportLevels(label, asked, asks) {
  const counts = await golden.countLevels(asked, asks);
  out(`${label.padEnd(26)} ${levelsLine(counts)}`);
  return counts;
}

const asksOf = queries => queries.map(({ ask }) => ask);

async function reportGolden(asked) {
  await reportRanking('golden', asked, golden.ANSWERABLE_QUERIES);
  const answerable = await reportLevels('  answerable', asked, asksOf(golden.ANSWERABLE_QUERIES));
  const unanswerable = await reportLevels('  unanswerable', asked, asksOf(golden.UNANSWERABLE_QUERIES));
  out(`${'  AUC of confidence'.padEnd(26)} ${share(golden.areaUnderCurve(answerable, unanswerable))}`);
}

async function reportCrowd(asked) {
  await reportRanking('bursts', asked, golden.BURST_QUERIES);
  const { total, without, share: part } = await golden.countWithoutEvidence(asked, golden.BURST_QUERIES);
  out(`${'  without own evidence'.padEnd(26)} ${share(part)}  (${without} of ${total} among the first five)`);
  await reportLevels('  levels', asked, asksOf(golden.BURST_QUERIES));
  await reportRanking('gap', asked, golden.GAP_QUERIES);
  const answerable = await reportLevels('  answerable', asked, asksOf(golden.GAP_QUERIES));
  const unanswerable = await reportLevels('  unanswerable', asked, golden.UNANSWERABLE_GAP_QUERIES);
  out(`${'  AUC of confidence'.padEnd(26)} ${share(golden.areaUnderCurve(answerable, unanswerable))}`);
}

async function reportPairs(asked) {
  for (const set of ['development', 'heldOut']) {
    const of = pairs =>
      golden.measurePairs(
        asked,
        pairs.filter(pair => pair.set === set),
      );
    const differing = await of(golden.DIFFERING_PAIRS);
    const { pairs, bothShown, newerFirst, marked, markedBackwards } = differing;
    const shares = `marked ${marked} of ${pairs}, backwards ${markedBackwards}, newer first ${newerFirst}`;
    out(`${`differing, ${set}`.padEnd(26)} ${shares}, both shown ${bothShown}`);
    list('not newer first', differing.namesOlderFirst);
    const related = await of(golden.RELATED_PAIRS);
    const wrong = `marked ${related.namesMarked.length} of ${related.pairs}`;
    out(`${`related, ${set}`.padEnd(26)} ${wrong}, both shown ${related.bothShown}`);
    list('marked', related.namesMarked);
  }
}

out(`${flags.provider} vectors, ${resolve(flags.code)}`);
await withStored(golden.MEMORIES, reportGolden);
await withStored(golden.CROWD, reportCrowd);
const pairs = golden.memoriesOf([...golden.DIFFERING_PAIRS, ...golden.RELATED_PAIRS]);
await withStored({ ...golden.CROWD, ...pairs }, reportPairs);
