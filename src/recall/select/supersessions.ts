/** Which memory holds now: chains of supersession, followed to the memory at their head. */
import { isValidAt } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { AUTHORABLE_RELATION_TYPES, type Relation, type RelationType } from '../../domain/relation.js';
import type { EdgeStore, ShownRelations } from '../../stores/ports/edge-store.js';

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

export type SupersessionFinder = (ids: readonly string[]) => Promise<Map<string, Supersession>>;

type ChainGraph = Pick<EdgeStore, 'relationsWithEnds'>;

/**
 * Finds for each memory that another one supersedes at the instant: which. Reads no link of a chain twice.
 *
 * @param known links that somebody has read, which grow by what is read here
 */
export function supersessionFinder(
  graph: ChainGraph,
  instantMs: number,
  known: Known = { edges: new Map(), targets: new Map() },
): SupersessionFinder {
  return ids => findSupersessions(graph, known, { ids, instantMs });
}

/** One read per step. */
async function findSupersessions(
  graph: ChainGraph,
  known: Known,
  { ids, instantMs }: { ids: readonly string[]; instantMs: number },
): Promise<Map<string, Supersession>> {
  const found = new Map<string, Supersession>();
  await readLinks(graph, ids, known);
  // Most memories have never been superseded.
  const starts = ids.filter(id => known.edges.get(id)?.length);
  let chains = starts.map((id): Chain => ({ start: id, ends: [{ id }], visited: new Set([id]) }));
  for (let step = 0; step < CHAIN_MAX_LENGTH && chains.length > 0; step++) {
    chains = chains.flatMap(chain => {
      const next = successors(chain, known);
      for (const { id } of next) chain.visited.add(id);
      // Where one of several holds, it is the one to follow; while none does, the one that does may lie behind any.
      const holding = next.find(({ id }) => isHolding(known.targets.get(id), instantMs));
      const head = holding && known.targets.get(holding.id);
      if (head && holding.type) found.set(chain.start, { head, type: holding.type });
      return next.length > 0 ? [{ ...chain, ends: holding ? [holding] : next }] : [];
    });
    const ends = chains.flatMap(chain => chain.ends.map(({ id }) => id));
    await readLinks(graph, ends, known);
  }
  return found;
}

/** What has been read so far: many versions of one memory are links of one chain. */
interface Known {
  edges: Map<string, Relation[]>;
  targets: Map<string, Memory>;
}

/**
 * What edges of all types say of links: which memories have none.
 *
 * @param limit so many edges of each memory were asked for
 */
export function unlinkedAmong({ relations }: Pick<ShownRelations, 'relations'>, limit: number): Known {
  const isLinkOf = (id: string) => (edge: Relation) =>
    edge.from === id && SUPERSESSION_TYPES.some(each => each === edge.type);
  // Authored edges come first: where another follows, the limit has cut none of them off.
  const isSystem = ({ type }: Relation) => !AUTHORABLE_RELATION_TYPES.includes(type);
  const unlinked = [...relations].filter(
    ([id, all]) => !all.some(isLinkOf(id)) && (all.length < limit || all.some(isSystem)),
  );
  return { edges: new Map(unlinked.map(([id]) => [id, []])), targets: new Map() };
}

/** The edges that begin at these, and what they lead to. */
async function readLinks(graph: ChainGraph, of: readonly string[], { edges, targets }: Known): Promise<void> {
  const ids = [...new Set(of)].filter(id => !edges.has(id));
  if (ids.length === 0) return;
  const { relations, ends } = await graph.relationsWithEnds({
    ids,
    limit: SUCCESSORS_MAX,
    types: SUPERSESSION_TYPES,
    isOutgoingOnly: true,
  });
  for (const [id, memory] of ends) targets.set(id, memory);
  // Last: another call takes an edge that is known for one whose target has been read.
  for (const [id, outgoing] of relations) edges.set(id, outgoing);
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
function successors({ ends, visited }: Chain, { edges, targets }: Known): ChainEnd[] {
  // Each once: versions joined by several edges would double with every step.
  const found = new Map<string, ChainEnd>();
  for (const { id, type } of ends) {
    for (const edge of edges.get(id) ?? []) {
      if (visited.has(edge.to) || found.has(edge.to) || !targets.has(edge.to)) continue;
      found.set(edge.to, { id: edge.to, type: type ?? edge.type });
    }
  }
  return [...found.values()];
}

function isHolding(memory: Memory | undefined, instantMs: number): boolean {
  return memory !== undefined && isValidAt(memory, instantMs);
}
