/** Which memory holds now: chains of supersession, followed to the memory at their head (decisions D22). */
import { isValidAt } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { RelationType } from '../domain/relation.js';
import type { GraphStore } from '../stores/graph-store.js';

/** An edge of these types leads from what no longer holds to what took its place. */
const SUPERSESSION_TYPES = ['INVALIDATED_BY', 'EVOLVED_INTO'] as const satisfies RelationType[];
/** A bound on what one recall may cost; cycles end by themselves. Cut off, a chain would show what no longer holds. */
const CHAIN_MAX_LENGTH = 1_000;
/** Successors looked at for one memory. */
const SUCCESSORS_MAX = 10;

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
  let chains = ids.map((id): Chain => ({ start: id, end: id, visited: new Set([id]), type: undefined }));
  for (let step = 0; step < CHAIN_MAX_LENGTH && chains.length > 0; step++) {
    const edges = await graph.relationsOf({
      ids: [...new Set(chains.map(({ end }) => end))],
      limit: SUCCESSORS_MAX,
      types: SUPERSESSION_TYPES,
      isOutgoingOnly: true,
    });
    const targets = await graph.getMemories([...new Set([...edges.values()].flat().map(({ to }) => to))]);
    chains = chains.flatMap(chain => {
      const successors = (edges.get(chain.end) ?? []).filter(({ to }) => !chain.visited.has(to) && targets.has(to));
      const edge = successors.find(({ to }) => holds(targets.get(to), instantMs)) ?? successors[0];
      const target = edge && targets.get(edge.to);
      if (!edge || !target) return [];
      const type = chain.type ?? edge.type;
      if (holds(target, instantMs)) found.set(chain.start, { head: target, type });
      chain.visited.add(edge.to);
      return [{ ...chain, end: edge.to, type }];
    });
  }
  return found;
}

interface Chain {
  start: string;
  end: string;
  visited: Set<string>;
  type: RelationType | undefined;
}

function holds(memory: Memory | undefined, instantMs: number): boolean {
  return memory !== undefined && isValidAt(memory, instantMs);
}
