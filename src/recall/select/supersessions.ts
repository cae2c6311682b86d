/** Finds the current version of a memory: follows the chain of supersession to its head. */

import { isValidAt } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import {
  AUTHORABLE_RELATION_TYPES,
  type Relation,
  type RelationType,
  SUPERSESSION_TYPES,
} from '../../domain/relation.js';
import { inSteps } from '../../event-loop.js';
import type { EdgeStore, RelationsWithEnds, RequestWithEnds } from '../../stores/ports/edge-store.js';

/**
 * Maximum length of a chain, which bounds the cost of one recall. Cycles do not need this limit, because a chain visits
 * each memory once. The limit is high, because a chain that is cut off would show an outdated memory.
 */
const CHAIN_MAX_LENGTH = 1_000;
/** Maximum number of successors read per memory. */
const SUCCESSORS_MAX = 100;

/** A memory that supersedes another one and is valid at the requested time. No valid memory supersedes it in turn. */
interface Head {
  head: Memory;
  /** Type of the first edge of the chain. */
  type: RelationType;
}

export interface Supersession extends Head {
  /** The heads. There are several if the chain forks. The first one is also in `head` and `type`. */
  heads: readonly Head[];
}

export type SupersessionFinder = (ids: readonly string[]) => Promise<Map<string, Supersession>>;

/** The edges that have been read, and the memories to which they lead. */
export interface Links {
  edges: Map<string, readonly Relation[]>;
  targets: Map<string, Memory>;
}

export function noLinks(): Links {
  return { edges: new Map(), targets: new Map() };
}

/**
 * Finds the links among edges of all types. The links of a memory are left out if the limit may have cut some off. Edges
 * of callers come first, and links are such edges: if an edge of the system follows, none was cut off.
 */
export function linksAmong({ relations, ends }: Pick<RelationsWithEnds, 'relations' | 'ends'>, limit: number): Links {
  const linksOf = ([id, edges]: [string, Relation[]]): [string, Relation[]] => [
    id,
    edges.filter(({ from, type }) => from === id && SUPERSESSION_TYPES.includes(type)),
  ];
  const isOfSystem = ({ type }: Relation) => !AUTHORABLE_RELATION_TYPES.includes(type);
  const complete = [...relations].filter(([, edges]) => edges.length < limit || edges.some(isOfSystem));
  return { edges: new Map(complete.map(linksOf)), targets: new Map(ends) };
}

/** Reads the links of memories, and the memories themselves if requested. */
export async function readLinks(
  graph: Pick<EdgeStore, 'relationsWithEnds'>,
  { edges, targets }: Links,
  request: Pick<RequestWithEnds, 'ids' | 'isWithMemories'>,
): Promise<Map<string, Memory>> {
  const types = SUPERSESSION_TYPES;
  const read = await graph.relationsWithEnds({ ...request, limit: SUCCESSORS_MAX, types, isOutgoingOnly: true });
  // Set the edges last, because a concurrent call assumes that the target of a known edge has been read.
  for (const [id, memory] of read.ends) targets.set(id, memory);
  for (const id of request.ids) edges.set(id, read.relations.get(id) ?? []);
  return read.memories;
}

/**
 * Creates a function that finds, for each memory, the memory that supersedes it at the time `instantMs`. All calls
 * share the edges read so far, because chains that begin at different versions of one memory overlap.
 *
 * @param links links that have been read already; the function adds those that it reads
 */
export function supersessionFinder(
  graph: Pick<EdgeStore, 'relationsWithEnds'>,
  instantMs: number,
  links = noLinks(),
): SupersessionFinder {
  return async ids => {
    await readChains(graph, links, ids);
    const headsOf = headFinder(links, instantMs);
    const found = new Map<string, Supersession>();
    for (const id of ids) {
      const heads = headsOf(id);
      if (heads[0]) found.set(id, { ...heads[0], heads });
    }
    return found;
  };
}

/** Reads all chains together, with one read for the next edges of all of them. */
async function readChains(
  graph: Pick<EdgeStore, 'relationsWithEnds'>,
  links: Links,
  starts: readonly string[],
): Promise<void> {
  const reached = new Set<string>();
  let next = new Set(starts);
  for await (const _link of inSteps(Array(CHAIN_MAX_LENGTH).keys())) {
    if (next.size === 0) return;
    for (const id of next) reached.add(id);
    const unread = [...next].filter(id => !links.edges.has(id));
    if (unread.length > 0) await readLinks(graph, links, { ids: unread });
    const ends = [...next].flatMap(id => links.edges.get(id) ?? []).map(({ to }) => to);
    next = new Set(ends.filter(id => !reached.has(id)));
  }
}

/**
 * Memories that lead to each other, or a single memory. The newest valid member of a cycle that leads nowhere else is the
 * head, and nothing supersedes it: a listing would otherwise show no member at all.
 */
interface Component {
  heads: ReadonlyMap<string, Memory>;
}

/**
 * Maximum number of heads that a chain passes on to the memories before its fork. Without it, a chain that forks at each
 * of its memories would take quadratic time.
 */
const HEADS_MAX = 20;

/** Returns a function that finds the heads of all chains that begin at a memory, the first edge first. */
function headFinder(links: Links, instantMs: number): (id: string) => Head[] {
  const componentOf = new Map<string, Component>();
  return start => {
    findComponents(start, links, { instantMs, componentOf });
    const found = new Map<string, Head>();
    for (const { to, type } of links.edges.get(start) ?? []) {
      for (const head of componentOf.get(to)?.heads.values() ?? []) {
        if (head.id !== start && !found.has(head.id)) found.set(head.id, { head, type });
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
  const [newest] = valid.sort((a, b) => compare(b.timestamp, a.timestamp) || compare(a.id, b.id));
  return { heads: new Map(newest ? [[newest.id, newest]] : []) };
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
