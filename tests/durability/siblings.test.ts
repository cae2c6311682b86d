/**
 * Several processes share one memory, and the process that has it open is killed again and again. Uses the compiled
 * binary.
 */
import { describe, expect, test } from 'vitest';
import type { TagPageAnswer } from '../../src/api/tags.js';
import { temporaryFolder } from '../cli/spawned-engraph.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { createRandom } from './random.js';
import { read } from './reader.js';
import { serveWay, stdioWay, TAG, type Way, writeWhileOwnersDie } from './siblings-load.js';

/** A long run sets higher values. */
const WRITES = Number(process.env.ENGRAPH_TEST_SIBLING_WRITES ?? 100);
const KILLS = Number(process.env.ENGRAPH_TEST_SIBLING_KILLS ?? 2);
const STDIO_PROCESSES = WRITES > 100 ? 3 : 2;
const SEED = Number(process.env.ENGRAPH_TEST_SEED ?? Date.now() % 1_000_000);
const TIME_LIMIT_MS = 300_000;

async function contents(url: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let offset = 0; ; offset += 200) {
    const page = await read<TagPageAnswer>(`${url}/memory/by-tag?tags=${TAG}&limit=200&offset=${offset}`);
    for (const { id, content } of page.memories) found.set(id, content);
    if (!page.has_more) return found;
  }
}

async function shareAndKill(environment: Record<string, string>): Promise<void> {
  const folder = await temporaryFolder();
  const serve = await serveWay(folder, environment);
  const names = Array.from({ length: STDIO_PROCESSES }, (_, index) => `client ${index}`);
  const stdio = await Promise.all(names.map(name => stdioWay(name, folder, environment)));
  const ways: Way[] = [serve, ...stdio];
  const random = createRandom(SEED);
  const load = await writeWhileOwnersDie(folder, ways, { writes: WRITES, kills: KILLS, random });

  const { durationsMs, errors, kills, stored, removed } = load;
  const longestMs = Math.max(...durationsMs);
  process.stdout.write(
    `seed ${SEED}: ${kills} kills, ${durationsMs.length} calls, the longest ${Math.round(longestMs)} ms\n`,
  );
  expect(errors).toEqual([]);
  expect(kills).toBe(KILLS);
  const found = await contents(serve.url);
  expect(found).toEqual(stored);
  expect([...removed].filter(id => found.has(id))).toEqual([]);
  for (const way of ways) await way.close();
}

describe('processes that share a memory', () => {
  test('lose nothing and duplicate nothing while owners are killed', () => shareAndKill({}), TIME_LIMIT_MS);
});

describeFalkor('processes that share a graph on FalkorDB and vectors in a folder', { isForgetful: true }, suite => {
  const environment = () => {
    const { url, graph } = suite.settings();
    return { FALKORDB_URL: url, FALKORDB_GRAPH: graph };
  };
  test('lose nothing and duplicate nothing while owners are killed', () => shareAndKill(environment()), TIME_LIMIT_MS);
});
