/**
 * Step: evidence is propagated among memories of one conversation. An answer often shares no word with its query,
 * because the words of the query occur in the message before the answer. Propagated evidence is added to a memory's own
 * evidence and never lowers it.
 */
import { conversationTagKeys } from '../../domain/conversation.js';
import { createFilterCheck } from '../../domain/filter.js';
import type { PropagatedEvidence } from '../../domain/recall.js';
import type { Neighbour } from '../../stores/ports/search-index.js';
import type { RecallContext } from '../context.js';
import { byQuery, type Candidate, type Pool, type RetrievedQuery } from '../pool.js';
import { BOUNDS, RANKING } from '../ranking-constants.js';
import type { AnalyzedQuery } from './analyzed-query.js';
import { coverage, type TermPresence } from './evidence.js';
import { toCandidates } from './score.js';

export async function propagate(context: RecallContext, pool: Pool): Promise<Pool> {
  if (context.plan.isListing || context.settings.weights.neighbour === 0) return pool;
  const kept: Candidate[] = [];
  for (const [query, candidates] of byQuery(pool, pool.kept)) {
    kept.push(...(await propagateAmong(context, query, candidates)));
  }
  return { ...pool, kept };
}

async function propagateAmong(
  context: RecallContext,
  query: RetrievedQuery,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const seeds = candidates
    .filter(({ conversations }) => conversations.length > 0)
    .sort((a, b) => b.score.total - a.score.total)
    .slice(0, BOUNDS.propagatingCandidates);
  if (seeds.length === 0) return candidates;
  const { graph, memories, plan } = context;
  const keys = conversationTagKeys(seeds.map(({ memory }) => memory));
  const pairs = await graph.neighbours({
    ids: seeds.map(({ memory }) => memory.id),
    span: RANKING.neighbourSpan,
    maxGapMs: BOUNDS.conversationGapMs,
    ...(keys && { keys }),
  });
  const read = await memories.read(pairs.map(({ id }) => id));
  const conversations = new Map([...seeds, ...read].map(each => [each.memory.id, each.conversations]));
  const joined = pairs.filter(({ of, id }) =>
    conversations.get(of)?.some(each => conversations.get(id)?.includes(each)),
  );
  const known = new Set(candidates.map(({ memory }) => memory.id));
  const wanted = new Set(joined.map(({ id }) => id).filter(id => !known.has(id)));
  const failedPart = createFilterCheck(plan.filter);
  const added = read.filter(({ memory }) => wanted.has(memory.id) && failedPart(memory) === undefined);
  const neighbours = await toCandidates(
    context,
    query,
    added.map(analyzed => ({ analyzed, foundBy: ['neighbour'] as const })),
  );
  const all = [...candidates, ...neighbours];
  const propagated = propagatedTo(query.analysis, all, joined);
  return all.map(candidate => Object.assign(candidate, propagated.get(candidate.memory.id)));
}

interface Link {
  from: Candidate;
  /** Share of its evidence that is propagated. */
  share: number;
}

/** @param pairs neighbours in the same conversation */
export function propagatedTo(
  query: AnalyzedQuery,
  candidates: readonly Candidate[],
  pairs: readonly Neighbour[],
): Map<string, Pick<Candidate, 'propagated' | 'sources'>> {
  const linksTo = linksOf(candidates, pairs);
  const ofConversations = presenceInConversations(candidates);
  const found = new Map<string, Pick<Candidate, 'propagated' | 'sources'>>();
  for (const candidate of candidates) {
    const { id } = candidate.memory;
    const links = linksTo.get(id) ?? [];
    const share = shareKept(candidate);
    const amountFrom = (some: readonly Link[], conversation?: TermPresence) =>
      Math.min(
        1,
        share * (coverageGain(query, candidate, { links: some, conversation }) + similarityGain(candidate, some)),
      );
    const propagated = share === 0 ? 0 : amountFrom(links, ofConversations.get(id));
    if (propagated > 0) found.set(id, { propagated, sources: () => rankedSources(links, amountFrom) });
  }
  return found;
}

