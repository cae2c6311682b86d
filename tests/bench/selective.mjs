/**
 * Measures the worst case for a filter: most filters pass only ten memories, and every memory contains the words of
 * the question.
 *
 *   node tests/bench/selective.mjs [--sizes 10000,100000]
 *
 * A step whose cost is linear in the number of memories makes the median grow with the size.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig, openEngine } from '../../build/index.js';

const { values: flags } = parseArgs({ options: { sizes: { type: 'string', default: '10000,100000' } } });
const LEFT = 10;
const RUNS = 9;
const OLD_MS = Date.UTC(2024, 4, 1);
const NEW_MS = Date.UTC(2025, 0, 1);
const ALL = { limit: LEFT, tags: [], exclude_tags: [], tag_mode: 'any', tag_match: 'prefix' };
const HISTORY = { state_mode: 'history' };
/**
 * The first filter passes all memories. The last filter passes the memories of one old month, about a twelfth of all.
 * Every other filter passes the same ten memories.
 */
const FILTERS = {
  'no filter': HISTORY,
  'a tag': { tags: ['rare'], ...HISTORY },
  'an exact tag': { tags: ['rare:one'], tag_match: 'exact', ...HISTORY },
  'a time window': { start: '2024-05-01T00:00:00.000Z', end: '2024-06-01T00:00:00.000Z', ...HISTORY },
  'an open window': { end: '2024-06-01T00:00:00.000Z', ...HISTORY },
  'what holds now': {},
  'a common tag and what holds now': { tags: ['often'] },
  'the exclusion of what nearly all have': { exclude_tags: ['common'], ...HISTORY },
  'an old month of many': { start: '2025-01-01T00:00:00.000Z', end: '2025-01-31T00:00:00.000Z', ...HISTORY },
};
const QUERIES = ['common weekly report', 'meeting', undefined];

function memoryAt(index, size) {
  const isLeft = index % (size / LEFT) === 3;
  return {
    content: `The common report about the weekly meeting, number ${index}`,
    tags: isLeft ? ['rare:one', 'often'] : ['often', 'common'],
    importance: 0.5,
    metadata: {},
    timestamp: new Date(isLeft ? OLD_MS + index * 1000 : NEW_MS + (index / size) * 365 * 86_400_000).toISOString(),
    ...(!isLeft && { t_invalid: '2025-12-31T00:00:00.000Z' }),
  };
}

function median(durations) {
  return durations.sort((a, b) => a - b)[durations.length >> 1];
}

async function measure(size) {
  const dataDir = mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const env = { ENGRAPH_DATA_DIR: dataDir, EMBEDDING_PROVIDER: 'hash', LOG_LEVEL: 'warn' };
  const engine = await openEngine(loadConfig(env));
  for (let start = 0; start < size; start += 500) {
    await engine.storeMany(Array.from({ length: 500 }, (_, offset) => memoryAt(start + offset, size)));
  }
  await engine.idle();
  await new Promise(resolve => setTimeout(resolve, 2_000 + size * 2));
  const found = new Map();
  for (const [label, filter] of Object.entries(FILTERS)) {
    for (const query of QUERIES) {
      const run = () => engine.recall({ ...ALL, ...filter, ...(query && { query }) });
      let count = (await run()).results.length;
      const durations = [];
      for (let turn = 0; turn < RUNS; turn++) {
        const startedMs = performance.now();
        count = Math.min(count, (await run()).results.length);
        durations.push(performance.now() - startedMs);
      }
      found.set(`${label} / ${query ?? '(no query)'}`, { count, ms: median(durations) });
    }
  }
  for (const offset of [0, 100]) {
    const durations = [];
    for (let turn = 0; turn < RUNS; turn++) {
      const startedMs = performance.now();
      await engine.listByTag({ tags: ['often'], limit: 20, offset });
      durations.push(performance.now() - startedMs);
    }
    found.set(`by-tag of all, offset ${offset}`, { count: 20, ms: median(durations) });
  }
  await engine.close();
  rmSync(dataDir, { recursive: true, force: true });
  return found;
}

const sizes = flags.sizes.split(',').map(Number);
const columns = [];
for (const size of sizes) columns.push(await measure(size));
process.stdout.write(`${''.padEnd(64)}${sizes.map(size => `${size}`.padStart(20)).join('')}\n`);
for (const label of columns[0].keys()) {
  const cells = columns.map(column => {
    const { count, ms } = column.get(label);
    return `${ms.toFixed(1)} ms (${count})`.padStart(20);
  });
  process.stdout.write(`${label.padEnd(64)}${cells.join('')}\n`);
}
