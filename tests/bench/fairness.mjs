/**
 * Measures whether one client can keep others waiting. First, measures recalls of readers beside writers, and beside a
 * backlog. Then, measures how long stores and recalls take while memories
 * wait for their vectors and enrichment. Last, sends hostile requests one after the other, and measures how long other
 * clients meanwhile wait for `/health`, which is requested every 10 ms. The stall is the longest such wait in processor time
 * of the service's main thread, so that it does not depend on the other load of the machine.
 *
 *   npm run build && node tests/bench/fairness.mjs [--only text] [--backlog 4000] [--rest-ms 1500] [--part readers|backlog|hostile] [--tree DIR]
 *
 * Starts a real `engraph serve` on a free port, with a temporary folder and hash embeddings.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { makeMemories } from './corpus.mjs';
import { HOSTILE_REQUESTS } from './hostile-requests.mjs';
import { measureReadersAndWriters } from './readers-and-writers.mjs';
import { openClient, post, settled, startService, storeAndRecall, storeBacklog } from './service.mjs';
import { percentile } from './speed/statistics.mjs';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    backlog: { type: 'string', default: '4000' },
    'rest-ms': { type: 'string', default: '1500' },
    tree: { type: 'string' },
    part: { type: 'string', default: '' },
  },
});
const PROBE_INTERVAL_MS = 10;
const PROBE_CLIENTS = 20;
const SEED_SIZE = 2_000;
const CALLS = 150;
const backlogSize = Number(flags.backlog);
const restMs = Number(flags['rest-ms']);

const out = line => process.stdout.write(`${line}\n`);
const ms = value => `${value.toFixed(1)} ms`.padStart(11);

const folder = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
const service = await startService(folder, flags.tree);
const { base } = service;
const client = openClient(base);

/**
 * Requests `/health` from a separate thread. The returned function stops the requests, and resolves with their
 * durations.
 */
async function startProbe() {
  const workerData = {
    host: base.hostname,
    port: base.port,
    intervalMs: PROBE_INTERVAL_MS,
    clients: PROBE_CLIENTS,
    pid: service.pid,
  };
  const probe = new Worker(new URL('health-probe.mjs', import.meta.url), { workerData });
  await once(probe, 'message');
  return async () => {
    probe.postMessage('stop');
    const [took] = await once(probe, 'message');
    return took;
  };
}

async function underFire({ name, prepare, make }) {
  const prepared = await prepare?.(client);
  const hostile = [make(prepared)].flat();
  await settled(client);
  await delay(restMs);
  const stopProbe = await startProbe();
  await delay(200);
  const [{ status, tookMs }] = await Promise.all(hostile.map(each => openClient(base)(each)));
  await delay(200);
  const took = await stopProbe();
  const waits = took.map(each => each.ms);
  const stallMs = Math.max(...took.map(each => each.processorMs));
  const figures = [...[0.5, 0.99, 1].map(share => percentile(waits, share)), stallMs].map(ms);
  out(`  ${name.padEnd(44)} ${figures.join(' ')}   ${String(status).padStart(3)} ${ms(tookMs)}`);
  return stallMs;
}

const isAsked = part => flags.part === '' || flags.part === part;

try {
  if (isAsked('readers')) await measureReadersAndWriters(service, out);
  const seed = makeMemories(SEED_SIZE);
  for (let start = 0; start < SEED_SIZE; start += 500) {
    await post(client, '/memory/batch', seed.slice(start, start + 500));
  }
  await settled(client);

  if (isAsked('backlog')) await besideBacklog();
  if (isAsked('hostile')) await allUnderFire();
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function besideBacklog() {
  await storeAndRecall(client, { calls: CALLS, seed: 7 });
  await settled(client);
  const idle = await storeAndRecall(client, { calls: CALLS, seed: 8 });
  await settled(client);
  await storeBacklog(client, backlogSize);
  const busy = await storeAndRecall(client, { calls: CALLS, seed: 9 });
  const left = (await client({ path: '/enrichment/status' })).text;
  out(`\nWhile ${backlogSize} memories wait for embedding and enrichment; p50 over ${CALLS} calls of each`);
  for (const what of ['store', 'recall']) {
    const ratio = (busy[what] / idle[what]).toFixed(2);
    out(`  ${what.padEnd(8)} idle ${ms(idle[what])}   busy ${ms(busy[what])}   ${ratio} times`);
  }
  out(`  status at the end: ${left.slice(0, 200)}`);
  await settled(client);
}

async function allUnderFire() {
  out(`\nOver ${SEED_SIZE + backlogSize} memories; /health every ${PROBE_INTERVAL_MS} ms`);
  out(
    `  ${'request'.padEnd(44)} ${['p50', 'p99', 'p100', 'stall'].map(each => each.padStart(11)).join(' ')}   and its own answer`,
  );
  const chosen = HOSTILE_REQUESTS.filter(({ name }) => flags.only.split('|').some(text => name.includes(text)));
  const stalls = [];
  for (const hostile of chosen) stalls.push(await underFire(hostile));
  out(`  worst stall ${ms(Math.max(...stalls))} of processor time`);
}
