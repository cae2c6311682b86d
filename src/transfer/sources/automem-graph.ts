/** Reads the memories of AutoMem from its graph in FalkorDB, which may be the graph that Engraph itself uses. */
import { type Connection, connect } from '../../stores/falkordb/connection.js';
import { fromGraph } from './automem.js';
import type { Fields, Found, Source } from './source.js';

const TIMEOUT_MS = 60_000;
const NODES_AT_ONCE = 100;

/**
 * @param settings as those of the store
 * @throws MemoryError `invalid` when the address or the name of the graph cannot be used
 */
export function automemGraph(settings: { url: string; graph: string; password?: string }, nowMs: number): Source {
  const read = async function* (): AsyncGenerator<Found> {
    const connection = connect({ ...settings, timeoutMs: TIMEOUT_MS }, async () => undefined);
    try {
      yield* fromGraph(await graphIn(connection));
    } finally {
      await connection.close();
    }
  };
  return { name: 'automem', modifiedMs: nowMs, read };
}

/** Reads the graph in the form of a backup, without the memories of Engraph and the summaries of AutoMem. */
async function graphIn(connection: Connection): Promise<Fields> {
  const nodes: (Fields & { id: number })[] = [];
  const relationships: Fields[] = [];
  for (let from = 0; ; ) {
    const page = await connection.read<Fields & { id: number }>(
      `MATCH (m:Memory) WHERE ID(m) >= $from AND m._revision IS NULL AND NOT m:MetaMemory WITH m LIMIT $limit
       RETURN ID(m) AS id, labels(m) AS labels, properties(m) AS properties`,
      { from, limit: NODES_AT_ONCE },
    );
    if (page.length === 0) return { nodes, relationships };
    const edges = await connection.read<Fields>(
      `UNWIND $ids AS id MATCH (m:Memory) WHERE ID(m) = id WITH m MATCH (m)-[r]->(o:Memory) WHERE o._revision IS NULL
       RETURN ID(m) AS source_id, ID(o) AS target_id, type(r) AS type, properties(r) AS properties`,
      { ids: page.map(({ id }) => id) },
    );
    nodes.push(...page);
    relationships.push(...edges);
    from = Math.max(...page.map(({ id }) => id)) + 1;
  }
}