/** The links to each memory. Two seeds that are neighbours of each other yield the same pair twice. */
function linksOf(candidates: readonly Candidate[], pairs: readonly Neighbour[]): Map<string, Link[]> {
  const byId = new Map(candidates.map(candidate => [candidate.memory.id, candidate]));
  const linksTo = new Map<string, Link[]>();
  const link = (toId: string, fromId: string, distance: number) => {
    const from = byId.get(fromId);
    const links = linksTo.get(toId) ?? [];
    if (!from || !byId.has(toId) || links.some(each => each.from === from)) return;
    // A reply covers the topic of its question and is the wanted answer, so it must not rank below the question.
    const share = distance === -1 && from.text.isQuestion ? 1 : RANKING.shareOfNeighbour;
    linksTo.set(toId, [...links, { from, share }]);
  };
  for (const { of, id, distance } of pairs) {
    link(of, id, distance);
    link(id, of, -distance);
  }
  return linksTo;
}

function rankedSources(links: readonly Link[], amountFrom: (some: readonly Link[]) => number): PropagatedEvidence[] {
  return links
    .map(link => ({ id: link.from.memory.id, amount: amountFrom([link]) }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount);
}

/** Share of the propagated evidence that a memory keeps, 0..1. */
function shareKept({ text }: Candidate): number {
  if (text.words.length > RANKING.usualWords) return 0;
  return text.isQuestion ? RANKING.shareOfUnlikely : 1;
}

/**
 * The increase in coverage when the words of neighbours and of the conversation also count, each weighted by its
 * share.
 */
function coverageGain(
  query: AnalyzedQuery,
  { own }: Candidate,
  { links, conversation }: { links: readonly Link[]; conversation: TermPresence | undefined },
): number {
  const presence = own.presence.map(present => present * own.damping);
  for (const { from, share } of links) raise(presence, from.own.presence, from.own.damping * share);
  if (conversation) raise(presence, conversation, RANKING.shareInConversation);
  return Math.max(0, coverage(query, presence) - own.coverage * own.damping);
}

/** The increase in similarity when the similarity of neighbours also counts, weighted by its share. */
function similarityGain({ own, query }: Candidate, links: readonly Link[]): number {
  const most = links.reduce((found, { from, share }) => Math.max(found, share * from.own.similarity), 0);
  return query.meaningShare * Math.max(0, most - own.similarity);
}

/** Raises the value of each term in `presence` to at least `share` of its value in `other`. */
function raise(presence: number[], other: TermPresence, share: number): void {
  for (const [index, present] of presence.entries()) presence[index] = Math.max(present, (other[index] ?? 0) * share);
}

/**
 * For each memory, the presence of the terms in all candidates of its conversations together. A pause longer than
 * `conversationGapMs` ends a conversation.
 */
function presenceInConversations(candidates: readonly Candidate[]): Map<string, TermPresence> {
  const latest = new Map<string, Candidate[]>();
  const episodes: Candidate[][] = [];
  for (const candidate of [...candidates].sort((a, b) => a.createdMs - b.createdMs)) {
    for (const conversation of candidate.conversations) {
      const before = latest.get(conversation);
      const lastMs = before?.at(-1)?.createdMs ?? -Infinity;
      if (before && candidate.createdMs - lastMs <= BOUNDS.conversationGapMs) before.push(candidate);
      else {
        const episode = [candidate];
        episodes.push(episode);
        latest.set(conversation, episode);
      }
    }
  }
  const found = new Map<string, TermPresence>();
  for (const episode of episodes) {
    if (episode.length < 2) continue;
    const together = new Array<number>(episode[0]?.own.presence.length ?? 0).fill(0);
    for (const { own } of episode) raise(together, own.presence, own.damping);
    for (const { memory } of episode) {
      const all = [...together];
      raise(all, found.get(memory.id) ?? [], 1);
      found.set(memory.id, all);
    }
  }
  return found;
}
