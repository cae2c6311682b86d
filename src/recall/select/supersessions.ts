/** Finds the current version of a memory: follows the chain of supersession to its head. */
import type { Memory } from '../../domain/memory.js';
import { AUTHORABLE_RELATION_TYPES, type Relation, type RelationType } from '../../domain/relation.js';
import { inSteps } from '../../event-loop.js';
import type { EdgeStore, RelationsWithEnds, ShownRelations } from '../../stores/ports/edge-store.js';
import { type Head, headFinder } from './heads.js';

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

export interface Supersession extends Head {
  /** The heads. There are several if the chain forks. The first one is also in `head` and `type`. */
  heads: readonly Head[];
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
 * @param readMemories reads whole memories and adds their links to `known`, for a caller that needs the heads anyway
 */
export function supersessionFinder(
  graph: ChainGraph,
  instantMs: number,
  { known = noLinks(), readMemories }: { known?: KnownLinks; readMemories?: ReadMemories } = {},
): SupersessionFinder {
  const read = readMemories
    ? async (ids: readonly string[]) => void (await readMemories(ids))
    : async (ids: readonly string[]) =>
        note(known, await graph.relationsWithEnds({ ids, ...LINKS, isOutgoingOnly: true }));
  return ids => findSupersessions(read, known, { ids, instantMs });
}

type ReadMemories = (ids: readonly string[]) => Promise<unknown>;

/** Reads all chains together, with one read per step, and then finds the heads of each. */
async function findSupersessions(
  read: (ids: readonly string[]) => Promise<void>,
  known: KnownLinks,
  { ids, instantMs }: { ids: readonly string[]; instantMs: number },
): Promise<Map<string, Supersession>> {
  const reached = new Set<string>(ids);
  let ends = [...reached];
  for await (const _link of inSteps(Array(CHAIN_MAX_LENGTH).keys())) {
    if (ends.length === 0) break;
    await readLinks(read, ends, known);
    const next = new Set(ends.flatMap(id => known.edges.get(id) ?? []).map(({ to }) => to));
    ends = [...next].filter(id => !reached.has(id));
    for (const id of ends) reached.add(id);
  }
  const found = new Map<string, Supersession>();
  const headsOf = headFinder(known, instantMs);
  for (const id of ids) {
    const heads = headsOf(id);
    if (heads[0]) found.set(id, { ...heads[0], heads });
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
async function readLinks(
  read: (ids: readonly string[]) => Promise<void>,
  of: readonly string[],
  { edges }: KnownLinks,
): Promise<void> {
  const ids = [...new Set(of)].filter(id => !edges.has(id));
  if (ids.length === 0) return;
  await read(ids);
  // A memory that was deleted meanwhile has no edges.
  for (const id of ids) if (!edges.has(id)) edges.set(id, []);
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
