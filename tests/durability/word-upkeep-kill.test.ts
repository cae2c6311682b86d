/** Analyzing all memories again is killed in the middle, continues, and loses nothing. Uses the compiled binary. */

import { expect, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { ANALYZER_VERSION } from '../../src/domain/versions.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { openSqliteStore } from '../../src/stores/sqlite/store.js';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { readIndex, writeFormerWords } from '../support/former-words.js';
import { idOf } from '../support/records.js';

const COUNT = 4_000;
const DONE_BEFORE_KILL = 300;
const SETTINGS = { VECTOR_SIZE: '64', LLM_PROVIDER: 'none', CONSOLIDATION_ENABLED: 'false' };
const TIMEOUT_MS = 90_000;

const MEMORIES = Array.from({ length: COUNT }, (_, index) => ({
  id: idOf(index + 1),
  content: `Crane ${index} stands in the harbour beside ${index % 70} ships`,
  tags: [`pier:${index % 9}`],
}));

async function start(folder: string, settings: Record<string, string>) {
  const { url, child, ended, output } = await spawnServe(folder, { ...SETTINGS, ...settings });
  const client = createClient({ url, retryDelaysMs: [] });
  const progress = async () => (await client.health()).text_index;
  return {
    client,
    output,
    progress,
    untilHealthSays: async (holds: (done: number | undefined) => boolean) => {
      while (!holds((await progress())?.reindexed)) await new Promise(resolve => setTimeout(resolve, 5));
    },
    end: async (signal: 'SIGKILL' | 'SIGTERM') => {
      child.kill(signal);
      await ended;
    },
  };
}

type Service = Awaited<ReturnType<typeof start>>;
type Stores = Parameters<typeof readIndex>[0];

/** Stores, changes, deletes and finds memories while all are analyzed again. */
async function useMeanwhile({ client, untilHealthSays }: Service, round: number): Promise<void> {
  await untilHealthSays(done => done !== undefined);
  const added = { id: idOf(COUNT + round), content: `Stored meanwhile, gull ${round}` };
  await client.store(added);
  await client.update(idOf(COUNT - round), { content: `Changed meanwhile, heron ${round}` });
  await client.update(idOf(round), { content: `Changed meanwhile, egret ${round}` });
  await client.remove(idOf(COUNT - 10 - round));
  for (const word of ['gull', 'heron', 'egret', 'ships']) {
    const { results } = await client.recall({ query: `${word} ${round}`, limit: 1 });
    expect(results[0]?.memory.content).toContain(word);
  }
}

async function killInTheMiddle(folder: string, settings: Record<string, string>, stores: Stores): Promise<void> {
  const filled = await start(folder, settings);
  for (let from = 0; from < COUNT; from += 500) await filled.client.storeMany(MEMORIES.slice(from, from + 500));
  await filled.end('SIGTERM');
  await writeFormerWords(stores);

  const killed = await start(folder, settings);
  await useMeanwhile(killed, 1);
  await killed.untilHealthSays(done => done === undefined || done >= DONE_BEFORE_KILL);
  await killed.end('SIGKILL');
  expect(killed.output.stderr).toContain(`${COUNT} of ${COUNT} memories are analyzed again`);
  expect(killed.output.stderr).not.toContain('memories are analyzed by version');

  const last = await start(folder, settings);
  await useMeanwhile(last, 2);
  await last.untilHealthSays(done => done === undefined);
  await last.end('SIGTERM');
  const [, left] = /(\d+) of \d+ memories are analyzed again/.exec(last.output.stderr) ?? [];
  expect(Number(left)).toBeLessThanOrEqual(COUNT - DONE_BEFORE_KILL);
  expect(last.output.stderr).toContain(`all ${COUNT} memories are analyzed by version ${ANALYZER_VERSION}`);
}

/** Stores the same memories in a new store. */
async function copyMemories(source: GraphStore, target: GraphStore): Promise<void> {
  const records = await source.readRecords({ limit: COUNT * 2 });
  await target.saveMemories(records);
  expect(await target.countMemories()).toBe(COUNT);
  await Promise.all([source.close(), target.close()]);
}

test('in an SQLite file', { timeout: TIMEOUT_MS }, async () => {
  const [folder, fresh] = [await temporaryFolder(), await temporaryFolder()];
  await killInTheMiddle(folder, {}, { dataDir: folder });
  await copyMemories(openSqliteStore(folder), openSqliteStore(fresh));
  expect(await readIndex({ dataDir: folder })).toEqual(await readIndex({ dataDir: fresh }));
});

describeFalkor('with FalkorDB', {}, suite => {
  test('in a graph', { timeout: TIMEOUT_MS }, async () => {
    const folder = await temporaryFolder();
    const [falkordb, fresh] = [suite.settings(), suite.settings()];
    const settings = { FALKORDB_URL: falkordb.url, FALKORDB_GRAPH: falkordb.graph };
    await killInTheMiddle(folder, settings, { dataDir: folder, stores: { falkordb } });
    await copyMemories(suite.open(falkordb), suite.open(fresh));
    const ofFresh = await readIndex({ dataDir: folder, stores: { falkordb: fresh } });
    expect(await readIndex({ dataDir: folder, stores: { falkordb } })).toEqual(ofFresh);
  });
});
