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

/** A reply is about all that its question asks, and is what was asked for. */
const WORTH_OF_QUESTION = 1;
const SHARE_OF_ANSWERED_QUESTION = 0.75;
/** Marks and emoji may follow it; looked for in so much of the end. */
const QUESTION = /[?？؟][^\p{L}\p{N}]{0,32}$/u;
const QUESTION_END_LENGTH = 32;

/** What anything said in the same conversation is worth. */
const WORTH_IN_EPISODE = 0.2;

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

interface Gathered extends NeighbourEvidence {
  /** Of what is summed up in `similarity`. */
  weight: number;
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
  const bonds = distinct(neighbours).filter(({ of, id }) => candidates.has(of) && candidates.has(id));
  const answered = answeredQuestions(candidates, bonds);
  const found = new Map<string, Gathered>();
  for (const [id, { presence, similarity }] of candidates) {
    const own = answered.has(id) ? SHARE_OF_ANSWERED_QUESTION : 1;
    found.set(id, { presence: presence.map(present => own * present), similarity, weight: 1 });
  }
  const lend = (toId: string, fromId: string, distance: number) => {
    const from = candidates.get(fromId);
    const to = found.get(toId);
    if (!from || !to) return;
    const isReply = distance === -1 && answered.has(fromId);
    const worth = isReply ? WORTH_OF_QUESTION : (WORTH_BY_DISTANCE.get(distance) ?? 0);
    to.presence = atLeast(to.presence, from.presence, worth);
    to.similarity += worth * SHARE_IN_MEANING * from.similarity;
    to.weight += worth * SHARE_IN_MEANING;
  };
  for (const { of, id, distance } of bonds) {
    lend(of, id, distance);
    lend(id, of, -distance);
  }
  for (const evidence of found.values()) evidence.similarity /= evidence.weight;
  for (const episode of episodes(candidates)) {
    const said = union(episode.map(({ presence }) => presence));
    for (const { memory } of episode) {
      const to = found.get(memory.id);
      if (to) to.presence = atLeast(to.presence, said, WORTH_IN_EPISODE);
    }
  }
  return found;
}

function atLeast(presence: TermPresence, lent: TermPresence, worth: number): TermPresence {
  return presence.map((present, index) => Math.max(present, worth * (lent[index] ?? 0)));
}

function union([first = [], ...others]: readonly TermPresence[]): TermPresence {
  return others.reduce((all, presence) => atLeast(all, presence, 1), first);
}

/** Questions after which something was said: a note that ends with a question mark and stands alone is none. */
function answeredQuestions(candidates: ReadonlyMap<string, Candidate>, bonds: readonly Neighbour[]): Set<string> {
  const followed = bonds.flatMap(({ of, id, distance }) => (distance === 1 ? [of] : distance === -1 ? [id] : []));
  return new Set(
    followed.filter(id => QUESTION.test(candidates.get(id)?.memory.content.slice(-QUESTION_END_LENGTH) ?? '')),
  );
}

/** Candidates that share a tag and follow each other without a longer pause. */
function episodes(candidates: ReadonlyMap<string, Candidate>): Candidate[][] {
  const inOrder = [...candidates.values()]
    .map(candidate => ({ candidate, notedMs: Date.parse(candidate.memory.timestamp) }))
    .sort((a, b) => a.notedMs - b.notedMs);
  const found: Candidate[][] = [];
  const latestByTag = new Map<string, { episode: Candidate[]; notedMs: number }>();
  for (const { candidate, notedMs } of inOrder) {
    for (const tag of candidate.memory.tags) {
      const latest = latestByTag.get(tag);
      const isSame = latest !== undefined && notedMs - latest.notedMs <= MAX_GAP_MS;
      const episode = isSame ? latest.episode : [];
      if (!isSame) found.push(episode);
      episode.push(candidate);
      latestByTag.set(tag, { episode, notedMs });
    }
  }
  return found.filter(({ length }) => length > 1);
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
