/** Fills a store of a given size. If a folder is given, the store is kept there and later runs use it again. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, openEngine } from '../../../build/index.js';
import { connect } from '../../../build/stores/database/connection.js';
import { sqlitePath } from '../../../build/stores/sqlite/store.js';
import { streamMemories } from '../corpus.mjs';
import { timed } from './statistics.mjs';

/** Tag of the memories that a run adds to the store. The run removes these memories at its end. */
export const RUN_TAG = 'speed-run';
const BATCH = 500;
/** Number of memories from whose words the questions are taken. */
const SAMPLE_SIZE = 2_000;
const LINKED = 200;
/** Larger stores are not enriched, because that would take hours. */
const ENRICHED_MAX = 100_000;

export function configOf(dataDir) {
  const environment = { EMBEDDING_PROVIDER: 'hash', LLM_PROVIDER: 'none', LOG_LEVEL: 'warn' };
  return loadConfig({ ...process.env, ...environment, ENGRAPH_DATA_DIR: dataDir });
}

/**
 * @param keptIn folder of filled stores; if absent, the store is in a temporary folder, which `dispose` removes
 * @returns the folder, a sample of the contents, and measurements of the filling; `donePerSecond` is absent if the
 * memories were not enriched
 */
export async function filledStore(size, { keptIn, onProgress }) {
  const folder = keptIn ? join(keptIn, `memories-${size}`) : mkdtempSync(join(tmpdir(), 'engraph-bench-'));
  const dataDir = join(folder, 'store');
  const notesPath = join(folder, 'filled.json');
  const corpus = corpusDigest();
  const known = existsSync(notesPath) ? JSON.parse(readFileSync(notesPath, 'utf8')) : undefined;
  const dispose = () => {
    if (!keptIn) rmSync(folder, { recursive: true, force: true });
  };
  if (known?.corpus === corpus) {
    onProgress(`${size} memories as they were stored on ${known.date}`);
    await removeLeftovers(dataDir);
    return { dataDir, dispose, ...known };
  }
  // Here the folder is new, its filling was interrupted, or it contains other memories.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const filled = await fill(dataDir, size, onProgress);
  const date = new Date().toISOString().slice(0, 10);
  // The size is measured now, because later runs leave free pages in the file.
  const notes = { corpus, date, ...filled, bytesPerMemory: folderBytes(dataDir) / size };
  writeFileSync(notesPath, JSON.stringify(notes));
  return { dataDir, dispose, ...notes };
}

/** A digest that changes when the memories are generated differently. */
function corpusDigest() {
  const { vectorSize } = configOf('.').input;
  const source = readFileSync(new URL('../corpus.mjs', import.meta.url));
  return createHash('sha256').update(source).update(String(vectorSize)).digest('hex').slice(0, 16);
}

async function removeLeftovers(dataDir) {
  const engine = await openEngine(configOf(dataDir));
  await engine.removeByTag([RUN_TAG]);
  await engine.close();
}

async function fill(dataDir, size, onProgress) {
  const engine = await openEngine(configOf(dataDir));
  const sample = [];
  const sampleStep = Math.max(1, Math.floor(size / SAMPLE_SIZE));
  let stored = 0;
  let ackedMs = 0;
  const tellEvery = Math.max(Math.min(BATCH, size), size / 10);
  const allMs = await timed(async () => {
    for (const batch of batches(streamMemories(size))) {
      for (const [index, memory] of batch.entries())
        if ((stored + index) % sampleStep === 0) sample.push(memory.content);
      ackedMs += await timed(() => engine.storeMany(batch));
      const before = stored;
      stored += batch.length;
      if (Math.floor(stored / tellEvery) > Math.floor(before / tellEvery)) onProgress(`${stored} of ${size} stored`);
    }
    if (size > ENRICHED_MAX) return;
    onProgress('all stored; embedding and enriching goes on');
    await engine.idle();
  });
  await linkSome(engine);
  await engine.close();
  const acknowledgedPerSecond = (size / ackedMs) * 1000;
  if (size <= ENRICHED_MAX) return { sample, acknowledgedPerSecond, donePerSecond: (size / allMs) * 1000 };
  dropWork(dataDir);
  return { sample, acknowledgedPerSecond };
}

/** Removes the work that waits, so that it does not disturb the measurements. */
function dropWork(dataDir) {
  const connection = connect(sqlitePath(dataDir));
  connection.transaction(() => connection.run('DELETE FROM work'));
  connection.close();
}

function* batches(memories) {
  let batch = [];
  for (const memory of memories) {
    batch.push(memory);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Edges for expansion to follow: a chain through the memories of one user. */
async function linkSome(engine) {
  const { memories } = await engine.listByTag({ tags: ['user1'], limit: LINKED, offset: 0 });
  const items = memories.slice(1).map(({ memory }, index) => ({
    memory1_id: memories[index].memory.id,
    memory2_id: memory.id,
    type: 'LEADS_TO',
    strength: 0.7,
    properties: {},
  }));
  await engine.associateMany(items);
}

/** Size of the files in the folder of a closed store. Nearly all bytes are in its database file. */
function folderBytes(folder) {
  return readdirSync(folder)
    .map(name => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}
