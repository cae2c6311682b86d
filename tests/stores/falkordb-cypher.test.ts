/**
 * Queries that a reader of the specification would send in Cypher, on a graph that Engraph filled through its engine.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewMemory } from '../../src/domain/memory.js';
import { AUTHORABLE_RELATION_TYPES, RELATION_TYPES, relationProperties } from '../../src/domain/relation.js';
import type { Engine } from '../../src/engine/engine.js';
import { describeFalkor } from '../support/falkordb-server.js';
import { idOf, NOON, relation } from '../support/records.js';
import { readText } from '../support/source-code.js';
import { openTestEngine, type TestEngine } from '../support/test-engine.js';

const HARBOUR = 'The harbour lights are checked every evening';

/** Values of the properties that edge types declare. */
const VALUES: Readonly<Record<string, string | number>> = {
  context: 'at sea',
  reason: 'measured',
  pattern_type: 'habit',
  resolution: 'newest',
  observations: 4,
  timestamp: '2026-02-01T00:00:00.000Z',
  transformation: 'summary',
  role: 'chapter',
  confidence: 0.75,
  score: 0.91,
  count: 2,
  kind: 'explains',
  similarity: 1,
  origin: 'consolidation',
  run_id: 'run',
};

function propertiesOf(type: (typeof RELATION_TYPES)[number]) {
  return Object.fromEntries(relationProperties(type).map(name => [name, VALUES[name] ?? 'text']));
}

async function fill(engine: Engine): Promise<void> {
  const memories: readonly Partial<NewMemory>[] = [
    {
      content: 'We decided to use PostgreSQL for the lighthouse',
      type: 'Decision',
      tags: ['Project:Lighthouse', 'db'],
      importance: 1,
      confidence: 1,
      metadata: { source: 'chat' },
      t_valid: '2026-02-01T00:00:00.000Z',
      t_invalid: '2026-04-01T00:00:00.000Z',
      timestamp: '2026-02-10T08:00:00.000Z',
    },
    {
      content: 'MySQL was slow',
      type: 'Insight',
      tags: ['db'],
      importance: 0.3,
      timestamp: '2026-02-11T08:00:00.000Z',
    },
    { content: 'an old note', type: 'Context', importance: 0.1 },
    ...Array.from({ length: 5 }, (_, index) => ({
      content: `${HARBOUR} ${index}`,
      type: 'Habit' as const,
      tags: ['harbour'],
      timestamp: new Date(NOON + index * 60_000).toISOString(),
    })),
  ];
  await engine.storeMany(
    memories.map((memory, index) => ({ content: '', metadata: {}, ...memory, id: idOf(index + 1) })),
  );
  await engine.update(idOf(3), { archived: true });
  for (const type of AUTHORABLE_RELATION_TYPES) {
    const properties = propertiesOf(type);
    await engine.associate({ memory1_id: idOf(1), memory2_id: idOf(2), type, strength: 1, properties });
  }
  await engine.idle();
}

