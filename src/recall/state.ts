/** Which memory holds now: chains of supersession, followed to the memory at their head (decisions D22). */
import { isValidAt } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { Relation, RelationType } from '../domain/relation.js';
import type { GraphStore } from '../stores/graph-store.js';

/** An edge of these types leads from what no longer holds to what took its place. */
const SUPERSESSION_TYPES = ['INVALIDATED_BY', 'EVOLVED_INTO'] as const satisfies RelationType[];
/** A bound on what one recall may cost; cycles end by themselves. Cut off, a chain would show what no longer holds. */
const CHAIN_MAX_LENGTH = 1_000;
/** Successors looked at for one memory. */
const SUCCESSORS_MAX = 100;

export interface Supersession {
  /** The last memory of the chain that holds at the instant. */
  head: Memory;
  /** Type of the chain's first edge. */
  type: RelationType;
}

/** For each memory that another one supersedes at the instant: which. One read of edges and one of memories per step. */
export async function findSupersessions(
  graph: GraphStore,
  ids: readonly string[],
  instantMs: number,
): Promise<Map<string, Supersession>> {
  const found = new Map<string, Supersession>();
  let chains = ids.map((id): Chain => ({ start: id, ends: [{ id }], visited: new Set([id]) }));
  for (let step = 0; step < CHAIN_MAX_LENGTH && chains.length > 0; step++) {
    const edges = await graph.relationsOf({
      ids: [...new Set(chains.flatMap(({ ends }) => ends.map(({ id }) => id)))],
      limit: SUCCESSORS_MAX,
      types: SUPERSESSION_TYPES,
      isOutgoingOnly: true,
    });
    const targets = await graph.getMemories([...new Set([...edges.values()].flat().map(({ to }) => to))]);
    chains = chains.flatMap(chain => {
      const next = successors(chain, edges, targets);
      for (const { id } of next) chain.visited.add(id);
      // Where one of several holds, it is the one to follow; while none does, the one that does may lie behind any.
      const holding = next.find(({ id }) => isHolding(targets.get(id), instantMs));
      const head = holding && targets.get(holding.id);
      if (head && holding.type) found.set(chain.start, { head, type: holding.type });
      return next.length > 0 ? [{ ...chain, ends: holding ? [holding] : next }] : [];
    });
  }
  return found;
}

interface Chain {
  start: string;
  ends: ChainEnd[];
  visited: Set<string>;
}

interface ChainEnd {
  id: string;
  /** Of the first edge on the way here. */
  type?: RelationType;
}

/** Where the edges of a chain's ends lead to that is new, best edges first. */
function successors(
  { ends, visited }: Chain,
  edges: ReadonlyMap<string, readonly Relation[]>,
  targets: ReadonlyMap<string, Memory>,
): ChainEnd[] {
  const found = ends.flatMap(({ id, type }) =>
    (edges.get(id) ?? []).map((edge): ChainEnd => ({ id: edge.to, type: type ?? edge.type })),
  );
  return found.filter(({ id }) => !visited.has(id) && targets.has(id));
}

function isHolding(memory: Memory | undefined, instantMs: number): boolean {
  return memory !== undefined && isValidAt(memory, instantMs);
}
