/**
 * Speed of the `local` embedder, and what it leaves of the machine while it works.
 *
 *   npm run build && node tests/bench/local-speed.mjs ../models/all-MiniLM-L6-v2 [--texts 500]
 *
 * The texts are made of common words, 25 each. A question is embedded every now and then while they are; beside it runs a
 * timer, whose delay shows what other work of the main thread would feel.
 */
import { resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createLocalEmbedder } from '../../dist/embedding/local/local.js';
import { makeMemories } from './corpus.mjs';

const { values: flags, positionals } = parseArgs({
  options: { texts: { type: 'string', default: '500' } },
  allowPositionals: true,
});
const QUESTION = 'When did we decide to move the deployment to another host?';
const WORDS = 25;
const QUESTION_PAUSE_MS = 100;

const out = line => process.stdout.write(`${line}\n`);

function percentiles(durations) {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = share => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
  return `p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   max ${at(1)} ms   (${sorted.length} questions)`;
}

async function ask(embedder) {
  const startedMs = performance.now();
  await embedder.embed([QUESTION], 'query');
  return performance.now() - startedMs;
}

function makeTexts(count) {
  const words = makeMemories(count).flatMap(({ content }) => content.split(/\s+/));
  return Array.from({ length: count }, (_, index) =>
    Array.from({ length: WORDS }, (_, offset) => words[(index * WORDS + offset) % words.length]).join(' '),
  );
}

const local = { model: '', path: resolve(positionals[0] ?? '../models/all-MiniLM-L6-v2'), folder: '', hubUrl: '' };
const log = { info: out, warn: out };
const clock = { elapsedMs: () => performance.now() };
const embedder = await createLocalEmbedder({ dimensions: 384, local }, { log, clock });

out(`first question, with the start of the thread: ${(await ask(embedder)).toFixed(0)} ms`);
const idle = [];
for (let index = 0; index < 50; index++) idle.push(await ask(embedder));
out(`questions, idle:          ${percentiles(idle)}`);

const texts = makeTexts(Number(flags.texts));
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const startedMs = performance.now();
let isDone = false;
const documents = embedder.embed(texts, 'document').finally(() => {
  isDone = true;
});
const busy = [];
while (!isDone) {
  busy.push(await ask(embedder));
  await sleep(QUESTION_PAUSE_MS);
}
await documents;
const durationMs = performance.now() - startedMs;
delay.disable();
out(`questions, while it works: ${percentiles(busy)}`);
out(`documents beside them:     ${((texts.length / durationMs) * 1000).toFixed(0)} texts/s of ${WORDS} words`);
out(
  `main thread's delay:       p99 ${(delay.percentile(99) / 1e6 - 5).toFixed(1)} ms, max ${(delay.max / 1e6 - 5).toFixed(1)} ms`,
);
out(`memory of the process:     ${(process.memoryUsage().rss / 1_048_576).toFixed(0)} MiB`);
await embedder.close();
