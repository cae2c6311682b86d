/** Which links are made: the strongest ones, few for each memory, and none where an edge says already how two relate. */
import type { PlanContext } from '../planner.js';
import type { Link } from './kinds.js';

const PER_MEMORY_MAX = 3;
const LINKS_MAX = 100;
/** Of more memories than the first few hundred, one link for so many. */
const MEMORIES_PER_LINK = 4;
const EDGES_READ = 1_000;
const MEMORIES_AT_ONCE = 200;

/**
 * Links of an earlier run take part in the choice and are left out of the answer: a run on the same memories finds the same
 * links, of which none is new.
 *
 * @param lookedAt how many memories looked for partners
 */
export async function chooseLinks(context: PlanContext, links: readonly Link[], lookedAt: number): Promise<Link[]> {
  const edges = await edgesOf(context, links);
  const most = Math.max(LINKS_MAX, Math.ceil(lookedAt / MEMORIES_PER_LINK));
  const counts = linksBeside(edges, links);
  const chosen: Link[] = [];
  for (const link of [...links].sort(strongestFirst)) {
    const ends = [link.from.id, link.to.id];
    if (edges.get(pairOf(ends)) === 'other' || ends.some(id => (counts.get(id) ?? 0) >= PER_MEMORY_MAX)) continue;
    if (chosen.length >= most) break;
    for (const id of ends) counts.set(id, (counts.get(id) ?? 0) + 1);
    chosen.push(link);
  }
  return chosen.filter(({ from, to }) => !edges.has(pairOf([from.id, to.id])));
}

function strongestFirst({ candidate: one }: Link, { candidate: other }: Link): number {
  return other.evidence - one.evidence || (pairOf([one.a.id, one.b.id]) < pairOf([other.a.id, other.b.id]) ? -1 : 1);
}

const pairOf = (ends: readonly string[]) => [...ends].sort().join(' ');

type Edges = ReadonlyMap<string, 'own' | 'other'>;

/** For each memory the links of earlier runs that are not to be chosen from this time. */
function linksBeside(edges: Edges, links: readonly Link[]): Map<string, number> {
  const offered = new Set(links.map(({ from, to }) => pairOf([from.id, to.id])));
  const counts = new Map<string, number>();
  for (const [pair, kind] of edges) {
    if (kind === 'other' || offered.has(pair)) continue;
    for (const id of pair.split(' ')) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Pairs that have an edge, with any end of these links: one of an earlier run, or any other. */
async function edgesOf({ graph, onPage }: PlanContext, links: readonly Link[]): Promise<Edges> {
  const found = new Map<string, 'own' | 'other'>();
  const ids = [...new Set(links.flatMap(({ from, to }) => [from.id, to.id]))];
  for (let start = 0; start < ids.length; start += MEMORIES_AT_ONCE) {
    await onPage();
    const page = await graph.relationsOf({ ids: ids.slice(start, start + MEMORIES_AT_ONCE), limit: EDGES_READ });
    for (const { from, to, type, properties } of [...page.values()].flat()) {
      const isOwn = type === 'DISCOVERED' && properties.origin === 'consolidation';
      const pair = pairOf([from, to]);
      if (found.get(pair) !== 'other') found.set(pair, isOwn ? 'own' : 'other');
    }
  }
  return found;
}
