/**
 * Measures `engraph hook` as a host runs it: the time of the whole process with a running owner (warm) and without one
 * (cold), on an idle machine and beside as many busy processes as there are cores, and what is left over afterwards.
 * Prints the median and the 95th percentile in milliseconds, beside `node -e 0` in the same run.
 *
 *   npm run build && node tests/bench/hook-times.mjs [--runs 50] [--memories 10000]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '50' }, memories: { type: 'string', default: '10000' } },
});
const RUNS = Number(values.runs);
const BINARY = fileURLToPath(new URL('../../bin/engraph.js', import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), 'engraph-hook-times-'));
const ENVIRONMENT = { PATH: process.env.PATH, HOME: FOLDER, EMBEDDING_PROVIDER: 'hash', LOG_LEVEL: 'silent' };
const QUESTION = 'Which database did we choose for the orders?';
const ANSWER = 'We chose PostgreSQL as the database of all orders because Ann wanted row-level security.';
const SUBJECTS =
  'billing checkout search export import login backend frontend cache queue worker deploy staging audit'.split(' ');
const FACTS =
  'uses PostgreSQL|fails when the header is missing|was moved in spring|runs every night at three|needs two approvals'.split(
    '|',
  );

let session = 0;
const say = line => process.stdout.write(`${line}\n`);

/** @returns the milliseconds of the whole process, and whether it gave the memory */
async function fire(isSilent = false) {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [BINARY, 'hook', 'prompt', '--data-dir', join(FOLDER, 'memory')], {
    env: ENVIRONMENT,
  });
  let output = '';
  child.stdout.on('data', part => {
    output += part;
  });
  const prompt = isSilent ? 'yes, go on' : QUESTION;
  child.stdin.end(JSON.stringify({ session_id: `s${session++}`, cwd: '/home/ann/shop', prompt }));
  await once(child, 'close');
  return { ms: performance.now() - startedMs, gave: output.includes('PostgreSQL as the database') };
}

async function nothing() {
  const startedMs = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { env: ENVIRONMENT }), 'close');
  return { ms: performance.now() - startedMs, gave: false };
}

async function measure(name, run) {
  const taken = [];
  for (let index = 0; index < RUNS; index++) taken.push(await run());
  const sorted = taken.map(({ ms }) => ms).sort((one, other) => one - other);
  const at = share => sorted[Math.min(RUNS - 1, Math.floor(share * RUNS))].toFixed(0).padStart(6);
  const gave = taken.filter(each => each.gave).length;
  say(`${name.padEnd(34)} ${at(0.5)} ${at(0.95)}  gave the memory ${gave} of ${RUNS}  load ${loadavg()[0].toFixed(1)}`);
}

async function serve() {
  const child = spawn(process.execPath, [BINARY, 'serve', '--port', '0', '--data-dir', join(FOLDER, 'memory')], {
    env: ENVIRONMENT,
  });
  let said = '';
  for await (const part of child.stderr) {
    said += part;
    const url = /listening on (\S+)/.exec(said)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error(said);
}

async function fill(url) {
  const size = 250;
  for (let from = 0; from < Number(values.memories); from += size) {
    const memories = Array.from({ length: size }, (_, index) => {
      const number = from + index;
      const fact = FACTS[(number * 3) % FACTS.length];
      return {
        content: `The ${SUBJECTS[number % SUBJECTS.length]} service ${number} ${fact}.`,
        importance: (number % 10) / 10,
      };
    });
    await post(url, '/memory/batch', { memories });
  }
  await post(url, '/memory', { content: ANSWER, importance: 0.8 });
  for (;;) {
    const { pending, inflight } = await (await fetch(`${url}/enrichment/status`)).json();
    if (pending === 0 && inflight === 0) return;
    await pause(500);
  }
}

async function post(url, path, body) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function end(child) {
  child.kill('SIGTERM');
  await once(child, 'close');
}

const memoryOf = ({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
const processesLeft = () =>
  execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(FOLDER)).length;

async function beside(count, work) {
  const busy = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  try {
    await work();
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
}

async function measureAll(where) {
  await measure(`node -e 0, ${where}`, nothing);
  const { child } = await serve();
  await fire();
  await measure(`hook with an owner, ${where}`, () => fire());
  await measure(`hook without a search, ${where}`, () => fire(true));
  await end(child);
  await measure(`hook without an owner, ${where}`, () => fire());
}

try {
  const { child, url } = await serve();
  await fill(url);
  say(
    `${values.memories} memories, ${availableParallelism()} cores, Node ${process.version}; median, 95th percentile in ms`,
  );
  const beforeMib = memoryOf(child);
  for (let index = 0; index < 100; index++) await fire();
  say(
    `owner: ${beforeMib.toFixed(0)} MiB before, ${memoryOf(child).toFixed(0)} MiB after 100 prompts; processes left over: ${processesLeft() - 1}`,
  );
  await end(child);
  await measureAll('idle');
  await beside(availableParallelism(), () => measureAll('busy'));
  for (let index = 0; index < 10; index++) await fire();
  say(`processes left over at the end: ${processesLeft()}`);
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}