describeFalkor('the graph in Cypher', { isForgetful: true }, suite => {
  let opened: TestEngine;
  const { graph } = { graph: 'cypher' };
  beforeAll(async () => {
    opened = await openTestEngine({ FALKORDB_URL: suite.server.url, FALKORDB_GRAPH: graph });
    await fill(opened.engine);
    // Data that an engine does not create by itself.
    const store = suite.open({ graph });
    const properties = propertiesOf('DISCOVERED');
    await store.saveRelations([relation(1, 'DISCOVERED', 2, { strength: 0.75, properties })]);
    const updated_at = '2026-03-01T00:00:00.000Z';
    const harbour = [4, 5, 6, 7, 8].map(idOf);
    const summary = { content: 'harbour', cluster_size: 5 };
    await store.saveNode({ kind: 'MetaMemory', id: 'meta', properties: summary, updated_at }, harbour);
    const control = { decay_last_run: updated_at };
    await store.saveNode({ kind: 'ConsolidationControl', id: 'global', properties: control, updated_at });
    const run = { task: 'decay', timestamp: updated_at, duration_seconds: 1.5, updates: 3 };
    await store.saveNode({ kind: 'ConsolidationRun', id: 'run', properties: run, updated_at });
  });
  afterAll(() => opened.close());

  const ask = async (statement: string) =>
    (await suite.server.query<Record<string, unknown>>(graph, statement)).map(row => Object.values(row));

  const one = `MATCH (m:Memory {id: '${idOf(1)}'})`;

  test.each<[question: string, answer: unknown[][]]>([
    [`${one} RETURN m.content`, [['We decided to use PostgreSQL for the lighthouse']]],
    [`${one} RETURN m.type, m.confidence, m.importance`, [['Decision', 1, 1]]],
    [`${one} RETURN typeOf(m.confidence), typeOf(m.importance)`, [['Float', 'Float']]],
    [
      `${one} RETURN m.tags, m.tag_prefixes`,
      [
        [
          ['Project:Lighthouse', 'db', 'entity:tools:postgresql'],
          ['project', 'project:lighthouse', 'db', 'entity', 'entity:tools', 'entity:tools:postgresql'],
        ],
      ],
    ],
    [
      `${one} RETURN m.timestamp, m.t_valid, m.t_invalid`,
      [['2026-02-10T08:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z']],
    ],
    [`${one} RETURN m.enriched, m.archived`, [[true, false]]],
    [`${one} RETURN m.metadata CONTAINS '"source":"chat"'`, [[true]]],
    [`${one} RETURN m.updated_at >= m.timestamp, m.last_accessed >= m.timestamp`, [[true, true]]],
    ['MATCH (m:Memory) RETURN count(m)', [[8]]],
    ['MATCH (m:Memory) WHERE m.importance > 0.5 RETURN count(m)', [[1]]],
    ['MATCH (m:Memory) WHERE m.importance = 1.0 RETURN m.id', [[idOf(1)]]],
    ["MATCH (m:Memory) WHERE 'project' IN m.tag_prefixes RETURN m.id", [[idOf(1)]]],
    ["MATCH (m:Memory) WHERE 'db' IN m.tags RETURN m.id ORDER BY m.id", [[idOf(1)], [idOf(2)]]],
    ["MATCH (m:Memory) WHERE m.timestamp >= '2026-02-11' AND m.timestamp < '2026-02-12' RETURN m.id", [[idOf(2)]]],
    ["MATCH (m:Memory) WHERE m.t_invalid < '2026-05-01' RETURN m.id", [[idOf(1)]]],
    ['MATCH (m:Memory) WHERE m.t_invalid IS NULL RETURN count(m)', [[7]]],
    ['MATCH (m:Memory) WHERE m.archived RETURN m.id', [[idOf(3)]]],
    ['MATCH (m:Memory) WHERE m.relevance_score IS NULL RETURN count(m)', [[8]]],
    ["MATCH (m:Memory) WHERE m.type = 'Habit' RETURN count(m)", [[5]]],
    ['MATCH (m:Memory) WHERE m.enriched RETURN count(m) > 6', [[true]]],
    ['MATCH (m:Memory) RETURN min(m.confidence) > 0, max(m.confidence)', [[true, 1]]],
    [
      "MATCH (p:Pattern) WHERE p.confidence > 0.3 RETURN p.type, p.observations, 'harbour' IN p.key_terms",
      [['Habit', 5, true]],
    ],
    [
      "MATCH (p:Pattern) WHERE p.content CONTAINS 'harbour' RETURN typeOf(p.confidence), typeOf(p.observations)",
      [['Float', 'Integer']],
    ],
    [
      'MATCH (:Memory)-[e:EXEMPLIFIES]->(p:Pattern) RETURN count(e), min(e.confidence) = min(e.strength), typeOf(max(e.confidence))',
      [[5, true, 'Float']],
    ],
    ["MATCH (:Memory)-[e:EXEMPLIFIES]->(:Pattern) WHERE e.updated_at > '2026-01-01' RETURN count(e)", [[5]]],
    [
      'MATCH (:Memory)-[e:SIMILAR_TO]->(:Memory) WHERE e.score > 0.8 AND e.strength > 0.8 RETURN count(e) > 0',
      [[true]],
    ],
    [
      'MATCH (a:Memory)-[e:PRECEDED_BY]->(b:Memory) WHERE b.timestamp < a.timestamp RETURN count(e) > 0, min(e.strength) > 0',
      [[true, true]],
    ],
    [
      'MATCH (m:MetaMemory) RETURN m.content, m.cluster_size, m.updated_at',
      [['harbour', 5, '2026-03-01T00:00:00.000Z']],
    ],
    [
      'MATCH (:MetaMemory)-[e:SUMMARIZES]->(m:Memory) RETURN count(m), min(e.strength), typeOf(min(e.confidence))',
      [[5, 1, 'Float']],
    ],
    ["MATCH (c:ConsolidationControl {id: 'global'}) RETURN c.decay_last_run", [['2026-03-01T00:00:00.000Z']]],
    [
      "MATCH (r:ConsolidationRun) WHERE r.task = 'decay' RETURN r.duration_seconds, r.updates, r.timestamp",
      [[1.5, 3, '2026-03-01T00:00:00.000Z']],
    ],
    ['MATCH (n) WHERE n.importance IS NOT NULL AND NOT n:_MemoryIndex RETURN DISTINCT labels(n)', [[['Memory']]]],
  ])('gives the expected rows for %s', async (question, answer) => {
    expect(await ask(question)).toEqual(answer);
  });

  test.each(RELATION_TYPES.filter(type => !['SIMILAR_TO', 'PRECEDED_BY'].includes(type)))(
    'an edge %s has strength, updated_at and the properties that its type declares',
    async type => {
      const names = relationProperties(type);
      const columns = ['strength', 'updated_at', ...names].map(name => `r.${name}`).join(', ');
      const ends = `{id: '${idOf(1)}'})-[r:${type}]->(:Memory {id: '${idOf(2)}'})`;
      const [row = []] = await ask(`MATCH (:Memory ${ends} RETURN ${columns}`);
      const [strength, updatedAt, ...values] = row;
      expect(strength).toBe(type === 'DISCOVERED' ? 0.75 : 1);
      expect(updatedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(values).toEqual(names.map(name => VALUES[name]));
      expect(await ask(`MATCH (:Memory ${ends} WHERE r.strength > 0.7 RETURN typeOf(r.strength)`)).toEqual([['Float']]);
    },
  );

  test('starts the name of every private property with an underscore, or stores it in a separate node', async () => {
    const ours = new Set(['_MemoryIndex', '_StaleVector', '_Lease', 'Counter']);
    const rows = await ask('MATCH (n) UNWIND keys(n) AS name RETURN DISTINCT labels(n)[0], name');
    const named = rows.filter(([label, name]) => !ours.has(String(label)) && !String(name).startsWith('_'));
    const documented = [...readText('docs/graph.md').matchAll(/`(\w+)`/g)].map(([, name]) => name);
    for (const [label, name] of named) {
      if (label === 'Memory' || label === 'Pattern') expect(documented).toContain(name);
    }
    expect(named.length).toBeGreaterThan(20);
  });

  test('returns rows for every example query in docs/graph.md', async () => {
    const examples = [...readText('docs/graph.md').matchAll(/```cypher\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(examples.length).toBeGreaterThan(6);
    for (const example of examples) expect((await ask(example)).length, example).toBeGreaterThan(0);
  });
});
