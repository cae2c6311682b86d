/** User text reaches the graph as plain text, whatever it contains, and comes back unchanged. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Metadata } from '../../src/domain/json.js';
import { createMemory, type Memory } from '../../src/domain/memory.js';
import { normalizeTags, tagKeys } from '../../src/domain/tags.js';
import { queryTerms } from '../../src/domain/text/terms.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { tagged } from '../contracts/graph-harness.js';
import { anyCharacter } from '../support/any-character.js';
import { describeFalkor, type FalkorServer } from '../support/falkordb-server.js';
import { idOf, memory, NOON } from '../support/records.js';

const HOSTILE = [
  '',
  `'`,
  `"`,
  '`',
  '\\',
  '\\"',
  `"' \\' \\\\" \\`,
  '\0',
  'before\0after',
  '\ud800',
  'half \udc00 a character \ud83d',
  '\u0001\u0002\u0003',
  '\u0002"looks encoded"',
  '}) DETACH DELETE n //',
  'k:1} MATCH (n) DETACH DELETE n //',
  '"}) MATCH (n) DETACH DELETE n //',
  `' OR 1=1 WITH 1 AS x MATCH (n) DETACH DELETE n RETURN '`,
  '$id',
  '{id}',
  'CYPHER a=1 MATCH (n) DELETE n',
  '@words:(a|b) -c',
  '@|()-*%"{}[]~',
  '*',
  '-*',
  '%%fuzzy%%',
  '(unbalanced',
  '=> { $weight: 100 }',
  '\r\n$5\r\nFLUSH\r\n*1\r\n',
  '// comment',
  '/* comment */',
  ' padded ',
  '\u00a0\u2028\u2029\ufeff\ufffe\uffff',
  '日本語 🧠 é e\u0301 ﷺ',
  'null',
  'true',
  '1.0',
  '__proto__',
  'constructor',
];

/** Fragments of hostile text, and arbitrary text between them. */
const hostileText = fc
  .array(
    fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: anyCharacter, maxLength: 12 }), fc.constant('\ud800')),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map(pieces => pieces.join(''));

function hostileMemory(number: number, text: string): Memory {
  const metadata = JSON.parse(JSON.stringify({ [text]: text, nested: { [text]: [text] } })) as Metadata;
  const input = { content: text, tags: normalizeTags([text]), importance: 0.5, metadata };
  return { ...createMemory(input, idOf(number), NOON), summary: text, archived_reason: text, embedded_by: text };
}

async function nodeCount(server: FalkorServer, graph: string): Promise<number> {
  const [row] = await server.query<{ count: number }>(graph, 'MATCH (n) RETURN count(n) AS count');
  return row?.count ?? 0;
}

