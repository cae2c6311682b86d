/**
 * Readers beside writers, and readers beside a backlog of background work, over one service and in one run. All clients
 * send their next request as soon as the last one is answered.
 */
import { makeMemories, makeQueries } from './corpus.mjs';
import { openClient, post, processorMs, settled, storeBacklog } from './service.mjs';
import { percentile } from './speed/statistics.mjs';

const MEMORIES = 6_000;
const BACKLOG = 2_000;
const PHASE_MS = Number(process.env.PHASE_MS ?? 6_000);
/** The phases alternate, so that all of them see the same other load of the machine. */
const ROUNDS = 2;

const PHASES = [
  { name: '16 readers', readers: 16, writers: 0 },
  { name: '8 readers, 10 writers of one memory', readers: 8, writers: 10, batch: 1 },
  { name: '8 readers, 10 writers of 50', readers: 8, writers: 10, batch: 50 },
  { name: '16 readers, a backlog', readers: 16, writers: 0, hasBacklog: true },
  { name: '10 writers of 50', readers: 0, writers: 10, batch: 50 },
];

/** Answers, refusals and durations of the requests of one phase. */
function createTally() {
  return { recalls: 0, stored: 0, refused: 0, elapsedMs: 0, processorMs: 0, durations: [] };
}

async function read({ client, queries, until, tally }) {
  for (let at = 0; performance.now() < until; at++) {
    const path = `/recall?limit=5&query=${encodeURIComponent(queries[at % queries.length])}`;
    const { status, tookMs } = await client({ path });
    if (status === 200) tally.recalls += 1;
    else tally.refused += 1;
    tally.durations.push(tookMs);
  }
}

async function write({ client, batch, seed, until, tally }) {
  for (let round = 0; performance.now() < until; round++) {
    const memories = makeMemories(batch, seed + round);
    await post(client, batch === 1 ? '/memory' : '/memory/batch', batch === 1 ? memories[0] : memories);
    tally.stored += batch;
  }
}

async function runPhase(service, { readers, writers, batch = 1, hasBacklog }, { queries, tally, seed }) {
  const control = openClient(service.base);
  if (hasBacklog) await storeBacklog(control, BACKLOG);
  const startedMs = performance.now();
  const spentMs = processorMs(service.pid);
  const until = startedMs + PHASE_MS;
  const clients = [];
  for (let index = 0; index < readers; index++) {
    clients.push(read({ client: openClient(service.base), queries: queries[index], until, tally }));
  }
  for (let index = 0; index < writers; index++) {
    clients.push(write({ client: openClient(service.base), batch, seed: seed + index * 10_000, until, tally }));
  }
  await Promise.all(clients);
  tally.elapsedMs += performance.now() - startedMs;
  tally.processorMs += processorMs(service.pid) - spentMs;
  const status = JSON.parse((await control({ path: '/enrichment/status' })).text);
  tally.left = status.pending;
  await settled(control);
}

/** Prints one row per phase. The share compares the rate of recalls with that of the first phase. */
export async function measureReadersAndWriters(service, out) {
  const control = openClient(service.base);
  const seed = makeMemories(MEMORIES, 77);
  for (let start = 0; start < MEMORIES; start += 500) {
    await post(control, '/memory/batch', seed.slice(start, start + 500));
  }
  await settled(control);
  const queries = Array.from({ length: 16 }, (_, index) => makeQueries(seed, 200, index + 1));
  const tallies = PHASES.map(createTally);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, phase] of PHASES.entries()) {
      const batchSeed = 100_000 * (1 + round * PHASES.length + index);
      await runPhase(service, phase, { queries, tally: tallies[index], seed: batchSeed });
    }
  }
  const rate = ({ recalls, elapsedMs }) => (recalls / elapsedMs) * 1000;
  const perProcessor = ({ recalls, processorMs: spent }) => (recalls / spent) * 1000;
  out(`\nOver ${MEMORIES} memories; ${ROUNDS} rounds of ${PHASE_MS / 1000} s of each row`);
  out(
    `  ${'clients'.padEnd(38)} recalls/s  share   recalls/s of processor   share        p50        p99  stored/s  per s of processor  refused   left`,
  );
  for (const [index, { name }] of PHASES.entries()) {
    const tally = tallies[index];
    const columns = [
      rate(tally).toFixed(1).padStart(9),
      `${((100 * rate(tally)) / rate(tallies[0])).toFixed(0)} %`.padStart(6),
      perProcessor(tally).toFixed(1).padStart(23),
      `${((100 * perProcessor(tally)) / perProcessor(tallies[0])).toFixed(0)} %`.padStart(7),
      `${percentile(tally.durations, 0.5).toFixed(0)} ms`.padStart(10),
      `${percentile(tally.durations, 0.99).toFixed(0)} ms`.padStart(10),
      ((tally.stored / tally.elapsedMs) * 1000).toFixed(1).padStart(9),
      ((tally.stored / tally.processorMs) * 1000).toFixed(1).padStart(19),
      String(tally.refused).padStart(8),
      String(tally.left).padStart(6),
    ];
    out(`  ${name.padEnd(38)} ${columns.join(' ')}`);
  }
}
