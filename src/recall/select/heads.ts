/**
 * Finds the heads of chains of supersession: the valid memories with which the chains end. The work is proportional to
 * the number of links, however many chains share them, because the heads of each memory are found once, and because a
 * chain that forks again and again passes on only some of its heads.
 */
import { isValidAt } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { Relation, RelationType } from '../../domain/relation.js';

/** Maximum number of heads that a chain passes on to the memories before its fork. */
const HEADS_MAX = 20;

/** A memory that supersedes another one and is valid at the requested time. No valid memory supersedes it in turn. */
export interface Head {
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
export function headFinder(links: Links, instantMs: number): (id: string) => Head[] {
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
