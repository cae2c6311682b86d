/** A real `engraph serve` on a free port, with hash embeddings, and clients that time their requests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { batchesOf, makeMemories, makeQueries, tagged } from './corpus.mjs';
import { percentile } from './speed/statistics.mjs';

/** The token of every request, because some requests are for administrators. */
const ADMIN_API_TOKEN = 'of-the-bench';

/** Once this many characters of an answer have been kept, the rest is discarded. */
const TEXT_MAX = 1_000_000;

/**
 * @param tree the folder with the build to start; by default this one
 * @returns the address of the service, its process id, and a function that shuts it down
 */
export async function startService(folder, tree = fileURLToPath(new URL('../..', import.meta.url))) {
  const shim = join(tree, 'bin/engraph.js');
  const env = { ...process.env, EMBEDDING_PROVIDER: 'hash', LLM_PROVIDER: 'none', LOG_LEVEL: 'warn', ADMIN_API_TOKEN };
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
    };
    return { base: new URL(address), pid: server.pid, stop };
  }
  throw new Error('the server ended before it listened');
}

const TICK_MS = 10;
/** Positions of user and system time in `/proc/PID/stat`, after the name of the program. */
const [USER_AT, SYSTEM_AT] = [11, 12];

/** Processor time in milliseconds that a process has used in all its threads, or in its main thread alone. Linux only. */
export function processorMs(pid, isMainThreadOnly = false) {
  const stat = readFileSync(isMainThreadOnly ? `/proc/${pid}/task/${pid}/stat` : `/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_AT]) + Number(fields[SYSTEM_AT])) * TICK_MS;
}

/** A separate client with its own open connection. Each answer includes its duration. */
export function openClient(base) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return ({ method = 'GET', path, body }) =>
    new Promise((resolve, reject) => {
      const startedMs = performance.now();
      const ofBody = body && { 'content-type': 'application/json', 'content-length': body.length };
      const headers = { 'x-admin-token': ADMIN_API_TOKEN, ...ofBody };
      const sent = request({ agent, host: base.hostname, port: base.port, method, path, headers }, response => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', part => {
          if (text.length < TEXT_MAX) text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode, text, tookMs: performance.now() - startedMs }));
      });
      // A refusal may arrive before the whole body has been sent.
      sent.on('error', error =>
        error.code === 'EPIPE' || error.code === 'ECONNRESET'
          ? resolve({ status: 0, text: error.code, tookMs: performance.now() - startedMs })
          : reject(error),
      );
      sent.end(body);
    });
}

/** @throws if the status of the answer is not 201 */
export async function post(client, path, value) {
  const answer = await client({ method: 'POST', path, body: Buffer.from(JSON.stringify(value)) });
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text.slice(0, 200)}`);
  return answer;
}

/** @throws if the status of the answer is not 200 */
export async function recallOver(client, query, limit = 5) {
  const answer = await client({ path: `/recall?limit=${limit}&query=${encodeURIComponent(query)}` });
  if (answer.status !== 200) throw new Error(`GET /recall answered ${answer.status}: ${answer.text.slice(0, 200)}`);
  return answer;
}

/** Resolves when no memory waits to be embedded or enriched. */
export async function settled(client) {
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

/** Stores memories in batches of 500. The memories then wait to be embedded and enriched in the background. */
export async function storeBacklog(client, size, tags = []) {
  // All batches are created before the first is sent, so that the service gets no pauses in which to process them.
  const batches = batchesOf(size, 50).map(batch => batch.map(memory => tagged(memory, tags)));
  for (const batch of batches) await post(client, '/memory/batch', batch);
}

/** Medians of alternating stores and recalls, in milliseconds. */
export async function storeAndRecall(client, { calls, seed, tags = [] }) {
  const stores = [];
  const recalls = [];
  const memories = makeMemories(calls, seed);
  const queries = makeQueries(memories, calls);
  for (const [index, memory] of memories.entries()) {
    stores.push((await post(client, '/memory', tagged(memory, tags))).tookMs);
    recalls.push((await recallOver(client, queries[index])).tookMs);
  }
  return { store: percentile(stores, 0.5), recall: percentile(recalls, 0.5) };
}
