/** Measures storing memories in an open engine that already contains memories. */
import { batchesOf, makeMemories, tagged } from '../corpus.mjs';
import { RUN_TAG } from './filled-store.mjs';
import { timed } from './statistics.mjs';

const SINGLES_MAX = 300;

/** @param count number of memories stored in batches; `calls`: number stored one at a time, up to `SINGLES_MAX` */
export async function measureWrites(engine, { count, calls }, report) {
  const batches = batchesOf(count, 100).map(batch => batch.map(memory => tagged(memory, [RUN_TAG])));
  const acknowledgedMs = await timed(async () => {
    for (const batch of batches) await engine.storeMany(batch);
  });
  const restMs = await timed(() => engine.idle());
  report.value('stored in batches of 500, acknowledged', '/s', (count / acknowledgedMs) * 1000);
  report.value('stored, embedded and enriched', '/s', (count / (acknowledgedMs + restMs)) * 1000);
  const singles = makeMemories(Math.min(calls, SINGLES_MAX), 9).map(memory => tagged(memory, [RUN_TAG]));
  const stored = [];
  await report.each('store, one at a time', singles, async memory => stored.push((await engine.store(memory)).memory));
  await engine.idle();
  await measureReplaceable(engine, stored, report);
}

/** Measures the search for memories that a new memory may replace. */
async function measureReplaceable(engine, stored, report) {
  await report.each('replaceable: none stored', stored, memory => engine.mayReplace([memory]));
  const again = stored.map(({ content }) => ({ content: `${content} again`, metadata: {}, tags: [RUN_TAG] }));
  const copies = [];
  for (let start = 0; start < again.length; start += 500) {
    copies.push(...(await engine.storeMany(again.slice(start, start + 500))).memories);
  }
  await engine.idle();
  await report.each('replaceable: a copy stored', copies, memory => engine.mayReplace([memory]));
}
