/** Pages of memories in FalkorDB: each is full unless it is the last, and costs little in a graph of any size. */
import { expect, test } from 'vitest';
import type { GraphStore } from '../../src/stores/graph-store.js';
import type { PageRequest } from '../../src/stores/ports/memory-store.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { idOf, memory, NOON } from '../support/records.js';

const TOTAL = 4_000;
const LIMIT = 20;
const HOUR_MS = 3_600_000;

/** An id as Engraph makes it, of a memory that is stored at this time. */
function timedId(nowMs: number, number: number): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`;
}

function randomId(number: number): string {
  return `${((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-4000`;
}

describeFalkor('pages in FalkorDB', { isForgetful: true }, suite => {
  /** Stores memories with these ids, the last id first. */
  const stored = async (ids: readonly string[]) => {
    const settings = suite.settings();
    const store = suite.open(settings);
    const records = ids.map(id => ({ memory: { ...memory(1), id }, work: [] })).reverse();
    for (let start = 0; start < records.length; start += 500)
      await store.saveMemories(records.slice(start, start + 500));
    return { store, cypher: (statement: string) => suite.server.query(settings.graph, statement) };
  };
  /** Reads all ids. A page with fewer than `limit` ends the walk. */
  const walk = async (read: (page: PageRequest) => Promise<string[]>, limit: number) => {
    const ids: string[] = [];
    for (;;) {
      const last = ids.at(-1);
      const page = await read({ ...(last !== undefined && { afterId: last }), limit });
      ids.push(...page);
      if (page.length < limit) return ids;
    }
  };
  const recordIds = (store: GraphStore) => async (page: PageRequest) =>
    (await store.readRecords(page)).map(each => each.memory.id);
  const stateIds = (store: GraphStore) => async (page: PageRequest) =>
    (await store.vectorStates(page)).map(({ id }) => id);

  test('are full although other programs have made some memories unreadable', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => idOf(index + 1));
    const { store, cypher } = await stored(ids);
    const unreadable = ids.filter((_, index) => [0, 3, 4, 5, 11].includes(index));
    await cypher(`MATCH (m:Memory) WHERE m.id IN ${JSON.stringify(unreadable)} SET m.importance = 'high'`);
    const readable = ids.filter(id => !unreadable.includes(id));
    expect(await recordIds(store)({ limit: 5 })).toEqual(readable.slice(0, 5));
    for (const limit of [1, 2, 3, 20]) expect(await walk(recordIds(store), limit)).toEqual(readable);
  });

  test('have all ids in order: those of one hour, those of one millisecond, random ones and names', async () => {
    const ids = [
      ...Array.from({ length: 300 }, (_, number) => timedId(NOON + number * 9_000, number)),
      ...Array.from({ length: 300 }, (_, number) => timedId(NOON + HOUR_MS, number)),
      ...Array.from(
        { length: 300 },
        (_, number) => `${((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-x`,
      ),
      'a name',
      'another',
      'Zoë',
    ];
    const { store } = await stored(ids);
    const inOrder = await stateIds(store)({ limit: 2_000 });
    expect(inOrder.toSorted()).toEqual(ids.toSorted());
    for (const limit of [7, 100, 999]) {
      expect(await walk(stateIds(store), limit)).toEqual(inOrder);
      expect(await walk(recordIds(store), limit)).toEqual(inOrder);
    }
  });

  test.each([
    ['of one hour', (number: number) => timedId(NOON + Math.floor((number * HOUR_MS) / TOTAL), number)],
    ['of any time', (number: number) => randomId(number)],
  ])('read few of the nodes of a large graph: ids %s', async (_, idAt) => {
    const { store } = await stored(Array.from({ length: TOTAL }, (_, number) => idAt(number)));
    const read = await suite.server.nodesRead(() => walk(stateIds(store), LIMIT));
    expect(read).toBeLessThan(TOTAL * 16);
  });
});
