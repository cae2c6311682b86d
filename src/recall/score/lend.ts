/**
 * Step: memories of one conversation lend each other evidence. An answer often shares no word with its question,
 * because the words of the question occur in the message before the answer. Lent evidence is added to a memory's own
 * evidence and never lowers it.
 */
import { createFilterCheck } from '../../domain/filter.js';
import type { Lender } from '../../domain/recall.js';
import type { Neighbour } from '../../stores/ports/search-index.js';
import type { RecallContext } from '../context.js';
import { byQuestion, type Candidate, type Pool, type RetrievedQuestion } from '../pool.js';
import { BOUNDS, RANKING } from '../ranking-constants.js';
import { toCandidates } from './candidates.js';
import type { QueryEvidence } from './evidence.js';
import { coverage, type TermPresence } from './own-evidence.js';
import { conversationTagKeys } from './text-cache.js';

export async function lend(context: RecallContext, pool: Pool): Promise<Pool> {
  if (context.plan.isListing || context.settings.weights.neighbour === 0) return pool;
  const kept: Candidate[] = [];
  const keptOf = byQuestion(pool.kept);
  for (const asked of pool.asked) {
    for (const candidate of await lendAmong(context, asked, keptOf(asked))) kept.push(candidate);
  }
  return { ...pool, kept };
}

async function lendAmong(
  context: RecallContext,
  asked: RetrievedQuestion,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const { graph, memories, plan } = context;
  const inTalks = candidates.filter(({ reading }) => reading.talks.length > 0);
  if (inTalks.length === 0) return [...candidates];
  const seeds = bestOf(inTalks, BOUNDS.lendingCandidates);
  const keys = conversationTagKeys(seeds.map(({ memory }) => memory));
  const ids = seeds.map(({ memory }) => memory.id);
  const found = await graph.neighbours({
    ids,
    span: RANKING.neighbourSpan,
    maxGapMs: BOUNDS.conversationGapMs,
    ...(keys && { keys }),
  });
  const known = new Set(candidates.map(({ memory }) => memory.id));
  const read = await memories.read(found.map(({ id }) => id));
  const readings = [...seeds.map(({ reading }) => reading), ...read];
  const talks = new Map(readings.map(reading => [reading.memory.id, new Set(reading.talks)]));
  const bonds = found.filter(({ of, id }) => haveCommon(talks.get(of), talks.get(id)));
  const bonded = new Set(bonds.map(({ id }) => id));
  const failedPart = createFilterCheck(plan.filter);
  const added = read.filter(
    ({ memory }) => bonded.has(memory.id) && !known.has(memory.id) && failedPart(memory) === undefined,
  );
  const neighbours = await toCandidates(
    context,
    asked,
    added.map(each => ({ read: each, foundBy: ['neighbour'] as const })),
  );
  const all = [...candidates, ...neighbours];
  const lent = lentTo(asked.evidence, all, distinct(bonds));
  return all.map(candidate => {
    const ofOthers = lent.get(candidate.memory.id);
    return ofOthers ? { ...candidate, lent: ofOthers.lent, lenders: ofOthers.lenders } : candidate;
  });
}

function haveCommon(one: ReadonlySet<string> = NO_TALKS, other: ReadonlySet<string> = NO_TALKS): boolean {
  for (const talk of one) if (other.has(talk)) return true;
  return false;
}

const NO_TALKS: ReadonlySet<string> = new Set();

function bestOf(candidates: readonly Candidate[], count: number): Candidate[] {
  return [...candidates].sort((a, b) => b.score.total - a.score.total).slice(0, count);
}

/** Keeps each bond once. Two seeds that are neighbours of each other produce the same bond twice. */
function distinct(neighbours: readonly Neighbour[]): Neighbour[] {
  const seen = new Map<string, Set<string>>();
  return neighbours.filter(({ of, id }) => {
    if (seen.get(id)?.has(of)) return false;
    const ofSeed = seen.get(of);
    if (ofSeed) ofSeed.add(id);
    else seen.set(of, new Set([id]));
    return true;
  });
}

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
    // A reply covers the topic of its question and is the wanted answer, so it must not rank below the question.
    const share = distance === -1 && from.own.text.isQuestion ? 1 : RANKING.shareOfNeighbour;
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
    if (room === 0) continue;
    const amountOf = (bonded: readonly Bond[], talk?: TermPresence) =>
      room * (lexicalGain(evidence, candidate, { bonded, talk }) + meaningGain(candidate, bonded));
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

/** Share of the lent evidence that a memory keeps, 0..1. */
function roomFor({ own: { text } }: Candidate): number {
  if (text.length > RANKING.usualWords) return 0;
  return text.isQuestion ? RANKING.shareOfUnlikely : 1;
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
  if (talk) raise(presence, talk, RANKING.shareInTalk);
  return Math.max(0, coverage(evidence, presence) - own.coverage * own.damping);
}

/** The increase in closeness when the closeness of neighbours also counts, weighted by its share. */
function meaningGain({ own, asked }: Candidate, bonded: readonly Bond[]): number {
  const most = bonded.reduce((found, { from, share }) => Math.max(found, share * from.own.closeness), 0);
  return asked.meaningShare * Math.max(0, most - own.closeness);
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
 * `conversationGapMs` ends a conversation.
 */
function presenceOfTalks(candidates: readonly Candidate[]): Map<string, TermPresence> {
  const inOrder = [...candidates].sort((a, b) => a.reading.notedMs - b.reading.notedMs);
  const latest = new Map<string, { said: Candidate[]; notedMs: number }>();
  const episodes: Candidate[][] = [];
  for (const candidate of inOrder) {
    const { notedMs, talks } = candidate.reading;
    for (const talk of talks) {
      const before = latest.get(talk);
      const goesOn = before !== undefined && notedMs - before.notedMs <= BOUNDS.conversationGapMs;
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
