/** Measures a filled store behind `engraph serve`, over one persistent connection. */
import { openClient, recallOver, settled, startService, storeAndRecall, storeBacklog } from '../service.mjs';
import { RUN_TAG } from './filled-store.mjs';

const CALLS_MAX = 150;

/** @param backlog number of memories that wait in the background while others are stored */
export async function measureOverHttp(dataDir, { queries, warmUp, calls, backlog }, report) {
  const service = await startService(dataDir);
  try {
    const client = openClient(service.base);
    await untilSearchedByMeaning(client, queries[0]);
    report.value('resident memory of the service after its start', 'MiB', await residentMiB(client));
    const ask = query => recallOver(client, query);
    await report.recalls(
      `first ${queries.length} recalls over HTTP after the start`,
      warmUp.slice(0, queries.length),
      ask,
    );
    for (const query of warmUp.slice(queries.length)) await ask(query);
    await report.recalls('recall over HTTP', queries, ask);
    await measureFairness(client, { calls: Math.min(calls, CALLS_MAX), backlog }, report);
    report.value('resident memory of the service after the run', 'MiB', await residentMiB(client));
  } finally {
    await service.stop();
  }
}

async function measureFairness(client, { calls, backlog }, report) {
  const tags = [RUN_TAG];
  await storeAndRecall(client, { calls, seed: 7, tags });
  await settled(client);
  const idle = await storeAndRecall(client, { calls, seed: 8, tags });
  await settled(client);
  await storeBacklog(client, backlog, tags);
  const busy = await storeAndRecall(client, { calls, seed: 9, tags });
  const waiting = `while ${backlog} memories wait, against idle`;
  report.value(`store over HTTP ${waiting}`, '×', busy.store / idle.store);
  report.value(`recall over HTTP ${waiting}`, '×', busy.recall / idle.recall);
  await settled(client);
}

async function untilSearchedByMeaning(client, query) {
  for (;;) {
    const { vector_search: search } = JSON.parse((await recallOver(client, query)).text);
    if (search.enabled) return;
  }
}

async function residentMiB(client) {
  const { text } = await client({ path: '/metrics' });
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1_048_576;
}
