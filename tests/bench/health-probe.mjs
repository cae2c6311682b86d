/**
 * Requests `/health` every `intervalMs` milliseconds until it is told to stop. It runs in a separate thread, so that it
 * measures only the server.
 */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { host, port, intervalMs, clients: count, pid } = workerData;
const NS_PER_MS = 1_000_000;

/** Processor time that the main thread of the server has used, in milliseconds. Linux only. */
function serverMs() {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / NS_PER_MS;
}

/** Each client has a separate connection, so that none waits for the answer to another. */
const clients = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
const idle = [...clients];
const took = [];

function ask(agent, startedMs = performance.now(), spentMs = serverMs()) {
  return new Promise((resolve, reject) => {
    const asked = get({ agent, host, port, path: '/health' }, response => {
      response.resume();
      response.on('end', () => resolve({ ms: performance.now() - startedMs, processorMs: serverMs() - spentMs }));
    });
    // A server closes idle connections after it was blocked, so a request on a reused connection is repeated.
    asked.on('error', error => (asked.reusedSocket ? resolve(ask(agent, startedMs, spentMs)) : reject(error)));
  });
}

/** The connections are opened before the measurement. */
await Promise.all(clients.map(agent => ask(agent)));
parentPort.postMessage('ready');
const pending = new Set();
const timer = setInterval(() => {
  const agent = idle.pop();
  if (!agent) return;
  const asked = ask(agent).then(waited => {
    took.push(waited);
    idle.push(agent);
    pending.delete(asked);
  });
  pending.add(asked);
}, intervalMs);

parentPort.once('message', async () => {
  clearInterval(timer);
  await Promise.all(pending);
  parentPort.postMessage(took);
  for (const agent of clients) agent.destroy();
});
