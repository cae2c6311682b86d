/** Finds the current version of a memory: follows the chain of supersession to its head. */

import { isValidAt } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { AUTHORABLE_RELATION_TYPES, type Relation, type RelationType } from '../../domain/relation.js';
import { inSteps } from '../../event-loop.js';
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
  graph: ChainGraph,
  ids: readonly string[],
  known: KnownLinks,
): Promise<Map<string, Memory>> {
  const { memories, ...links } = await graph.relationsWithEnds({
    ids,
    ...LINKS,
    isOutgoingOnly: true,
    isWithMemories: true,
  });
  note(known, links);
  return memories;
}

function note({ edges, targets }: KnownLinks, { relations, ends }: Omit<RelationsWithEnds, 'memories'>): void {
  for (const [id, memory] of ends) targets.set(id, memory);
  // Set the edges last, because another call assumes that the target of a known edge has been read.
  for (const [id, outgoing] of relations) edges.set(id, outgoing);
}

/** Maximum number of heads that a chain passes on to the memories before its fork. */
const HEADS_MAX = 20;

/** A memory that supersedes another one and is valid at the requested time. No valid memory supersedes it in turn. */
interface Head {
  head: Memory;
  /** Type of the first edge of the chain. */
  type: RelationType;
}

/** The links that have been read, and the memories to which they lead. */
export interface Links {
  edges: ReadonlyMap<string, readonly Relation[]>;
  targets: ReadonlyMap<string, Memory>;
}

/**
 * Memories that lead to each other, or a single memory. The members of a cycle that leads nowhere else supersede each
 * other: the newest valid member is the head, and the second newest is the head of the newest.
 */
interface Component {
  heads: ReadonlyMap<string, Memory>;
  second?: Memory;
}

/** Returns a function that finds the heads of all chains that begin at a memory, the first edge first. */
function headFinder(links: Links, instantMs: number): (id: string) => Head[] {
  const componentOf = new Map<string, Component>();
  return start => {
    findComponents(start, links, { instantMs, componentOf });
    const found = new Map<string, Head>();
    const own = componentOf.get(start);
    for (const { to, type } of links.edges.get(start) ?? []) {
      const component = componentOf.get(to);
      for (const head of component?.heads.values() ?? []) {
        const other = head.id === start && component === own ? component?.second : head;
        if (other && !found.has(other.id)) found.set(other.id, { head: other, type });
      }
    }
    return [...found.values()];
  };
}

interface Finding {
  instantMs: number;
  componentOf: Map<string, Component>;
}

/** A memory on the path of the search. */
interface Visit {
  id: string;
  index: number;
  /** The lowest index that the memory leads back to. */
  lowest: number;
  nextEdge: number;
}

/**
 * Finds the component of every memory that follows a memory, the last ones first (Tarjan, "Depth-first search and linear
 * graph algorithms", 1972). A list replaces the recursion, because chains may be long.
 */
function findComponents(start: string, links: Links, { instantMs, componentOf }: Finding): void {
  if (componentOf.has(start)) return;
  const visits = new Map<string, Visit>();
  const open: string[] = [];
  const path: Visit[] = [];
  const enter = (id: string) => {
    const visit = { id, index: visits.size, lowest: visits.size, nextEdge: 0 };
    visits.set(id, visit);
    open.push(id);
    path.push(visit);
  };
  enter(start);
  for (let visit = path.at(-1); visit; visit = path.at(-1)) {
    const edge = links.edges.get(visit.id)?.[visit.nextEdge++];
    if (edge) {
      if (componentOf.has(edge.to)) continue;
      const earlier = visits.get(edge.to);
      if (earlier) visit.lowest = Math.min(visit.lowest, earlier.index);
      else enter(edge.to);
      continue;
    }
    path.pop();
    const before = path.at(-1);
    if (before) before.lowest = Math.min(before.lowest, visit.lowest);
    if (visit.lowest < visit.index) continue;
    const members = open.splice(open.lastIndexOf(visit.id));
    const component = toComponent(members, links, { instantMs, componentOf });
    for (const id of members) componentOf.set(id, component);
  }
}

function toComponent(members: readonly string[], { edges, targets }: Links, finding: Finding): Component {
  const { instantMs, componentOf } = finding;
  const next = new Set(members.flatMap(id => edges.get(id) ?? []).flatMap(({ to }) => componentOf.get(to) ?? []));
  const beyond = [...next].filter(({ heads }) => heads.size > 0);
  // A chain that does not fork shares its heads, so that a long chain does not copy them again and again.
  if (beyond.length === 1) return { heads: (beyond[0] as Component).heads };
  if (beyond.length > 1) return { heads: someHeadsOf(beyond) };
  const valid = members.flatMap(id => targets.get(id) ?? []).filter(memory => isValidAt(memory, instantMs));
  const [newest, second] = valid.sort((a, b) => compare(b.timestamp, a.timestamp) || compare(a.id, b.id));
  return { heads: new Map(newest ? [[newest.id, newest]] : []), ...(second && { second }) };
}

function someHeadsOf(components: readonly Component[]): Map<string, Memory> {
  const found = new Map<string, Memory>();
  for (const { heads } of components) {
    for (const [id, head] of heads) {
      if (found.size >= HEADS_MAX) return found;
      found.set(id, head);
    }
  }
  return found;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
