/** Graphs that an older Engraph wrote are converted completely, even if the conversion is interrupted. */
import { describe, expect, test } from 'vitest';
import { upgradeFromVersion1 } from '../../src/stores/falkordb/layout-1/upgrade.js';
import { prepareSchema } from '../../src/stores/falkordb/schema.js';
import { openSession, type Session } from '../../src/stores/falkordb/session.js';
import { addressOf } from '../../src/stores/falkordb/settings.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import type { AuxiliaryNode } from '../../src/stores/ports/node-store.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { expected, writeLayout1 } from '../support/layout-1.js';
import { idOf, NOON } from '../support/records.js';

const KINDS = ['Pattern', 'MetaMemory', 'ConsolidationControl', 'ConsolidationRun'] as const;

const isCopy = (id: string) => Number(id.slice(-12)) >= 1_000;

/** Everything that a store returns about the recorded memories. */
async function contentsOf(store: GraphStore) {
  const records = (await store.readRecords({ limit: 1_000 })).filter(({ memory }) => !isCopy(memory.id));
  const ids = records.map(({ memory }) => memory.id);
  const relations = await store.relationsOf({ ids, limit: 100 });
  const links = await store.linksOf(ids);
  return {
    records: records.map(({ embedding, ...rest }) => ({ ...rest, ...(embedding && { embedding: [...embedding] }) })),
    relations: Object.fromEntries([...relations].filter(([, edges]) => edges.length > 0)),
    links: links.sort((a, b) => (a.memoryId < b.memoryId ? -1 : 1)),
    nodes: (await Promise.all(KINDS.map(kind => store.readNodes(kind, { limit: 50 })))).flat().map(withoutNote),
    stale: await store.staleVectors(10),
    counts: { embed: await store.workCounts('embed'), enrich: await store.workCounts('enrich') },
  };
}

/** Removes `note_of_mine`. A store returns such added properties of auxiliary nodes, but not of memories. */
function withoutNote({ properties: { note_of_mine: _, ...properties }, ...node }: AuxiliaryNode): AuxiliaryNode {
  return { ...node, properties };
}

const { claim, ...recorded } = expected;

describeFalkor('a graph of schema version 1', { isForgetful: true }, suite => {
  const written = async (copies = 0) => {
    const { graph } = suite.settings();
    await writeLayout1(suite.server, graph, copies);
    return graph;
  };
  const session = (graph: string) =>
    openSession({ address: addressOf(suite.settings()), graph, silenceMs: 10_000, onLost: () => undefined });

  test('is converted with all its data when it is opened', async () => {
    const graph = await written();
    const store = suite.open({ graph });
    expect(await contentsOf(store)).toEqual(recorded);
    expect(await store.countMemories()).toBe(recorded.records.length);
    expect(await store.renewWork([claim], NOON + 1)).toEqual([claim]);
    const found = await store.searchText({ terms: ['harbour'], filter: {}, limit: 20 });
    expect(found.hits).toHaveLength(recorded.records.filter(({ memory }) => /harbour/.test(memory.content)).length);
    expect(
      (await store.listByTags({ keys: ['project:billing:api'], limit: 5, offset: 0 })).map(({ id }) => id),
    ).toEqual([idOf(1)]);
  });

  test('keeps properties that other programs added to nodes and edges, and loses properties of version 1', async () => {
    const graph = await written();
    await suite.open({ graph }).ping();
    const names = await suite.server.query<{ label: string; names: string[] }>(
      graph,
      'MATCH (n) RETURN labels(n)[0] AS label, keys(n) AS names UNION MATCH ()-[r]->() RETURN "edge" AS label, keys(r) AS names',
    );
    const former = ['numbers', 'exact_id', 'id_rank', 'details', 'timestamp_ms', 'model', 'properties', 'embed_state'];
    for (const { label, names: each } of names) {
      if (label === '_MemoryIndex' || label === 'Counter' || label === '_StaleVector') continue;
      expect(each, label).toContain('note_of_mine');
      expect(
        each.filter(name => former.includes(name)),
        label,
      ).toEqual([]);
    }
    expect(new Set(names.map(({ label }) => label))).not.toContain('MemoryIndex');
  });

  test('is refused by an older Engraph as soon as the conversion starts', async () => {
    const graph = await written(300);
    const one = await session(graph);
    await expect(prepareSchema(one, 0)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('is being converted to schema version 2'),
    });
    one.close();
    const [counter] = await suite.server.query<{ value: number }>(
      graph,
      "MATCH (c:Counter {name: 'schema version'}) RETURN c.value AS value",
    );
    expect(counter?.value).toBe(2);
  });

  test('is converted in several parts if one attempt does not have enough time', async () => {
    const graph = await written(300);
    const one = await session(graph);
    let attempts = 0;
    for (let isDone = false; !isDone; attempts++) {
      isDone = await prepareSchema(one, 0).then(
        () => true,
        () => false,
      );
    }
    one.close();
    expect(attempts).toBeGreaterThan(3);
    const store = suite.open({ graph });
    expect(await store.countMemories()).toBe(recorded.records.length + 300);
    expect(await contentsOf(store)).toEqual(recorded);
  });

  test('is converted once when several processes open it at the same time', async () => {
    const graph = await written(300);
    const stores = Array.from({ length: 4 }, () => suite.open({ graph }));
    const contents = await Promise.all(stores.map(contentsOf));
    for (const each of contents) expect(each).toEqual(recorded);
    const [row] = await suite.server.query<{ nodes: number; ids: number }>(
      graph,
      'MATCH (i:_MemoryIndex) RETURN count(i) AS nodes, count(DISTINCT i.id) AS ids',
    );
    expect(row).toEqual({ nodes: recorded.records.length + 300, ids: recorded.records.length + 300 });
  });

  describe('when its conversion is interrupted', () => {
    /** A session that fails after the given number of writes, as if its process were killed. */
    const ending = (whole: Session, writes: number): Session => {
      let left = writes;
      return {
        ...whole,
        write: async (statement, parameters) => {
          if (left-- <= 0) throw new Error('killed');
          return whole.write(statement, parameters);
        },
      };
    };

    test('is completed by the next process, after any number of writes', async () => {
      for (let writes = 0; ; writes++) {
        const graph = await written();
        const whole = await session(graph);
        const isDone = await upgradeFromVersion1(ending(whole, writes), () => true).catch(() => false);
        whole.close();
        const store = suite.open({ graph });
        expect(await contentsOf(store), `after ${writes} writes`).toEqual(recorded);
        const left = 'MATCH (m:Memory) WHERE m.numbers IS NOT NULL OR m.embed_state IS NOT NULL RETURN m.id AS id';
        expect(await suite.server.query(graph, left), `after ${writes} writes`).toEqual([]);
        await store.close();
        await suite.server.deleteGraph(graph);
        if (isDone) {
          expect(writes).toBeGreaterThan(15);
          return;
        }
      }
    }, 60_000);
  });
});
