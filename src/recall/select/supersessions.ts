/** Finds the current version of a memory: follows the chain of supersession to its head. */
import { isValidAt } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { AUTHORABLE_RELATION_TYPES, type Relation, type RelationType } from '../../domain/relation.js';
import type { EdgeStore, RelationsWithEnds, ShownRelations } from '../../stores/ports/edge-store.js';

/** Types of edges that lead from an outdated memory to its replacement. */
const SUPERSESSION_TYPES = ['INVALIDATED_BY', 'EVOLVED_INTO'] as const satisfies RelationType[];
/**
 * Maximum length of a chain, which bounds the cost of one recall. Cycles do not need this limit, because a chain visits
 * each memory once. The limit is high, because a chain that is cut off would show an outdated memory.
 */
const CHAIN_MAX_LENGTH = 1_000;
/** Maximum number of successors read per memory. */
const SUCCESSORS_MAX = 100;
const LINKS = { limit: SUCCESSORS_MAX, types: SUPERSESSION_TYPES };

export interface Supersession {
  /** The last memory of the chain that is valid at the requested time. */
  head: Memory;
  /** Type of the first edge of the chain. */
  type: RelationType;
}

export type SupersessionFinder = (ids: readonly string[]) => Promise<Map<string, Supersession>>;

type ChainGraph = Pick<EdgeStore, 'relationsWithEnds'>;

/**
 * The links and memories read so far. All chains share them, because chains that begin at different versions of one
 * memory overlap.
 */
export interface KnownLinks {
  edges: Map<string, Relation[]>;
  targets: Map<string, Memory>;
}

export function noLinks(): KnownLinks {
  return { edges: new Map(), targets: new Map() };
}

/**
 * Creates a function that finds, for each memory, the memory that supersedes it at the time `instantMs`. The function
 * reads each link of a chain once.
 *
 * @param known links that have been read already; the function adds the links that it reads
 */
export function supersessionFinder(
  graph: ChainGraph,
  instantMs: number,
  known: KnownLinks = noLinks(),
): SupersessionFinder {
  return ids => findSupersessions(graph, known, { ids, instantMs });
}

/** Follows all chains together, with one read per step. */
async function findSupersessions(
  graph: ChainGraph,
  known: KnownLinks,
  { ids, instantMs }: { ids: readonly string[]; instantMs: number },
): Promise<Map<string, Supersession>> {
  const found = new Map<string, Supersession>();
  await readLinks(graph, ids, known);
  // Start only from memories with an edge, because most memories have never been superseded.
  const starts = ids.filter(id => known.edges.get(id)?.length);
  let chains = starts.map((id): Chain => ({ start: id, ends: [{ id }], visited: new Set([id]) }));
  for (let step = 0; step < CHAIN_MAX_LENGTH && chains.length > 0; step++) {
    chains = chains.flatMap(chain => {
      const next = successors(chain, known);
      for (const { id } of next) chain.visited.add(id);
      // If a successor is valid, the chain continues from this successor. Otherwise it continues from all successors,
      // because a valid memory may follow after any of them.
      const valid = next.find(({ id }) => isCurrentlyValid(known.targets.get(id), instantMs));
      const head = valid && known.targets.get(valid.id);
      if (head && valid.type) found.set(chain.start, { head, type: valid.type });
      return next.length > 0 ? [{ ...chain, ends: valid ? [valid] : next }] : [];
    });
    const ends = chains.flatMap(chain => chain.ends.map(({ id }) => id));
    await readLinks(graph, ends, known);
  }
  return found;
}

/**
 * Finds the memories that have no outgoing edge of a supersession type. Reads nothing from the store: the caller has
 * already read edges of all types, and passes them in `relations`.
 *
 * @param limit maximum number of edges that were requested per memory
 */
export function unlinkedAmong({ relations }: Pick<ShownRelations, 'relations'>, limit: number): KnownLinks {
  const isLinkOf = (id: string) => (edge: Relation) =>
    edge.from === id && SUPERSESSION_TYPES.some(each => each === edge.type);
  // Edges of callers come first. If an edge of the system follows, the limit has not cut off any edge of a caller.
  const isSystem = ({ type }: Relation) => !AUTHORABLE_RELATION_TYPES.includes(type);
  const unlinked = [...relations].filter(
    ([id, all]) => !all.some(isLinkOf(id)) && (all.length < limit || all.some(isSystem)),
  );
  return { edges: new Map(unlinked.map(([id]) => [id, []])), targets: new Map() };
}

/** Reads the outgoing supersession edges of these memories, and the memories to which the edges lead. */
async function readLinks(graph: ChainGraph, of: readonly string[], known: KnownLinks): Promise<void> {
  const ids = [...new Set(of)].filter(id => !known.edges.has(id));
  if (ids.length === 0) return;
  note(known, await graph.relationsWithEnds({ ids, ...LINKS, isOutgoingOnly: true }));
}

/** Reads memories together with their links, so that a server gets one request instead of two. */
export async function readWithLinks(
  graph: Pick<EdgeStore, 'memoriesWithEdges'>,
  ids: readonly string[],
  known: KnownLinks,
): Promise<Map<string, Memory>> {
  const { memories, ...links } = await graph.memoriesWithEdges({ ids, ...LINKS });
  note(known, links);
  return memories;
}

function note({ edges, targets }: KnownLinks, { relations, ends }: RelationsWithEnds): void {
  for (const [id, memory] of ends) targets.set(id, memory);
  // Set the edges last, because another call assumes that the target of a known edge has been read.
  for (const [id, outgoing] of relations) edges.set(id, outgoing);
}

interface Chain {
  start: string;
  ends: ChainEnd[];
  visited: Set<string>;
}

interface ChainEnd {
  id: string;
  /** Type of the first edge on the path. */
  type?: RelationType;
}

/** The new ends of a chain, best edges first. */
function successors({ ends, visited }: Chain, { edges, targets }: KnownLinks): ChainEnd[] {
  // Take each memory once. Otherwise several edges between versions would double the ends with every step.
  const found = new Map<string, ChainEnd>();
  for (const { id, type } of ends) {
    for (const edge of edges.get(id) ?? []) {
      if (visited.has(edge.to) || found.has(edge.to) || !targets.has(edge.to)) continue;
      found.set(edge.to, { id: edge.to, type: type ?? edge.type });
    }
  }
  return [...found.values()];
}

function isCurrentlyValid(memory: Memory | undefined, instantMs: number): boolean {
  return memory !== undefined && isValidAt(memory, instantMs);
}
