/**
 * Mixed load on a real `engraph serve`: many clients for a minute, then a few for a long time. Prints the numbers of
 * slow requests, failed requests and recalls without vectors. Also prints the memory use and the open descriptors of
 * the process over time. Exits with 1 when a request took more than five seconds or failed, or when a recall was
 * answered without vectors.
 *
 *   npm run build && node tests/durability/mixed-load.mjs [--minutes 20] [--graph sqlite|falkordb] [--memories 10000]
 *
 * `--graph falkordb` uses the server in FALKORDB_URL.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeMemories, makeQueries, randomSource } from '../bench/corpus.mjs';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    graph: { type: 'string', default: 'sqlite' },
    memories: { type: 'string', default: '10000' },
  },
});
const MANY = 50;
const FEW = 4;
const MANY_MS = 60_000;
const SLOW_MS = 5_000;
const SAMPLE_MS = 15_000;
const BATCH = 200;

const folder = mkdtempSync(join(tmpdir(), 'engraph-load-'));
const memories = makeMemories(Number(flags.memories));
const queries = makeQueries(memories, 500);
const fresh = makeMemories(5_000, 77);
const seen = { requests: 0, slow: 0, failed: 0, withoutVectors: 0, slowestMs: 0, degraded: 0, failures: new Map() };
const durations = [];
const out = line => process.stdout.write(`${line}\n`);
const slowestByKind = new Map();

async function start() {
  const env = { ...process.env, EMBEDDING_PROVIDER: 'hash', LLM_PROVIDER: 'none' };
  if (flags.graph === 'sqlite') for (const name of Object.keys(env)) if (name.startsWith('FALKORDB')) delete env[name];
  const shim = new URL('../../bin/engraph.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [shim, 'serve', '--port', '0', '--data-dir', folder], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  const url = await new Promise((resolve, reject) => {
    child.stderr.on('data', chunk => {
      output += chunk;
      const address = /http:\/\/[\d.]+:\d+/.exec(output)?.[0];
      if (address) resolve(address);
    });
    child.once('exit', code => reject(new Error(`the service ended with ${code}: ${output}`)));
  });
  return { child, url, log: () => output };
}

async function request(url, path, { method = 'GET', body } = {}) {
  const startedMs = performance.now();
  seen.requests += 1;
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const answer = await response.json();
    if (response.status >= 400) throw new Error(`${response.status} ${answer.error ?? answer.reasons}`);
    if (answer.vector_search?.enabled === false) seen.withoutVectors += 1;
    return answer;
  } catch (error) {
    seen.failed += 1;
    const what = `${method} ${path.split('?')[0].replace(/[0-9a-f-]{36}/, ':id')}: ${error.message}`;
    seen.failures.set(what, (seen.failures.get(what) ?? 0) + 1);
    return {};
  } finally {
    const durationMs = performance.now() - startedMs;
    durations.push(durationMs);
    seen.slowestMs = Math.max(seen.slowestMs, durationMs);
    const kind = `${method} ${path.split('?')[0].replace(/[0-9a-f-]{36}/, ':id')}${path.includes('expand') ? ' expanded' : ''}`;
    slowestByKind.set(kind, Math.max(slowestByKind.get(kind) ?? 0, Math.round(durationMs)));
    if (durationMs > SLOW_MS) seen.slow += 1;
  }
}

/** Sends requests until `untilMs`: mostly recalls, as assistants do, and some stores, updates and deletions. */
async function client(url, seed, untilMs) {
  const random = randomSource(seed);
  const own = [];
  const pick = list => list[Math.floor(random() * list.length)];
  while (performance.now() < untilMs) {
    const turn = random();
    const query = encodeURIComponent(pick(queries));
    if (turn < 0.55) await request(url, `/recall?limit=5&query=${query}`);
    else if (turn < 0.65) await request(url, `/recall?query=${query}&expand_relations=true&expand_entities=true`);
    else if (turn < 0.7) await request(url, `/recall?query=${query}&tags=user${Math.floor(random() * 5)}`);
    else if (turn < 0.9) own.push((await request(url, '/memory', { method: 'POST', body: pick(fresh) })).memory_id);
    else if (own.length === 0) await request(url, '/health');
    else if (turn < 0.95) await request(url, `/memory/${pick(own)}`, { method: 'PATCH', body: pick(fresh) });
    else await request(url, `/memory/${own.pop()}`, { method: 'DELETE' });
  }
}

function sample(child) {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const rssMiB = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  return { rssMiB, descriptors: readdirSync(`/proc/${child.pid}/fd`).length };
}

function percentile(share) {
  const sorted = durations.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
}

const { child, url, log } = await start();
for (let first = 0; first < memories.length; first += BATCH) {
  await request(url, '/memory/batch', { method: 'POST', body: memories.slice(first, first + BATCH) });
}
const startedMs = performance.now();
const untilMs = startedMs + Number(flags.minutes) * 60_000;
const watch = setInterval(() => {
  const { rssMiB, descriptors } = sample(child);
  const minute = ((performance.now() - startedMs) / 60_000).toFixed(1);
  out(
    `minute ${minute}: ${seen.requests} requests, p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, slowest ` +
      `${seen.slowestMs.toFixed(0)} ms, over 5 s ${seen.slow}, failed ${seen.failed}, without vectors ` +
      `${seen.withoutVectors}, ${rssMiB} MiB, ${descriptors} descriptors`,
  );
  durations.length = 0;
}, SAMPLE_MS);
const clients = (count, end) => Promise.all(Array.from({ length: count }, (_, index) => client(url, index + 1, end)));
await clients(MANY, Math.min(untilMs, performance.now() + MANY_MS));
await clients(FEW, untilMs);
clearInterval(watch);
const health = await request(url, '/health');
const { rssMiB, descriptors } = sample(child);
out(JSON.stringify({ ...seen, failures: Object.fromEntries(seen.failures), rssMiB, descriptors }));
out(`slowest in ms: ${JSON.stringify(Object.fromEntries(slowestByKind))}`);
out(JSON.stringify({ status: health.status, sync: health.sync_status, embedding: health.embedding }));
const stoppedMs = performance.now();
child.kill('SIGTERM');
await new Promise(resolve => child.once('exit', resolve));
out(`stopped in ${(performance.now() - stoppedMs).toFixed(0)} ms`);
out(log().split('\n').slice(-8).join('\n'));
rmSync(folder, { recursive: true, force: true });
process.exitCode = seen.slow + seen.failed + seen.withoutVectors > 0 ? 1 : 0;
