/** A graph in the format of AutoMem 0.16: its labels, its properties, and edges of every type. */
import { preamble, type Value } from '../../src/stores/falkordb/values.js';
import type { FalkorServer } from './falkordb-server.js';
import { idOf } from './records.js';

type Properties = Record<string, Value>;

const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T22:11:23.070994+00:00`;

function theirs(number: number, overrides: Properties = {}): Properties {
  return {
    id: idOf(number),
    content: `AutoMem note ${number}: the lighthouse uses PostgreSQL`,
    type: 'Insight',
    confidence: 0.8,
    tags: ['project:lighthouse', 'db', 'entity:tools:postgresql'],
    tag_prefixes: ['project', 'project:lighthouse', 'db', 'entity', 'entity:tools', 'entity:tools:postgresql'],
    importance: 0.6,
    metadata: JSON.stringify({ source: 'chat', entities: { tools: ['PostgreSQL'] }, enrichment: { forced: false } }),
    timestamp: at(number),
    updated_at: at(number),
    last_accessed: at(number + 1),
    t_valid: at(number),
    processed: true,
    enriched: true,
    enriched_at: at(number),
    summary: `AutoMem note ${number}`,
    relevance_score: 0.4321,
    ...overrides,
  };
}

/** Memories as AutoMem would return them: the fourth is archived, the fifth is not enriched yet. */
export const AUTOMEM_MEMORIES: readonly Properties[] = [
  theirs(1, { type: 'Decision', importance: 0.9, protected: true }),
  theirs(2),
  theirs(3, { t_invalid: at(20) }),
  theirs(4, { archived: true, archived_at: at(9), archive_reason: 'decay', relevance_score: 0.01 }),
  {
    id: idOf(5),
    content: 'AutoMem note 5: not enriched',
    type: 'Memory',
    confidence: 0.3,
    tags: [],
    tag_prefixes: [],
    importance: 0.5,
    metadata: '{}',
    timestamp: at(5),
    updated_at: at(5),
    last_accessed: at(5),
    t_valid: at(5),
    processed: false,
    enriched: false,
  },
  theirs(6),
];

const CLUSTER: Properties = {
  id: idOf(50),
  content: 'Meta-pattern: Insight cluster with 5 memories over 0 days. Theme: lighthouse',
  type: 'MetaPattern',
  confidence: 0.8,
  cluster_size: 5,
  timestamp: at(10),
  relevance_score: 0.9,
};

const PATTERN: Properties = {
  id: 'pattern-Insight-0a1b2c3d',
  type: 'Insight',
  content: 'Pattern across 3 Insight memories highlighting lighthouse, postgresql',
  confidence: 0.45,
  observations: 3,
  key_terms: ['lighthouse', 'postgresql'],
  created_at: at(3),
  updated_at: at(6),
};

const OTHERS: readonly [label: string, properties: Properties][] = [
  ['Pattern', PATTERN],
  ['ConsolidationControl', { id: 'global', decay_last_run: at(11), creative_last_run: at(11) }],
  [
    'ConsolidationRun',
    { id: 'run-1', mode: 'scheduled', task: 'decay', success: true, dry_run: false, started_at: at(11), result: '{}' },
  ],
];

const SOME = at(12);
/** Edges between memories. A memory is given by its number. */
export const AUTOMEM_EDGES: readonly [from: number, type: string, to: number, properties: Properties][] = [
  [1, 'RELATES_TO', 2, { strength: 0.5, updated_at: SOME }],
  [1, 'LEADS_TO', 3, { strength: 0.8, updated_at: SOME }],
  [1, 'OCCURRED_BEFORE', 6, { strength: 0.4, updated_at: SOME }],
  [2, 'PREFERS_OVER', 1, { strength: 0.9, context: 'storage', reason: 'it is simple', updated_at: SOME }],
  [2, 'EXEMPLIFIES', 3, { strength: 0.7, pattern_type: 'habit', confidence: 0.66, updated_at: SOME }],
  [2, 'CONTRADICTS', 6, { strength: 0.3, resolution: 'newest', reason: 'measured', updated_at: SOME }],
  [3, 'REINFORCES', 1, { strength: 0.6, observations: 4, updated_at: SOME }],
  [3, 'INVALIDATED_BY', 6, { strength: 0.9, reason: 'moved', timestamp: SOME, updated_at: SOME }],
  [3, 'EVOLVED_INTO', 2, { strength: 0.9, confidence: 0.75, reason: 'grew', updated_at: SOME }],
  [6, 'DERIVED_FROM', 1, { strength: 0.5, transformation: 'summary', confidence: 0.5, updated_at: SOME }],
  [6, 'PART_OF', 2, { strength: 0.5, role: 'chapter', context: 'report', updated_at: SOME }],
  [2, 'SIMILAR_TO', 1, { score: 0.91, updated_at: SOME }],
  [6, 'PRECEDED_BY', 3, { count: 3, updated_at: SOME }],
  [
    1,
    'DISCOVERED',
    6,
    { kind: 'explains', confidence: 0.7, similarity: 0.6, origin: 'consolidation', updated_at: SOME },
  ],
  [4, 'EXPLAINS', 1, { confidence: 0.7, similarity: 0.55, updated_at: SOME }],
  [4, 'SHARES_THEME', 2, { confidence: 0.8, similarity: 0.8, updated_at: SOME }],
  [4, 'PARALLEL_CONTEXT', 3, { confidence: 0.5, similarity: 0.2, updated_at: SOME }],
];

/** Writes the nodes and edges above. Joins memories 2 and 3 to the pattern, and the cluster to all memories. */
export async function writeAutomemGraph(server: FalkorServer, graph: string): Promise<void> {
  const create = (labels: string, properties: Properties) =>
    server.query(graph, `${preamble({ properties })} CREATE (n:${labels}) SET n = $properties`);
  for (const each of AUTOMEM_MEMORIES) await create('Memory', each);
  await create('Memory:MetaMemory', CLUSTER);
  for (const [label, properties] of OTHERS) await create(label, properties);
  const join = (from: string, edge: string, to: string, properties: Properties) =>
    server.query(
      graph,
      `${preamble({ properties })} MATCH (a {id: '${from}'}) MATCH (b {id: '${to}'}) CREATE (a)-[r:${edge}]->(b) SET r = $properties`,
    );
  for (const [from, type, to, properties] of AUTOMEM_EDGES) await join(idOf(from), type, idOf(to), properties);
  for (const number of [2, 3]) {
    await join(idOf(number), 'EXEMPLIFIES', String(PATTERN.id), { confidence: 0.45, updated_at: SOME });
  }
  for (const { id } of AUTOMEM_MEMORIES) await join(idOf(50), 'SUMMARIZES', String(id), { created_at: SOME });
}

export interface GraphContents {
  /** Labels and properties of each node, by the id that the server gave it. */
  nodes: Map<number, { labels: string[]; properties: Record<string, unknown> }>;
  edges: Map<number, { type: string; properties: Record<string, unknown> }>;
}

/** All nodes and edges of a graph. */
export async function contentsOfGraph(server: FalkorServer, graph: string): Promise<GraphContents> {
  const nodes = await server.query<{ node: number; labels: string[]; properties: Record<string, unknown> }>(
    graph,
    'MATCH (n) RETURN ID(n) AS node, labels(n) AS labels, properties(n) AS properties',
  );
  const edges = await server.query<{ edge: number; type: string; properties: Record<string, unknown> }>(
    graph,
    'MATCH ()-[r]->() RETURN ID(r) AS edge, type(r) AS type, properties(r) AS properties',
  );
  return {
    nodes: new Map(nodes.map(({ node, ...rest }) => [node, rest])),
    edges: new Map(edges.map(({ edge, ...rest }) => [edge, rest])),
  };
}

/** Values of `before` that are missing or different in `after`, except for the properties in `leftOut`. */
export function lossesOf(before: GraphContents, after: GraphContents, leftOut: readonly string[] = []): unknown[] {
  const losses: unknown[] = [];
  for (const kind of ['nodes', 'edges'] as const) {
    for (const [number, { properties, ...rest }] of before[kind]) {
      const now = after[kind].get(number);
      const lost = Object.entries(properties).filter(
        ([name, value]) => !leftOut.includes(name) && JSON.stringify(now?.properties[name]) !== JSON.stringify(value),
      );
      if (!now || lost.length > 0) losses.push({ kind, ...rest, id: properties.id, lost });
    }
  }
  return losses;
}
