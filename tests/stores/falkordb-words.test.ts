/** Several servers, perhaps of different versions, write the words of one graph (docs/decisions.md, "Text analyzer version"). */
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openEngine } from '../../src/engine/open.js';
import { type Connection, connect } from '../../src/stores/falkordb/connection.js';
import { rewriteOutdatedWords } from '../../src/stores/falkordb/derived-data.js';
import type { GraphStore, RewrittenPage } from '../../src/stores/graph-store.js';
import { recordingLog } from '../http/test-app.js';
import { describeFalkor, eventually } from '../support/falkordb-server.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf, memory } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const COUNT = 300;
const LEASE_OVER_MS = 150_000;

describeFalkor('the words of a graph', { isForgetful: true }, suite => {
  const opened = async (count: number) => {
    const { graph } = suite.settings();
    const store = suite.open({ graph });
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    await store.saveMemories(numbers.map(number => ({ memory: memory(number, { content: 'a harbour' }), work: [] })));
    const cypher = <Row>(statement: string) => suite.server.query<Row>(graph, statement);
    return { graph, store, cypher };
  };
  type Cypher = Awaited<ReturnType<typeof opened>>['cypher'];
  const setWords = (cypher: Cypher, words: string, number?: number) =>
    cypher(`MATCH (i:_MemoryIndex) ${number ? `WHERE i.id = '${idOf(number)}'` : ''} SET i.words = '${words}'`);
  const found = async (store: GraphStore, term: string) =>
    (await store.searchText({ terms: [term], filter: {}, limit: COUNT })).hits.map(({ id }) => id).sort();

  /** Opens an engine with its own stores, as a server on another machine. */
  const openServer = async (graph: string) => {
    const folder = temporaryFolder();
    const { log, entries } = recordingLog();
    const clock = createManualClock();
    const config = loadConfig({
      ENGRAPH_DATA_DIR: folder.path,
      VECTOR_SIZE: '64',
      EMBEDDING_PROVIDER: 'hash',
      LLM_PROVIDER: 'none',
      FALKORDB_URL: suite.server.url,
      FALKORDB_GRAPH: graph,
    });
    const engine = await openEngine(config, { clock, log });
    onTestFinished(async () => {
      await engine.close();
      folder.remove();
    });
    return {
      engine,
      clock,
      messages: () => entries.map(({ message }) => message).filter(each => /analyze/.test(each)),
    };
  };

  test('are written again by one of several servers, and the others wait', async () => {
    const { graph, store, cypher } = await opened(COUNT);
    await setWords(cypher, ' tharb0 ');
    const servers = await Promise.all([openServer(graph), openServer(graph)]);
    await Promise.all(servers.map(({ engine }) => engine.idle()));
    expect(await found(store, 'harbour')).toHaveLength(COUNT);
    expect(await store.countOutdatedWords()).toEqual({ outdatedCount: 0, hasNewer: false });
    expect(servers.flatMap(({ messages }) => messages())).toEqual([
      `${COUNT} of ${COUNT} memories are analyzed again in the background, by version 3 of the text analyzer`,
      `all ${COUNT} memories are analyzed by version 3 of the text analyzer`,
    ]);
  });

  test('are written again by another server when the lease of a killed one has ended', async () => {
    const { graph, store, cypher } = await opened(3);
    await setWords(cypher, ' tharb0 ');
    const { engine, clock } = await openServer(graph);
    await engine.idle();
    await setWords(cypher, ' tharb0 ');
    await store.takeLease({ name: 'words', holder: 'killed', nowMs: clock.nowMs(), untilMs: clock.nowMs() + 1 });
    const second = await openServer(graph);
    await second.engine.idle();
    expect(await found(store, 'harbour')).toEqual([]);
    second.clock.advance(LEASE_OVER_MS);
    await eventually(async () => expect(await found(store, 'harbour')).toHaveLength(3));
  });

  test('of a newer version stay, and the log of the older server says that it needs an update', async () => {
    const { graph, store, cypher } = await opened(3);
    await setWords(cypher, ' z9999 thafen0 ', 1);
    await setWords(cypher, ' tharb0 ', 2);
    const { engine, messages } = await openServer(graph);
    await engine.idle();
    expect(await found(store, 'hafen')).toEqual([idOf(1)]);
    expect(await found(store, 'harbour')).toEqual([idOf(2), idOf(3)]);
    expect(messages()[0]).toMatch(/a newer Engraph .* update this Engraph/);
  });

  test('are written again after a server without versions has replaced them', async () => {
    const { store, cypher } = await opened(3);
    expect(await store.rewriteOutdatedWords({ limit: 5 })).toEqual({ rewrittenCount: 0 });
    await setWords(cypher, ' tharb0 ', 2);
    expect((await store.countOutdatedWords()).outdatedCount).toBe(1);
    expect((await store.rewriteOutdatedWords({ limit: 5 })).rewrittenCount).toBe(1);
    expect(await found(store, 'harbour')).toHaveLength(3);
  });

  test('without a readable memory are passed over', async () => {
    const { store, cypher } = await opened(3);
    await setWords(cypher, ' tharb0 ');
    await cypher(`MATCH (m:Memory {id: '${idOf(1)}'}) DELETE m`);
    await cypher(`MATCH (m:Memory {id: '${idOf(2)}'}) SET m.tags = 5`);
    let rewritten = 0;
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page: { rewrittenCount: number; next?: number } = await store.rewriteOutdatedWords({ from, limit: 1 });
      rewritten += page.rewrittenCount;
      from = page.next;
    }
    expect(rewritten).toBe(1);
    expect(await found(store, 'harbour')).toEqual([idOf(3)]);
  });

  test('of a memory that is changed between the reading and the writing of a page are written with the next page', async () => {
    const { graph, store, cypher } = await opened(3);
    await setWords(cypher, ' tharb0 ');
    const connection = connect({ ...suite.settings(), graph }, async () => {});
    let changes = 0;
    const change = () =>
      store.updateMemory(idOf(2), before => ({ memory: { ...before, importance: ++changes / 10 }, work: [] }));
    const interrupted: Connection = {
      ...connection,
      write: async (statement, parameters) => {
        if (changes < 2) await change();
        return connection.write(statement, parameters);
      },
    };
    const counts: number[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page: RewrittenPage = await rewriteOutdatedWords(interrupted, { from, limit: 5 });
      counts.push(page.rewrittenCount);
      from = page.next;
    }
    await connection.close();
    expect(counts).toEqual([2, 0, 1]);
    expect(await found(store, 'harbour')).toHaveLength(3);
  });
});
