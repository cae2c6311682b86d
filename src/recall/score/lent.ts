/** Computes, without side effects, how much evidence memories of one conversation lend each other. */
import type { Lender } from '../../domain/recall-results.js';
import type { Neighbour } from '../../stores/ports/search-index.js';
import type { Candidate } from '../pool.js';
import { coverage, type TermPresence } from './components.js';
import { MAX_GAP_MS } from './conversations.js';
import type { QueryEvidence } from './evidence.js';

/**
 * Share of its evidence that a neighbour lends, by its position relative to the borrowing memory. Position -1 is the
 * memory directly before. Neighbours at other positions lend only `SHARE_IN_TALK`.
 */
const SHARE_BY_DISTANCE: ReadonlyMap<number, number> = new Map([
  [-2, 0.62],
  [-1, 0.53],
  [1, 0.7],
  [2, 0.39],
]);
/**
 * Share that a question lends to its reply. The reply covers the topic of the question and is the wanted answer, so the
 * reply must rank above the question.
 */
const SHARE_OF_QUESTION = 1.08;
/**
 * Share of lent evidence that a memory keeps if it is a question. The share is low, because a question rarely contains
 * an answer.
 */
const SHARE_TO_QUESTION = 0.7;
/** Share of its evidence that each candidate of a conversation lends to all others in the conversation. */
const SHARE_IN_TALK = 0.23;

/** Factor for closeness in meaning. It is low, because a single short text may be close to a question by chance. */
const SHARE_IN_MEANING = 0.5;
/** Weight of closeness relative to words in lent evidence. */
const MEANING_WEIGHT = 0.4;
/**
 * Lent closeness is at its maximum when the sum of share * `SHARE_IN_MEANING` * closeness over the neighbours reaches
 * this value.
 */
const MEANING_SATURATION = 1.4;

/**
 * Maximum number of words of a memory that borrows fully. A longer memory states its topic itself, so it borrows less.
 */
const SHORT_WORDS = 82;
const SHORT_POWER = 2.8;

export interface Lent {
  /** 0..1 */
  lent: number;
  /** The lenders, largest amount first. Computed only when a score is explained. */
  lenders(): Lender[];
}

interface Bond {
  from: Candidate;
  share: number;
}

/** @param bonds pairs of memories of the same conversation, each pair once */
export function lentTo(
  evidence: QueryEvidence,
  candidates: readonly Candidate[],
  bonds: readonly Neighbour[],
): Map<string, Lent> {
  const byId = new Map(candidates.map(candidate => [candidate.memory.id, candidate]));
  const lenders = new Map<string, Bond[]>();
  const note = (toId: string, fromId: string, distance: number) => {
    const from = byId.get(fromId);
    if (!from || !byId.has(toId)) return;
    const share =
      distance === -1 && from.own.text.isQuestion ? SHARE_OF_QUESTION : (SHARE_BY_DISTANCE.get(distance) ?? 0);
    if (share === 0) return;
    const bonded = lenders.get(toId);
    if (bonded) bonded.push({ from, share });
    else lenders.set(toId, [{ from, share }]);
  };
  for (const { of, id, distance } of bonds) {
    note(of, id, distance);
    note(id, of, -distance);
  }
  const ofTalks = presenceOfTalks(candidates);
  const found = new Map<string, Lent>();
  for (const [id, candidate] of byId) {
    const near = lenders.get(id) ?? [];
    const said = ofTalks.get(id);
    const room = roomFor(candidate);
    const amountOf = (bonded: readonly Bond[], talk?: TermPresence) =>
      (room * (lexicalGain(evidence, candidate, { bonded, talk }) + MEANING_WEIGHT * meaningGain(candidate, bonded))) /
      (1 + MEANING_WEIGHT);
    const lent = Math.min(1, amountOf(near, said));
    if (lent > 0) found.set(id, { lent, lenders: () => rankedLenders(near, amountOf) });
  }
  return found;
}

function rankedLenders(near: readonly Bond[], amountOf: (bonded: readonly Bond[]) => number): Lender[] {
  return near
    .map(bond => ({ id: bond.from.memory.id, amount: Math.min(1, amountOf([bond])) }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount);
}

function roomFor({ own: { text } }: Candidate): number {
  const { length, isQuestion } = text;
  const ofLength = length <= SHORT_WORDS ? 1 : (SHORT_WORDS / length) ** SHORT_POWER;
  return isQuestion ? ofLength * SHARE_TO_QUESTION : ofLength;
}

/**
 * The increase in coverage when the words of neighbours and of the conversation also count, each weighted by its
 * share.
 */
function lexicalGain(
  evidence: QueryEvidence,
  { own }: Candidate,
  { bonded, talk }: { bonded: readonly Bond[]; talk: TermPresence | undefined },
): number {
  const presence = own.presence.map(present => present * own.damping);
  for (const { from, share } of bonded) raise(presence, from.own.presence, from.own.damping * share);
  if (talk) raise(presence, talk, SHARE_IN_TALK);
  return Math.max(0, coverage(evidence, presence) - own.coverage * own.damping);
}

/**
 * The gain from closeness: (1 - own) * closeness of the neighbours. The total never exceeds 1, and an additional
 * neighbour never lowers it.
 */
function meaningGain({ own }: Candidate, bonded: readonly Bond[]): number {
  const sum = bonded.reduce((total, { from, share }) => total + share * SHARE_IN_MEANING * from.own.closeness, 0);
  return (1 - own.closeness) * Math.min(1, sum / MEANING_SATURATION);
}

/** Raises the value of each term in `presence` to at least `share` of its value in `other`. */
function raise(presence: number[], other: TermPresence, share: number): void {
  for (let index = 0; index < presence.length; index++) {
    const lent = (other[index] ?? 0) * share;
    if (lent > (presence[index] ?? 0)) presence[index] = lent;
  }
}

/**
 * For each memory, the presence of the terms in all candidates of its conversations together. A pause longer than
 * `MAX_GAP_MS` ends a conversation.
 */
function presenceOfTalks(candidates: readonly Candidate[]): Map<string, TermPresence> {
  const inOrder = [...candidates].sort((a, b) => a.reading.notedMs - b.reading.notedMs);
  const latest = new Map<string, { said: Candidate[]; notedMs: number }>();
  const episodes: Candidate[][] = [];
  for (const candidate of inOrder) {
    const { notedMs, talks } = candidate.reading;
    for (const talk of talks) {
      const before = latest.get(talk);
      const goesOn = before !== undefined && notedMs - before.notedMs <= MAX_GAP_MS;
      const said = goesOn ? before.said : [];
      if (!goesOn) episodes.push(said);
      said.push(candidate);
      latest.set(talk, { said, notedMs });
    }
  }
  const found = new Map<string, TermPresence>();
  for (const said of episodes) {
    if (said.length < 2) continue;
    const together = new Array<number>(said[0]?.own.presence.length ?? 0).fill(0);
    for (const { own } of said) raise(together, own.presence, own.damping);
    for (const { memory } of said) {
      const all = [...together];
      raise(all, found.get(memory.id) ?? [], 1);
      found.set(memory.id, all);
    }
  }
  return found;
}
