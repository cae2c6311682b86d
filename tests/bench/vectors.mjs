/**
 * Measures the embedded vector store alone, on synthetic vectors. The vectors form clusters. With `--spread`, they lie
 * around a common mean instead, and their variance decreases from dimension to dimension, like the vectors of many
 * models.
 *
 *   npm run build && node tests/bench/vectors.mjs [--sizes 10000,100000,1000000] [--dimensions 384] [--queries 100] [--spread]
 *
 * recall@k is the share of the k nearest neighbours that the search finds. An exact scan in double precision determines
 * them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { filterValuesOf } from '../../build/domain/filter.js';
import { systemClock } from '../../build/engine/clock.js';
import { openEmbeddedVectors } from '../../build/stores/embedded-vectors/store.js';
import { randomSource } from './corpus.mjs';

const { values: flags } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    dimensions: { type: 'string', default: '384' },
    queries: { type: 'string', default: '100' },
    spread: { type: 'boolean', default: false },
  },
});
const dimensions = Number(flags.dimensions);
const queryCount = Number(flags.queries);
const CLUSTERS = 500;
/** Added to each dimension of spread vectors, so that any two of them have a cosine of about one half. */
const MEAN = 0.07;
const BATCH = 1_000;
const TAGS = 50;
const CHECKED_QUERIES = 20;
const LIMIT = 10;
const LONG_LIMIT = 200;

const out = line => process.stdout.write(`${line}\n`);
const idOf = number => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const percentile = (sorted, share) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);

/** Returns the same vectors for the same seed. */
function vectorSource(seed) {
  const random = randomSource(seed);
  const normal = () => random() + random() + random() + random() - 2;
  if (flags.spread)
    return () => Float32Array.from({ length: dimensions }, (_, index) => MEAN + normal() / (index + 1) ** 0.5);
  const centres = Array.from({ length: CLUSTERS }, () => Float32Array.from({ length: dimensions }, normal));
  return () => {
    const centre = centres[Math.floor(random() * CLUSTERS)];
    return centre.map(value => value + 0.8 * normal());
  };
}

function cosine(one, other) {
  let [dot, a, b] = [0, 0, 0];
  for (let index = 0; index < dimensions; index++) {
    dot += one[index] * other[index];
    a += one[index] ** 2;
    b += other[index] ** 2;
  }
  return dot / Math.sqrt(a * b);
}

/** The payload of a memory that has one tag and is always valid. */
function payloadOf(number) {
  const tags = [`t${number % TAGS}`];
  const timestamp = new Date(number).toISOString();
  return { model: 'm', ...filterValuesOf({ tags, tag_prefixes: tags, timestamp, archived: false }) };
}

async function latencies(label, queries, search) {
  const durations = [];
  for (const query of queries) {
    const startedMs = performance.now();
    await search(query);
    durations.push(performance.now() - startedMs);
  }
  durations.sort((a, b) => a - b);
  out(`  ${label.padEnd(32)} p50 ${percentile(durations, 0.5)} ms   p95 ${percentile(durations, 0.95)} ms`);
}

async function measure(size) {
  out(`\n${size} vectors of ${dimensions} dimensions, ${flags.spread ? 'spread' : 'in clusters'}`);
  const folder = mkdtempSync(join(tmpdir(), 'engraph-vectors-'));
  const open = () => openEmbeddedVectors(folder, { dimensions, clock: systemClock });
  // If the vectors form clusters, the queries are near stored vectors. Spread queries come from another seed.
  const queryVectors = vectorSource(flags.spread ? 2 : 1);
  let store = await open();
  const next = vectorSource(1);
  const queries = Array.from({ length: queryCount }, (_, number) =>
    flags.spread ? queryVectors() : queryVectors().map((value, index) => value + 0.3 * Math.sin(index * (number + 1))),
  );
  // The exact nearest neighbours of the first queries, collected while the vectors are made.
  const nearest = queries.slice(0, CHECKED_QUERIES).map(() => []);
  let writingMs = 0;
  for (let first = 0; first < size; first += BATCH) {
    const records = Array.from({ length: BATCH }, (_, index) => ({
      id: idOf(first + index),
      vector: next(),
      payload: payloadOf(first + index),
    }));
    const startedMs = performance.now();
    await store.upsert(records);
    writingMs += performance.now() - startedMs;
    for (const [index, best] of nearest.entries()) {
      for (const { id, vector } of records) {
        const similarity = cosine(queries[index], vector);
        if (best.length === LONG_LIMIT && similarity <= best[LONG_LIMIT - 1].similarity) continue;
        best.push({ id, similarity });
        best.sort((a, b) => b.similarity - a.similarity);
        best.length = Math.min(best.length, LONG_LIMIT);
      }
    }
  }
  out(`  written in ${((writingMs / size) * 1000).toFixed(0)} µs each`);
  const search = (vector, filter = {}, limit = LIMIT) => store.search({ vector, limit, filter, models: ['m'] });
  await store.close();
  const startedMs = performance.now();
  store = await open();
  // Searches fail at first, because reading a million vectors takes longer than the time limit of a search.
  for (;;) {
    const isReady = await search(queries[0]).then(
      () => true,
      () => false,
    );
    if (isReady) break;
  }
  out(`  opened and first answer after ${(performance.now() - startedMs).toFixed(0)} ms`);
  for (const query of queries.slice(0, 10)) await search(query);
  for (const limit of [LIMIT, LONG_LIMIT]) {
    let found = 0;
    for (const [index, best] of nearest.entries()) {
      const ids = new Set((await search(queries[index], {}, limit)).map(({ id }) => id));
      found += best.slice(0, limit).filter(({ id }) => ids.has(id)).length;
    }
    out(`  recall@${limit} ${(found / (nearest.length * limit)).toFixed(3)}`);
  }
  await latencies('the nearest 10', queries, query => search(query));
  await latencies('the nearest 200', queries, query => search(query, {}, LONG_LIMIT));
  const tagged = { tags: { keys: ['t7'], mode: 'any', match: 'exact' } };
  await latencies('the nearest 10 of a tag (2 %)', queries, query => search(query, tagged));
  out(`  resident ${(process.memoryUsage().rss / 1_048_576).toFixed(0)} MiB`);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

for (const size of flags.sizes.split(',').map(Number)) await measure(size);
