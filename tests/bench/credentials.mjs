/**
 * Measures how many memories per second the search for credentials reads, and how long it delays other requests.
 *
 *   npm run build && node tests/bench/credentials.mjs [--count 20000] [--page 500]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig, openEngine } from '../../build/index.js';
import { makeMemories } from './corpus.mjs';

const { values: flags } = parseArgs({
  options: { count: { type: 'string', default: '20000' }, page: { type: 'string', default: '500' } },
});
const [count, limit] = [Number(flags.count), Number(flags.page)];
const BATCH = 500;
/** One of this many memories contains a token. */
const TOKEN_EVERY = 1_000;
const TOKEN = `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`;
const out = line => process.stdout.write(`${line}\n`);

/** Measures the longest time during which no other work could run. */
function watchBlocking() {
  let [lastMs, longestMs] = [performance.now(), 0];
  const timer = setInterval(() => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs - 1);
    lastMs = nowMs;
  }, 1);
  return () => {
    clearInterval(timer);
    return longestMs;
  };
}

const dataDir = mkdtempSync(join(tmpdir(), 'engraph-credentials-'));
const env = { ENGRAPH_DATA_DIR: dataDir, EMBEDDING_PROVIDER: 'hash', VECTOR_SIZE: '64', LOG_LEVEL: 'error' };
const engine = await openEngine(loadConfig(env));
try {
  const memories = makeMemories(count);
  for (let start = 0; start < count; start += BATCH) {
    const part = memories.slice(start, start + BATCH).map((memory, index) => ({
      ...memory,
      content: (start + index) % TOKEN_EVERY === 0 ? `${memory.content} Its token is ${TOKEN}.` : memory.content,
    }));
    await engine.storeMany(part);
  }
  await engine.idle();
  await engine.credentials({ limit: 1 });
  const stop = watchBlocking();
  const [pageTimes, startedMs] = [[], performance.now()];
  let [afterId, found, scanned] = [undefined, 0, 0];
  do {
    const pageMs = performance.now();
    const page = await engine.credentials({ limit, ...(afterId && { afterId }) });
    pageTimes.push(performance.now() - pageMs);
    found += page.findings.length;
    scanned += page.scannedCount;
    afterId = page.next;
  } while (afterId !== undefined);
  const seconds = (performance.now() - startedMs) / 1000;
  pageTimes.sort((a, b) => a - b);
  out(`${scanned} memories in ${seconds.toFixed(1)} s: ${Math.round(scanned / seconds)} a second, ${found} found`);
  out(
    `a page of ${limit}: median ${Math.round(pageTimes[pageTimes.length >> 1])} ms, longest ${Math.round(pageTimes.at(-1))} ms`,
  );
  out(`others wait at most ${Math.round(stop())} ms`);
} finally {
  await engine.close();
  rmSync(dataDir, { recursive: true, force: true });
}
