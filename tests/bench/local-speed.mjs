/**
 * Measures the speed of the `local` embedder, how long a question waits meanwhile, and the delay of the main thread.
 *
 *   npm run build && node tests/bench/local-speed.mjs ../models/all-MiniLM-L6-v2 [--python ../models/….venv/bin/python]
 *     [--weights onnx/model.onnx] [--short 240] [--long 60] [--rounds 3]
 *
 * Short texts have 25 common words, long texts have 2,000 characters. `--python` is a Python with onnxruntime, which
 * make-local-model.py installs. After each round, this Python embeds the same texts with the same weights, on one
 * thread and on all cores, so that the load of the machine affects both alike. The fastest round counts for both.
 *
 * If NODE_PATH names a folder with onnxruntime-node, the embedder uses it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createLocalEmbedder } from '../../build/embedding/local/local.js';
import { listModelFiles, readModelConfig } from '../../build/embedding/local/model-files.js';
import { makeMemories } from './corpus.mjs';
import { folderWith, wallClock } from './local-model.mjs';

const { values: flags, positionals } = parseArgs({
  options: {
    python: { type: 'string' },
    weights: { type: 'string' },
    short: { type: 'string', default: '240' },
    long: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
  },
  allowPositionals: true,
});
const QUESTION = 'When did we decide to move the deployment to another host?';
const WORDS = 25;
const CHARACTERS = 2000;
const QUESTION_PAUSE_MS = 100;
const IDLE_QUESTIONS = 100;

const out = line => process.stdout.write(`${line}\n`);
const perSecond = (texts, ms) => (texts.length / ms) * 1000;

function percentiles(durations) {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = share => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
  return `p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   max ${at(1)} ms   (${sorted.length} questions)`;
}

function makeTexts() {
  const words = makeMemories(3000).flatMap(({ content }) => content.split(/\s+/));
  let next = 0;
  const word = () => words[next++ % words.length];
  const short = Array.from({ length: Number(flags.short) }, () => Array.from({ length: WORDS }, word).join(' '));
  const long = Array.from({ length: Number(flags.long) }, () => {
    let text = word();
    while (text.length < CHARACTERS) text += ` ${word()}`;
    return text.slice(0, CHARACTERS);
  });
  return { short, long };
}

/** Starts a Python process. `round` resolves with the duration of one round in milliseconds. */
async function startPython(python, folder, weights) {
  const { maxTokens } = await readModelConfig(folder, 'all-MiniLM-L6-v2');
  const script = fileURLToPath(new URL('onnxruntime-speed.py', import.meta.url));
  const child = spawn(python, [script, folder, weights, maxTokens], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const round = async (texts, threads) => {
    const answer = once(lines, 'line');
    child.stdin.write(`${JSON.stringify({ texts, threads })}\n`);
    return Number((await answer)[0]) * 1000;
  };
  return { round, close: () => child.stdin.end() };
}

async function ask(embedder) {
  const startedMs = performance.now();
  await embedder.embed([QUESTION], 'query');
  return performance.now() - startedMs;
}

/** @returns the duration of embedding all texts, and of each question asked meanwhile, in milliseconds */
async function work(embedder, texts, areQuestionsAsked) {
  const startedMs = performance.now();
  let endedMs;
  const documents = embedder.embed(texts, 'document').finally(() => {
    endedMs = performance.now();
  });
  const questions = [];
  while (areQuestionsAsked && endedMs === undefined) {
    questions.push(await ask(embedder));
    await sleep(QUESTION_PAUSE_MS);
  }
  await documents;
  return { ms: endedMs - startedMs, questions };
}

async function measure(label, texts, { embedder, python }) {
  const cores = availableParallelism();
  const ours = [];
  const theirs = { 1: [], [cores]: [] };
  for (let index = 0; index < Number(flags.rounds); index++) {
    ours.push((await work(embedder, texts, false)).ms);
    for (const threads of Object.keys(theirs)) theirs[threads].push(await python?.round(texts, Number(threads)));
  }
  const rate = perSecond(texts, Math.min(...ours));
  out(`${label} ${rate.toFixed(1)} texts/s`);
  for (const [threads, times] of Object.entries(python ? theirs : {})) {
    const other = perSecond(texts, Math.min(...times));
    const ratio = (rate / other).toFixed(2);
    out(
      `  Python's onnxruntime, ${threads} thread${threads > 1 ? 's' : ' '}:  ${other.toFixed(1)} texts/s, of which ours is ${ratio}`,
    );
  }
  const { ms, questions } = await work(embedder, texts, true);
  out(`  questions beside them:           ${percentiles(questions)}`);
  out(`  texts beside the questions:      ${perSecond(texts, ms).toFixed(1)} texts/s`);
}

const given = resolve(positionals[0] ?? '../models/all-MiniLM-L6-v2');
const { path, remove } = flags.weights ? folderWith(given, flags.weights) : { path: given, remove: () => {} };
const { weights } = await listModelFiles(path);
const local = { model: '', path, folder: '', hubUrl: '' };
const embedder = await createLocalEmbedder(
  { dimensions: 384, local },
  { log: { info: out, warn: out }, clock: wallClock },
);
const python = flags.python ? await startPython(flags.python, path, weights) : undefined;
const { short, long } = makeTexts();

out(`${weights}, ${availableParallelism()} cores, load of the machine ${loadavg()[0].toFixed(1)}`);
out(`first question, with the start of the encoder: ${(await ask(embedder)).toFixed(0)} ms`);
const idle = [];
for (let index = 0; index < IDLE_QUESTIONS; index++) idle.push(await ask(embedder));
out(`questions, idle:                   ${percentiles(idle)}`);
await work(embedder, short, false);

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
await measure(`short texts (${WORDS} words):            `, short, { embedder, python });
await measure(`long texts (${CHARACTERS} characters):    `, long, { embedder, python });
delay.disable();
out(
  `main thread's delay:               p99 ${(delay.percentile(99) / 1e6 - 5).toFixed(1)} ms, max ${(delay.max / 1e6 - 5).toFixed(1)} ms`,
);
out(`memory of this process:            ${(process.memoryUsage().rss / 1_048_576).toFixed(0)} MiB${processesMemory()}`);
out(`load of the machine at the end:    ${loadavg()[0].toFixed(1)}`);
python?.close();
await embedder.close();
remove();

/** Text about the memory of encoders that are separate processes; empty if the system does not report their memory. */
function processesMemory() {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(/\s+/);
    const mib = children
      .filter(pid => readFileSync(join('/proc', pid, 'cmdline'), 'utf8').includes('embedding/local/encoder-program.js'))
      .map(pid => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(join('/proc', pid, 'status'), 'utf8'))[1]) / 1024);
    return mib.length > 0 ? `, of its encoders ${mib.map(each => `${each.toFixed(0)} MiB`).join(', ')}` : '';
  } catch {
    return '';
  }
}
