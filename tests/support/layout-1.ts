/** The recorded graph of an Engraph with schema version 1, and the recorded answers of that old Engraph. */
import { readFileSync } from 'node:fs';
import type { Relation } from '../../src/domain/relation.js';
import { preamble } from '../../src/stores/falkordb/parameters.js';
import type { NewRecord } from '../../src/stores/ports/memory-store.js';
import type { AuxiliaryNode, NodeLink } from '../../src/stores/ports/node-store.js';
import type { StaleVector } from '../../src/stores/ports/vector-ledger.js';
import type { WorkCounts } from '../../src/stores/ports/work-queue.js';
import type { FalkorServer } from './falkordb-server.js';
import { idOf } from './records.js';

type Properties = Record<string, string | number | boolean | string[]>;

interface Recording {
  graph: {
    nodes: { node: number; labels: string[]; properties: Properties }[];
    edges: { begin: number; finish: number; type: string; properties: Properties }[];
    indexes: { label: string; properties: string[]; types: Record<string, string[]> }[];
  };
  expected: {
    records: (Omit<NewRecord, 'embedding'> & { embedding?: number[] })[];
    relations: Record<string, Relation[]>;
    links: NodeLink[];
    nodes: AuxiliaryNode[];
    stale: StaleVector[];
    counts: { embed: WorkCounts; enrich: WorkCounts };
    /** Token of a claim that was in progress. */
    claim: string;
  };
}

const { graph: recorded, expected } = JSON.parse(
  readFileSync(new URL('../stores/layout-1.json', import.meta.url), 'utf8'),
) as Recording;

export { expected };

/** The recorded memory of which `writeLayout1` adds copies. */
const PLAIN = idOf(100);

/**
 * Writes the recorded graph. Every node and edge has an additional property `note_of_mine`.
 *
 * @param copies number of additional copies of one memory
 */
export async function writeLayout1(server: FalkorServer, graph: string, copies = 0): Promise<void> {
  for (const { label, properties, types } of recorded.indexes) {
    for (const name of properties) {
      if (types[name]?.includes('RANGE')) await server.query(graph, `CREATE INDEX FOR (n:${label}) ON (n.${name})`);
    }
  }
  const words = "{ label: 'MemoryIndex', stopwords: [] }, { field: 'words', nostem: true }";
  await server.query(graph, `CALL db.idx.fulltext.createNodeIndex(${words})`);
  const plain = recorded.nodes.filter(({ properties }) => properties.id === PLAIN);
  const more = Array.from({ length: copies }, (_, index) =>
    plain.map(each => ({ ...each, properties: { ...each.properties, id: idOf(1_000 + index) } })),
  );
  for (const label of new Set(recorded.nodes.flatMap(({ labels }) => labels))) {
    const nodes = [...recorded.nodes, ...more.flat()]
      .filter(({ labels }) => labels[0] === label)
      .map(({ node, properties }) => ({ ...properties, note_of_mine: node }));
    await server.query(graph, `${preamble({ nodes })} UNWIND $nodes AS each CREATE (n:${label}) SET n = each`);
  }
  for (const { begin, finish, type, properties } of recorded.edges) {
    const edge = { ...properties, note_of_mine: begin };
    await server.query(
      graph,
      `${preamble({ edge })} MATCH (a {note_of_mine: ${begin}}) MATCH (b {note_of_mine: ${finish}})
       WITH a, b LIMIT 1 CREATE (a)-[r:${type}]->(b) SET r = $edge`,
    );
  }
}
