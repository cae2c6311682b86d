/**
 * Measures how long an MCP client waits for the answer to `initialize` and for the first answer of a tool. Prints the
 * medians of ten starts, and their ratios to `node -e 0` in the same run.
 *
 *   npm run build && node tests/bench/start.mjs [--binary other/bin/engraph.js] [--starts 10]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    binary: { type: 'string', default: fileURLToPath(new URL('../../bin/engraph.js', import.meta.url)) },
    starts: { type: 'string', default: '10' },
  },
});
const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } },
};
const RECALL = { id: 1, method: 'tools/call', params: { name: 'recall_memory', arguments: { query: 'herons' } } };

/** Measures the milliseconds from the start of the process to the answer to `initialize` and to the first recall. */
async function startOnce(folder) {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [values.binary, '--port', '0', '--data-dir', folder], {
    env: { PATH: process.env.PATH, EMBEDDING_PROVIDER: 'hash', LOG_LEVEL: 'silent' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = message => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send(INITIALIZE);
  await lines.next();
  const initializedMs = performance.now() - startedMs;
  send({ method: 'notifications/initialized' });
  send(RECALL);
  await lines.next();
  const recalledMs = performance.now() - startedMs;
  const ended = new Promise(resolve => child.once('close', resolve));
  child.stdin.end();
  await ended;
  return { initializedMs, recalledMs };
}

async function startNode() {
  const startedMs = performance.now();
  await new Promise(resolve => spawn(process.execPath, ['-e', '0']).once('close', resolve));
  return performance.now() - startedMs;
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

const folder = mkdtempSync(join(tmpdir(), 'engraph-start-'));
const runs = [];
for (let run = 0; run <= Number(values.starts); run++) {
  const nodeMs = await startNode();
  // The first start fills the disk caches, and is not counted.
  const times = await startOnce(folder);
  if (run > 0) runs.push({ nodeMs, ...times });
}
rmSync(folder, { recursive: true, force: true });
const nodeMs = median(runs.map(run => run.nodeMs));
process.stdout.write(`node -e 0: ${nodeMs.toFixed(0)} ms\n`);
for (const [name, key] of [
  ['initialize', 'initializedMs'],
  ['first recall', 'recalledMs'],
]) {
  const ms = median(runs.map(run => run[key]));
  const beyond = (ms - nodeMs).toFixed(0);
  process.stdout.write(`${name}: ${ms.toFixed(0)} ms, ${beyond} beyond node, ratio ${(ms / nodeMs).toFixed(2)}\n`);
}
