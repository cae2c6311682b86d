/**
 * Whether one client can keep others waiting: each hostile but well-formed request in turn, beside a client that asks for
 * `/health` every 10 ms; then what stores and recalls take while memories wait for their vectors and enrichment.
 *
 *   npm run build && node tests/bench/fairness.mjs [--only text] [--backlog 4000] [--rest-ms 1500]
 *
 * A real `engraph serve` on a free port and a folder of its own, with hash embeddings.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { makeMemories, makeQueries } from './corpus.mjs';
import { HOSTILE_REQUESTS } from './hostile-requests.mjs';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    backlog: { type: 'string', default: '4000' },
    'rest-ms': { type: 'string', default: '1500' },
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
const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const shim = fileURLToPath(new URL('../../bin/engraph.js', import.meta.url));
  const env = { ...process.env, EMBEDDING_PROVIDER: 'hash', LLM_PROVIDER: 'none', LOG_LEVEL: 'warn' };
  const server = spawn(process.execPath, [shim, 'serve', '--port', '0', '--data-dir', folder], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface(server.stderr)) {
    const address = /listening on (http:\S+)/.exec(line)?.[1];
    if (!address) continue;
    server.stderr.resume();
    const stop = async () => {
      server.kill('SIGTERM');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    };
    return { base: new URL(address), stop };
  }
  throw new Error('the server ended before it listened');
}

const { base, stop } = await startServer();

/** A client of its own: its requests share no connection with those of others. */
function openClient() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return ({ method = 'GET', path, body }) =>
    new Promise((resolve, reject) => {
      const startedMs = performance.now();
      const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
      const sent = request({ agent, host: base.hostname, port: base.port, method, path, headers }, response => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', part => {
          if (text.length < 10_000) text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode, text, tookMs: performance.now() - startedMs }));
      });
      // A refusal may come before all of the body has been sent.
      sent.on('error', error =>
        error.code === 'EPIPE' || error.code === 'ECONNRESET'
          ? resolve({ status: 0, text: error.code, tookMs: performance.now() - startedMs })
          : reject(error),
      );
      sent.end(body);
    });
}

const client = openClient();
const post = (path, value) => client({ method: 'POST', path, body: Buffer.from(JSON.stringify(value)) });

/** Asks for `/health` in a thread of its own until told to stop; then gives how long each answer took. */
async function startProbe() {
  const workerData = { host: base.hostname, port: base.port, intervalMs: PROBE_INTERVAL_MS, clients: PROBE_CLIENTS };
  const probe = new Worker(new URL('health-probe.mjs', import.meta.url), { workerData });
  await once(probe, 'message');
  return async () => {
    probe.postMessage('stop');
    const [took] = await once(probe, 'message');
    return took;
  };
}

async function settled() {
  for (;;) {
    const {
      pending = 0,
      processing = 0,
      queue_size: size = 0,
      ...status
    } = JSON.parse((await client({ path: '/enrichment/status' })).text);
    const waiting = Object.values(status).reduce((sum, value) => sum + (value?.pending ?? 0) + (value?.queued ?? 0), 0);
    if (pending + processing + size + waiting === 0) return;
    await delay(200);
  }
}

async function underFire({ name, make }) {
  const hostile = make();
  await settled();
  await delay(restMs);
  const stopProbe = await startProbe();
  await delay(200);
  const { status, tookMs } = await openClient()(hostile);
  await delay(200);
  const took = await stopProbe();
  const figures = [0.5, 0.99, 1].map(share => ms(percentile(took, share)));
  out(`  ${name.padEnd(44)} ${figures.join(' ')}   ${String(status).padStart(3)} ${ms(tookMs)}`);
  return percentile(took, 1);
}

async function medians(calls) {
  const stores = [];
  const recalls = [];
  const memories = makeMemories(CALLS, calls);
  const queries = makeQueries(memories, CALLS);
  for (const [index, { id: _id, ...memory }] of memories.entries()) {
    stores.push((await post('/memory', memory)).tookMs);
    recalls.push((await client({ path: `/recall?query=${encodeURIComponent(queries[index])}` })).tookMs);
  }
  return { store: percentile(stores, 0.5), recall: percentile(recalls, 0.5) };
}

try {
  const seed = makeMemories(SEED_SIZE).map(({ id: _id, ...memory }) => memory);
  for (let start = 0; start < SEED_SIZE; start += 500) await post('/memory/batch', seed.slice(start, start + 500));
  await settled();

  const backlog = Array.from({ length: Math.ceil(backlogSize / 500) }, (_, batch) =>
    makeMemories(500, batch + 50).map(({ id: _id, ...memory }) => memory),
  );
  await medians(7);
  await settled();
  const idle = await medians(8);
  await settled();
  for (const batch of backlog) await post('/memory/batch', batch);
  const busy = await medians(9);
  const left = (await client({ path: '/enrichment/status' })).text;
  out(`\nWhile ${backlogSize} memories wait for embedding and enrichment; p50 over ${CALLS} calls of each`);
  for (const what of ['store', 'recall']) {
    const ratio = (busy[what] / idle[what]).toFixed(2);
    out(`  ${what.padEnd(8)} idle ${ms(idle[what])}   busy ${ms(busy[what])}   ${ratio} times`);
  }
  out(`  status at the end: ${left.slice(0, 200)}`);
  await settled();

  out(`\nOver ${SEED_SIZE + backlogSize} memories; /health every ${PROBE_INTERVAL_MS} ms`);
  out(
    `  ${'request'.padEnd(44)} ${['p50', 'p99', 'p100'].map(each => each.padStart(11)).join(' ')}   and its own answer`,
  );
  const chosen = HOSTILE_REQUESTS.filter(({ name }) => name.includes(flags.only));
  for (const hostile of chosen) await underFire(hostile);
} finally {
  await stop();
}