describeFalkor('text of users in FalkorDB', { isForgetful: true }, suite => {
  const opened = () => {
    const { graph } = suite.settings();
    return { graph, store: suite.open({ graph }) };
  };

  test.each(HOSTILE)('comes back unchanged from every field: %j', async text => {
    const { graph, store } = opened();
    await store.saveMemories([{ memory: memory(1), work: [] }]);
    await expectRoundTrip(store, 2, text);
    expect(await store.countMemories()).toBe(2);
    expect(await nodeCount(suite.server, graph)).toBeGreaterThanOrEqual(4);
  });

  test('comes back unchanged, whatever it contains', async () => {
    const { store } = opened();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(hostileText, async text => {
        await expectRoundTrip(store, ++number, text);
        expect(await store.countMemories()).toBe(number);
      }),
      { numRuns: 60 },
    );
  });

  test('finds and removes nothing when it is used as an unknown id, tag or word', async () => {
    const { graph, store } = opened();
    await store.saveMemories([1, 2, 3].map(number => ({ memory: memory(number, { tags: ['t'] }), work: ['embed'] })));
    const before = await nodeCount(suite.server, graph);
    for (const text of HOSTILE) await expectNothing(store, text);
    expect(await nodeCount(suite.server, graph)).toBe(before);
    expect(await store.workCounts('embed')).toEqual({ pending: 3, inFlight: 0, failed: 0 });
  });

  test('works as an id: ids that an index could confuse stay distinct', async () => {
    const { store } = opened();
    const ids = [...HOSTILE, 'a', ' a', 'a ', 'A', 'a\u0001b', 'x'.repeat(5_000), 'x'.repeat(5_001)];
    await store.saveMemories(ids.map(id => ({ memory: { ...memory(1, { content: `of ${id}` }), id }, work: [] })));
    const found = await store.getMemories(ids);
    expect([...found.keys()].sort()).toEqual([...ids].sort());
    for (const id of ids) expect(found.get(id)?.content).toBe(`of ${id}`);
    const [first = '', ...rest] = ids;
    await store.saveRelations(
      rest.map(id => ({ from: first, to: id, type: 'LEADS_TO', strength: 1, properties: {}, updated_at: SOME_TIME })),
    );
    const edges = (await store.relationsOf({ ids: [first], limit: 1_000 })).get(first) ?? [];
    expect(edges.map(({ to }) => to).sort()).toEqual([...rest].sort());
    expect((await store.deleteMemories(ids)).sort()).toEqual([...ids].sort());
    expect((await store.staleVectors(1_000)).map(({ id }) => id)).toEqual(ids);
  });

  test('works as the name and the holder of a lease', async () => {
    const { store } = opened();
    const take = (name: string, holder: string) => store.takeLease({ name, holder, nowMs: NOON, untilMs: NOON + 1 });
    for (const text of HOSTILE) {
      expect(await take(text, text), JSON.stringify(text)).toBe(true);
      expect(await take(text, `${text}.`)).toBe(false);
      await store.takeLease({ name: text, holder: `${text}.`, nowMs: NOON, untilMs: 0 });
      expect(await take(text, 'other')).toBe(false);
    }
    for (const text of HOSTILE) await store.takeLease({ name: text, holder: text, nowMs: NOON, untilMs: 0 });
    for (const text of HOSTILE) expect(await take(text, 'other')).toBe(true);
  });

  test('works in a node, its properties and its links', async () => {
    const { store } = opened();
    await store.saveMemories([{ memory: memory(1), work: [] }]);
    for (const id of HOSTILE) {
      const properties = JSON.parse(JSON.stringify({ [id]: id })) as Metadata;
      const node = { kind: 'Pattern', id, properties, updated_at: SOME_TIME } as const;
      const link = {
        memoryId: idOf(1),
        kind: 'Pattern',
        nodeId: id,
        confidence: 5e-324,
        updated_at: SOME_TIME,
      } as const;
      await store.saveNode(node);
      await store.linkNode(link);
      expect(await store.getNode('Pattern', id)).toEqual(node);
      expect(await store.linksOf([link.memoryId])).toContainEqual(link);
      await store.saveNode({ ...node, kind: 'MetaMemory' }, [link.memoryId, id]);
      expect(await store.linksOf([link.memoryId])).toContainEqual({ ...link, kind: 'MetaMemory', confidence: 1 });
    }
    expect((await store.readNodes('Pattern', { limit: 1_000 })).map(({ id }) => id).sort()).toEqual(
      [...HOSTILE].sort(),
    );
    await store.deleteNodes('Pattern', HOSTILE);
    expect(await store.listNodes('Pattern', 5)).toEqual([]);
  });
});

const SOME_TIME = '2026-01-01T00:00:00.000Z';

