/** No acknowledged write is lost, however often the process is killed. Uses the compiled binary. */
import { describe, expect, test } from 'vitest';
import { createHashEmbedder } from '../../src/embedding/hash.js';
import { openSqlitePair } from '../../src/stores/sqlite/store.js';
import { spawnEngraph, spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { createManualClock } from '../support/manual-clock.js';
import { createLedger, type Ledger } from './ledger.js';
import { createRandom, type Random } from './random.js';
import { forEachOf, readAll, readOne, recallIds, untilSynced } from './reader.js';
import { VECTOR_SIZE, wordOf, writeUntilGone } from './writer.js';

/** Number of rounds. Each round ends with a kill. A longer test sets a higher number. */
const ROUNDS = Number(process.env.ENGRAPH_TEST_ROUNDS ?? 5);
const WRITERS = 3;
/** Maximum number of memories searched by their words at the end. Every changed memory is also read by its id. */
const RECALLS = 200;
/** Set ENGRAPH_TEST_SEED to repeat a run. The timing of the processes still differs from run to run. */
const SEED = Number(process.env.ENGRAPH_TEST_SEED ?? Date.now() % 1_000_000);

/** Background work starts 20 ms after a write, so that kills also interrupt this work. */
const SETTINGS = { VECTOR_SIZE: String(VECTOR_SIZE) };

function wait(durationMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, durationMs));
}

/** Starts a process and kills it while it opens the folder. */
async function killDuringStart(folder: string, random: Random): Promise<void> {
  const { child, ended } = spawnEngraph(['serve', '--port', '0', '--data-dir', folder], SETTINGS);
  await wait(random.between(100, 450));
  child.kill('SIGKILL');
  await ended;
}

/** Compares the listed memories with the ledger, and each changed memory, read by its id, with the list. */
async function verify(url: string, ledger: Ledger): Promise<void> {
  const touched = ledger.touched();
  const actual = await readAll(url);
  expect(ledger.settle(actual)).toEqual([]);
  await forEachOf(touched, async id => {
    expect(await readOne(url, id), id).toBe(actual.get(id));
  });
}

/**
 * Checks that every memory with `embedded_by` has its supplied vector or a vector of its present content, and that
 * there are no other vectors. Reads the files that the killed process left, before another process can repair them.
 */
async function verifyVectors(folder: string): Promise<void> {
  const { graph, vectors } = openSqlitePair(folder, { dimensions: VECTOR_SIZE, clock: createManualClock() });
  try {
    const hash = createHashEmbedder(VECTOR_SIZE);
    const records = await graph.readRecords({ limit: 100_000 });
    const embedded = records.filter(({ memory }) => memory.embedded_by !== undefined);
    const indexed: string[] = [];
    for await (const id of vectors.ids()) indexed.push(id);
    expect(indexed.sort()).toEqual(embedded.map(({ memory }) => memory.id).sort());
    const stored = await vectors.vectorsOf(indexed);
    for (const { memory, embedding } of embedded) {
      const [made] = await hash.embed([memory.content], 'document');
      const expected = memory.embedded_by === 'supplied' ? embedding : made;
      expect(cosine(expected ?? [], stored.get(memory.id) ?? []), memory.id).toBeCloseTo(1, 4);
    }
  } finally {
    await vectors.close();
    await graph.close();
  }
}

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

/** Checks that exactly these ids have a memory and a vector, and that no vector is stale. */
async function verifyStores(folder: string, ids: readonly string[]): Promise<void> {
  const { graph, vectors } = openSqlitePair(folder, { dimensions: VECTOR_SIZE, clock: createManualClock() });
  try {
    const listed = await graph.list({ filter: {}, order: 'importance', limit: 100_000 });
    const indexed: string[] = [];
    for await (const id of vectors.ids()) indexed.push(id);
    expect(listed.sort()).toEqual([...ids].sort());
    expect(indexed.sort()).toEqual(listed);
    expect(await graph.staleVectors(1)).toEqual([]);
  } finally {
    await vectors.close();
    await graph.close();
  }
}

describe('a service that is killed again and again', () => {
  test(`keeps every acknowledged write (seed ${SEED})`, { timeout: 60_000 + ROUNDS * 20_000 }, async () => {
    const random = createRandom(SEED);
    const folder = await temporaryFolder();
    const ledger = createLedger();
    for (let round = 1; round <= ROUNDS; round++) {
      if (random.next() < 0.2) await killDuringStart(folder, random);
      const { url, child, ended } = await spawnServe(folder, SETTINGS);
      await verify(url, ledger);
      const writers = Array.from({ length: WRITERS }, () => writeUntilGone(url, round, { ledger, random }));
      await wait(random.between(20, 150));
      // Without this wait, every process could be killed before its first write on a busy machine.
      while (ledger.acknowledgedRequests <= round) await wait(5);
      child.kill('SIGKILL');
      await Promise.all([...writers, ended]);
      await verifyVectors(folder);
    }
    const { url, child, ended } = await spawnServe(folder, SETTINGS);
    await verify(url, ledger);
    const ids = ledger.live();
    await untilSynced(url, ids.length);
    const sample = ids.filter((_, index) => index % Math.ceil(ids.length / RECALLS) === 0);
    await forEachOf(sample, async id => expect(await recallIds(url, wordOf(id)), id).toEqual([id]));
    child.kill('SIGTERM');
    await ended;
    await verifyStores(folder, ids);
    expect(ledger.acknowledgedRequests).toBeGreaterThan(ROUNDS);
  });
});
