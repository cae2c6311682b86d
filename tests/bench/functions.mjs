/**
 * Counts the functions, and the files in which they stand, that run inside the process for one warm request: a store and
 * a recall, over HTTP and over MCP on stdio. Only the compiled sources of `build` count, without packages.
 *
 *   node tests/bench/functions.mjs [--code FOLDER] [--list recall-http]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    code: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    list: { type: 'string' },
  },
});
const code = resolve(values.code);
const PORT = 19_800 + (process.pid % 1_000);
/** Calls before the measured one, so that nothing is loaded or compiled for the first time. */
const WARM_CALLS = 5;
const pause = ms => new Promise(done => setTimeout(done, ms));

/** Runs inside the process: the first signal resets the counts, and the second one writes them. */
const COUNTER = `
  import { Session } from 'node:inspector';
  import { writeFileSync } from 'node:fs';
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  process.on('SIGUSR2', () => session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    const ran = result.filter(({ url }) => url.includes('/build/')).map(({ url, functions }) => ({
      file: url.replace(/^.*\\/build\\//, ''),
      names: functions.filter(each => each.ranges[0].count > 0)
        .map(each => each.functionName || '(anonymous)@' + each.ranges[0].startOffset),
    })).filter(({ names }) => names.length > 0);
    writeFileSync(process.env.COUNTS_FILE, JSON.stringify(ran));
  }));`;

const folder = mkdtempSync(join(tmpdir(), 'engraph-functions-'));
const counts = join(folder, 'counts.json');

const PROGRAM = `const { main } = await import(${JSON.stringify(pathToFileURL(join(code, 'build/cli/main.js')).href)});
  await main(process.argv.slice(1));`;

function start(args, stdio) {
  return spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, '--', ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ENGRAPH_DATA_DIR: join(folder, `data-${args.length}`),
      EMBEDDING_PROVIDER: 'hash',
      PORT: String(PORT + args.length),
      COUNTS_FILE: counts,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COUNTER)}`,
      LOG_LEVEL: 'error',
    },
    stdio,
  });
}

async function counted(child, call) {
  for (let at = 0; at < WARM_CALLS; at++) await call(at);
  await pause(2_500);
  child.kill('SIGUSR2');
  await pause(500);
  await call(WARM_CALLS);
  child.kill('SIGUSR2');
  await pause(500);
  return JSON.parse(readFileSync(counts, 'utf8'));
}

const memory = at => ({ content: `The release ${at} of Atlas uses PostgreSQL ${at}.`, tags: ['atlas'] });
const results = {};

async function overHttp() {
  const child = start(['serve'], ['ignore', 'ignore', 'inherit']);
  const base = `http://127.0.0.1:${PORT + 1}`;
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      await fetch(`${base}/health`);
      break;
    } catch {
      await pause(100);
    }
  }
  const store = at =>
    fetch(`${base}/memory`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(memory(at)),
    }).then(answer => answer.text());
  const recall = () =>
    fetch(`${base}/recall?query=${encodeURIComponent('Which database does Atlas use?')}`).then(answer => answer.text());
  results['store-http'] = await counted(child, store);
  results['recall-http'] = await counted(child, recall);
  child.kill();
}

async function overStdio() {
  const child = start([], ['pipe', 'pipe', 'inherit']);
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', line => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  const ask = (method, params) =>
    new Promise(answer => {
      waiting.set(++id, answer);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const call = (name, args) => ask('tools/call', { name, arguments: args });
  results['store-mcp'] = await counted(child, at => call('store_memory', memory(at)));
  results['recall-mcp'] = await counted(child, () =>
    call('recall_memory', { query: 'Which database does Atlas use?' }),
  );
  child.stdin.end();
  child.kill();
}

await overHttp();
await overStdio();
for (const [name, ran] of Object.entries(results)) {
  const functions = ran.reduce((sum, { names }) => sum + names.length, 0);
  process.stdout.write(`${name.padEnd(12)} ${String(functions).padStart(4)} functions in ${ran.length} files\n`);
}
if (values.list) {
  for (const { file, names } of results[values.list]) process.stdout.write(`${file}: ${names.join(', ')}\n`);
}
await pause(200);
rmSync(folder, { recursive: true, force: true });