async function expectRoundTrip(store: GraphStore, number: number, text: string): Promise<void> {
  const record = hostileMemory(number, text);
  await store.saveMemories([{ memory: record, work: ['enrich'] }]);
  expect((await store.getMemories([record.id])).get(record.id)).toEqual(record);
  const changed = { ...record, content: `${text}${text}`, metadata: { [text]: 1 } as Metadata };
  await store.updateMemory(record.id, () => ({ memory: changed, work: [] }));
  expect((await store.getMemories([record.id])).get(record.id)).toEqual(changed);
  const keys = tagKeys(record.tags);
  if (keys.length > 0) {
    const tags = { keys, mode: 'any', match: 'exact' } as const;
    expect(await store.list({ filter: { tags }, order: 'newest', limit: 1_000 })).toContain(record.id);
  }
  const terms = queryTerms(text);
  const { hits } = await store.searchText({ terms, filter: {}, limit: 1_000 });
  if (terms.length > 0) expect(hits.map(({ id }) => id)).toContain(record.id);
  expect(await store.countMemories({ embeddedBy: [text] })).toBeGreaterThan(0);
  const request = { kind: 'enrich', limit: 1, nowMs: NOON, leaseMs: 1, ids: [record.id] } as const;
  const [claim] = await store.claimWork(request);
  await store.releaseWork([claim?.token ?? ''], { error: text, dueMs: null });
  const edge = {
    from: record.id,
    to: record.id,
    type: 'PREFERS_OVER',
    strength: 5e-324,
    updated_at: SOME_TIME,
  } as const;
  const relation = { ...edge, properties: JSON.parse(JSON.stringify({ [text]: text, reason: text })) as Metadata };
  expect(await store.saveRelations([relation])).toEqual([true]);
  expect((await store.relationsOf({ ids: [record.id], limit: 5 })).get(record.id)).toEqual([relation]);
  await store.removeRelations([relation]);
  expect((await store.relationsOf({ ids: [record.id], limit: 5 })).get(record.id)).toEqual([]);
  await store.annotate([{ id: record.id, relevance: 5e-324 }]);
  expect((await store.getMemories([record.id])).get(record.id)).toEqual({ ...changed, relevance_score: 0 });
}

async function expectNothing(store: GraphStore, text: string): Promise<void> {
  expect(await store.getMemories([text])).toEqual(new Map());
  expect(await store.updateMemory(text, current => ({ memory: current, work: [] }))).toBeUndefined();
  expect(await store.deleteMemories([text])).toEqual([]);
  await store.annotate([{ id: text, lastAccessed: SOME_TIME }]);
  await store.annotate([{ id: text, relevance: 0.5 }]);
  await store.removeRelations([{ from: text, type: 'LEADS_TO', to: text }]);
  expect(await store.countRelations([text])).toEqual(new Map([[text, 0]]));
  await store.saveNode({ kind: 'MetaMemory', id: 'n', properties: {}, updated_at: SOME_TIME }, [text]);
  expect(await store.countNodeLinks('MetaMemory', 'n', { exceptId: '', max: 1 })).toBe(0);
  await store.deleteNodes('MetaMemory', ['n']);
  await store.requeue('embed', [text]);
  const tokens = [text, `embed/${text}/${text}`, `embed/${idOf(1)}/${text}`];
  expect(await store.settleWork(tokens, { embeddedBy: text })).toEqual([]);
  expect(await store.completeWork(tokens[2] ?? '', { change: current => current })).toBe(false);
  await store.settleStaleVectors([text]);
  expect((await store.relationsOf({ ids: [text], limit: 5 })).get(text)).toEqual([]);
  expect(await store.neighbours({ ids: [text], span: 2, maxGapMs: 1_000 })).toEqual([]);
  expect(await store.list({ filter: tagged('exact', 'any', text), order: 'importance', limit: 5 })).toEqual([]);
  expect(await store.countMemories({ embeddedBy: [text] })).toBe(0);
  for (const mode of ['any', 'all'] as const) {
    const filter = { tags: { keys: [text], mode, match: 'prefix' }, excludedTagKeys: [text] } as const;
    expect(await store.list({ filter, order: 'newest', limit: 5 })).toEqual([]);
    expect((await store.searchText({ terms: [text, 'memory'], filter, limit: 5 })).hits).toEqual([]);
  }
  expect((await store.readRecords({ afterId: text, limit: 5 })).length).toBeLessThanOrEqual(3);
}
