/**
 * Step: memories of one conversation lend each other evidence. An answer often shares no word with its question,
 * because the words of the question occur in the message before the answer. Lent evidence is added to a memory's own
 * evidence and never lowers it.
 */
import { createFilterCheck } from '../../domain/filter.js';
import type { Neighbour } from '../../stores/ports/search-index.js';
import type { RecallContext } from '../context.js';
import { byQuestion, type Candidate, type Pool, type RetrievedQuestion } from '../pool.js';
import { BOUNDS, RANKING } from '../ranking-constants.js';
import { toCandidates } from './candidates.js';
import { conversationTagKeys } from './conversations.js';
import { lentTo } from './lent.js';

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
