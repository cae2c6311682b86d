/**
 * Evidence from what was said just before and after. An answer often shares no word with the question that it answers,
 * because the words stand in the turn before it; so a memory also matches, weaker, through its neighbours in time.
 */
import type { GraphStore, Neighbour } from '../stores/graph-store.js';
import type { Candidate } from './candidate.js';
import type { TermPresence } from './components.js';

/** Neighbours to each side. */
const NEIGHBOUR_SPAN = 2;
/** A pause longer than this begins a new subject. */
const MAX_GAP_MS = 30 * 60_000;

/**
 * What a neighbour's evidence is worth to a memory, by the neighbour's place. What came before counts for more: it is what
 * the memory replies to.
 */
const WORTH_BY_DISTANCE: ReadonlyMap<number, number> = new Map([
  [-1, 0.8],
  [1, 0.5],
  [-2, 0.5],
  [2, 0.3],
]);

/** Share of a neighbour's worth with which its closeness in meaning enters the average. */
const SHARE_IN_MEANING = 0.5;

/** A memory's evidence together with that of its neighbours. */
export interface NeighbourEvidence {
  presence: TermPresence;
  similarity: number;
}

export function findNeighbours(graph: GraphStore, ids: readonly string[]): Promise<Neighbour[]> {
  return graph.neighbours({ ids, span: NEIGHBOUR_SPAN, maxGapMs: MAX_GAP_MS });
}

/**
 * For each candidate its own evidence together with what its neighbours among the candidates offer. A word that a neighbour
 * says is there, if weaker. Closeness in meaning is averaged instead: single short texts are near a question by chance, a
 * passage hardly is.
 */
export function withNeighbours(
  candidates: ReadonlyMap<string, Candidate>,
  neighbours: readonly Neighbour[],
): Map<string, NeighbourEvidence> {
  const found = new Map<string, { presence: TermPresence; similarity: number; weight: number }>();
  for (const [id, { presence, similarity }] of candidates) found.set(id, { presence, similarity, weight: 1 });
  const lend = (toId: string, fromId: string, distance: number) => {
    const from = candidates.get(fromId);
    const to = found.get(toId);
    if (!from || !to) return;
    const worth = WORTH_BY_DISTANCE.get(distance) ?? 0;
    to.presence = to.presence.map((present, index) => Math.max(present, worth * (from.presence[index] ?? 0)));
    to.similarity += worth * SHARE_IN_MEANING * from.similarity;
    to.weight += worth * SHARE_IN_MEANING;
  };
  for (const { of, id, distance } of distinct(neighbours)) {
    lend(of, id, distance);
    lend(id, of, -distance);
  }
  for (const evidence of found.values()) evidence.similarity /= evidence.weight;
  return found;
}

/** Two seeds that are neighbours of each other name their bond twice. */
function distinct(neighbours: readonly Neighbour[]): Neighbour[] {
  const seen = new Set<string>();
  return neighbours.filter(({ of, id }) => {
    const bond = of < id ? `${of} ${id}` : `${id} ${of}`;
    if (seen.has(bond)) return false;
    seen.add(bond);
    return true;
  });
}
