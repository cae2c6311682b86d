/** Runs all measurements on a store of one size, in an order in which no measurement disturbs the next. */
import { openEngine } from '../../../build/index.js';
import { makeQueries } from '../corpus.mjs';
import { measureBare } from './bare.mjs';
import { configOf, filledStore, RUN_TAG } from './filled-store.mjs';
import { measureOverHttp } from './over-http.mjs';
import { measureRecalls, untilSearchedByMeaning } from './recalls.mjs';
import { createReport } from './report.mjs';
import { measureWrites } from './writes.mjs';

/**
 * @param run `queries`: number of questions; `backlog`: number of memories stored in addition, and removed again;
 * `keptIn`: folder of filled stores, absent if none are kept
 * @returns the report, with the date on which the store was filled
 */
export async function measureSize(size, run, { onProgress, onFigure }) {
  const report = createReport(size, onFigure);
  const store = await filledStore(size, { keptIn: run.keptIn, onProgress });
  const asked = questionsOf(store.sample, run.queries);
  try {
    report.value('filling the store, acknowledged', '/s', store.acknowledgedPerSecond);
    if (store.donePerSecond !== undefined)
      report.value('filling the store, embedded and enriched', '/s', store.donePerSecond);
    report.value('space on disk per memory', 'bytes', store.bytesPerMemory);
    await measureBare(store.dataDir, { ...asked, ...(run.showsShares && { onShares: onProgress }) }, report);
    await measureEngine(store.dataDir, { ...asked, run }, report);
    await measureOverHttp(store.dataDir, { ...asked, calls: run.queries, backlog: run.backlog }, report);
    if (run.keptIn) await removeWhatWasStored(store.dataDir);
  } finally {
    store.dispose();
  }
  return { ...report, filledOn: store.date };
}

/**
 * Number of warm-up questions for each measured question. All of them are asked before the measurement, so that V8 has
 * compiled the code, as in a service that has run for a while.
 */
const WARM_UPS_PER_QUESTION = 5;

function questionsOf(sample, count) {
  const memories = sample.map(content => ({ content }));
  return { queries: makeQueries(memories, count), warmUp: makeQueries(memories, WARM_UPS_PER_QUESTION * count, 3) };
}

async function measureEngine(dataDir, { queries, warmUp, run }, report) {
  const config = configOf(dataDir);
  let engine;
  await report.once('open to first answer', async () => {
    engine = await openEngine(config);
    await engine.recall({ query: queries[0] });
  });
  try {
    await measureRecalls(engine, { queries, warmUp }, report);
    await report.once('drift check', () => engine.sync({ batchSize: 32, isDryRun: true, removesOrphans: false }));
    await measureWrites(engine, { count: run.backlog, calls: run.queries }, report);
    await engine.removeByTag([RUN_TAG]);
    await engine.idle();
  } finally {
    await report.once('close', () => engine.close());
  }
  await report.once('open to first answer by meaning', async () => {
    engine = await openEngine(config);
    await untilSearchedByMeaning(engine, queries[0]);
  });
  await engine.close();
}

async function removeWhatWasStored(dataDir) {
  const engine = await openEngine(configOf(dataDir));
  await engine.removeByTag([RUN_TAG]);
  await engine.close();
}
