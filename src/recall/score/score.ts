/**
 * Makes candidates and scores them. All candidates of a recall are made here, and each is scored by one function. The
 * total depends only on the components and the weights.
 */
import { partsOf } from '../../domain/collections.js';
import type { FoundBy, ScoreComponents } from '../../domain/recall.js';
import type { ScoreWeights } from '../../domain/settings.js';
import { MS_PER_DAY } from '../../domain/time.js';
import { inSteps } from '../../event-loop.js';
import { ANALYZED_AT_ONCE, type RecallContext } from '../context.js';
import { contextBonus } from '../language/hints.js';
import { failedFilterOf, isScoped } from '../plan.js';
import {
  type Candidate,
  type Dropped,
  dropWhere,
  inOrder,
  type Pool,
  type RetrievedQuery,
  type Score,
} from '../pool.js';
import { BOUNDS, RANKING, SPECIFIED } from '../ranking-constants.js';
import { measureSimilarities } from '../retrieve/vector.js';
import { type Evidence, evidenceOfWords, isEvidence } from './evidence.js';
import type { AnalyzedMemory } from './text.js';

function scoreOf({ plan, settings, nowMs }: RecallContext, candidate: Candidate): Score {
  const { weights } = settings;
  const { memory, accessedMs, query, own, propagated, recencyBonus, relation } = candidate;
  const share = isSaidByAnother(candidate) ? RANKING.shareOfUnlikely : 1;
  const components: ScoreComponents = {
    vector: own.cosine,
    keyword: own.keyword,
    exact: own.exact,
    importance: memory.importance,
    confidence: memory.confidence,
    recency: recency(accessedMs, nowMs),
    tag: own.tag,
    relation,
    // Give full relevance to a memory that decay has not processed.
    relevance: memory.relevance_score ?? 1,
    lexical: share * own.coverageOfFields ** RANKING.coveragePower,
    meaning: share * own.similarity * query.meaningShare,
    neighbour: share * propagated,
    context: recencyBonus + (plan.hints ? contextBonus(plan.hints, candidate) : 0),
    newer: 0,
    inherited: 0,
  };
  return { total: weightedSum(components, weights), components };
}

/** Raises the score to a higher total. The difference becomes the given component. */
export function raised({ total, components }: Score, component: 'newer' | 'inherited', to: number): Score {
  return { total: to, components: { ...components, [component]: components[component] + to - total } };
}

/** Whether the query names speakers, but not the speaker of this memory. */
export function isSaidByAnother({ query, own }: Pick<Candidate, 'query' | 'own'>): boolean {
  return own.speaker !== undefined && query.speakers.size > 0 && !query.speakers.has(own.speaker);
}

/**
 * The weighted components, in the order of addition. The order is fixed, so that the same parts always produce the same
 * total.
 */
const WEIGHTED = [
  'vector',
  'keyword',
  'exact',
  'importance',
  'confidence',
  'recency',
  'tag',
  'relation',
  'relevance',
  'lexical',
  'meaning',
  'neighbour',
] as const satisfies (keyof ScoreWeights)[];

/** The contribution of each component to the total. */
export function contributions(components: ScoreComponents, weights: ScoreWeights): ScoreComponents {
  const parts = { ...components };
  for (const name of WEIGHTED) parts[name] *= weights[name];
  return parts;
}

function weightedSum(components: ScoreComponents, weights: ScoreWeights): number {
  let total = components.context;
  for (const name of WEIGHTED) total += components[name] * weights[name];
  return total;
}

function recency(accessedMs: number, nowMs: number): number {
  const ageDays = (nowMs - accessedMs) / MS_PER_DAY;
  return Math.min(1, Math.max(0, 1 - ageDays / SPECIFIED.recencyDays));
}

export interface Origin {
  analyzed: AnalyzedMemory;
  foundBy: readonly FoundBy[];
  /** Strength of the edge or entity that connects the memory to a result, 0..1. */
  relation?: number;
}

/** Makes candidates, and scores them by their own evidence. */
export async function toCandidates(
  context: RecallContext,
  query: RetrievedQuery,
  origins: readonly Origin[],
): Promise<Candidate[]> {
  const evidence: Evidence[] = [];
  for await (const some of inSteps(partsOf(origins, ANALYZED_AT_ONCE)))
    for (const { analyzed } of some) evidence.push(evidenceOfWords(query.analysis, analyzed));
  const memories = origins.map(({ analyzed }) => analyzed.memory);
  // A listing by time reads many memories that match nothing. Of these, only hits of the vector search are compared.
  const compared = memories.filter(({ id }, index) => {
    const { coverage, tag } = evidence[index] as Evidence;
    return context.plan.order === 'score' || query.nearest.has(id) || coverage > 0 || tag > 0;
  });
  const similarities = await measureSimilarities(context, query, compared);
  return origins.map(({ analyzed, foundBy, relation = 0 }, index) => {
    const { memory, text, createdMs, accessedMs, conversations } = analyzed;
    return scored(context, {
      memory,
      text,
      createdMs,
      accessedMs,
      conversations,
      query,
      foundBy: [...foundBy],
      own: Object.assign(evidence[index] as Evidence, similarities.get(memory.id)),
      propagated: 0,
      sources: NO_SOURCES,
      recencyBonus: 0,
      relation,
      score: UNSCORED,
    });
  });
}

const NO_SOURCES = () => [];
const UNSCORED: Score = { total: 0, components: {} as ScoreComponents };

/** Sets the score of the candidate itself, which belongs to this recall alone. */
function scored(context: RecallContext, candidate: Candidate): Candidate {
  candidate.score = scoreOf(context, candidate);
  return candidate;
}

export async function hydrate(context: RecallContext, pool: Pool): Promise<Pool> {
  const { memories, plan } = context;
  const kept: Candidate[] = [];
  const dropped: Dropped[] = [];
  const failed = failedFilterOf(plan.filter);
  for (const query of pool.queries) {
    const origins: Origin[] = [];
    for (const analyzed of await memories.read(query.foundBy.keys())) {
      const { id } = analyzed.memory;
      // Check the filter on the records of the graph, because an index may be out of date.
      const reason = failed(analyzed.memory);
      if (reason) dropped.push({ id, step: 'hydrate', reason });
      else origins.push({ analyzed, foundBy: query.foundBy.get(id) ?? [] });
    }
    const candidates = await toCandidates(context, query, origins);
    query.meaningShare = meaningShareOf(candidates);
    query.speakers = speakersNamed(query, candidates);
    for (const candidate of candidates) kept.push(scored(context, candidate));
  }
  return { ...pool, kept, dropped: [...pool.dropped, ...dropped] };
}

/**
 * Weight of the similarity in meaning: the share of the query that the words of the best memory leave open. When the
 * words of a memory answer the query, similarity adds noise. When no words match, it is the only evidence.
 */
function meaningShareOf(candidates: readonly Candidate[]): number {
  return 1 - candidates.reduce((most, { own }) => Math.max(most, own.coverageOfFields), 0);
}

/**
 * The names in the query that are speakers. A capitalized word may also be a place or a month, so it counts as a name
 * only when a speaker has that name.
 */
function speakersNamed({ analysis }: RetrievedQuery, candidates: readonly Candidate[]): ReadonlySet<string> {
  const speakers = candidates.flatMap(({ own }) => own.speaker ?? []);
  return new Set(speakers.filter(speaker => analysis.names.has(speaker)));
}

export function score(context: RecallContext, pool: Pool): Pool {
  const { plan } = context;
  const times = pool.kept.map(({ createdMs }) => createdMs);
  const bonuses = plan.hasRecencyBias && !plan.isListing ? recencyBonuses(times, BOUNDS.recencyBonus) : [];
  for (const [index, candidate] of pool.kept.entries()) {
    candidate.recencyBonus = bonuses[index] ?? 0;
    scored(context, candidate);
  }
  const matching = dropWhere(pool, 'score', candidate =>
    plan.isListing || isCandidate(context, candidate) ? undefined : { reason: 'noEvidence' },
  );
  const kept = inOrder(matching.kept, plan.order);
  return { ...matching, kept, considered: kept };
}

/**
 * Whether a memory matches the query. Retrieval also returns memories that do not match: even the nearest vector may
 * be far away, and the newest memory may be unrelated to the query.
 */
function isCandidate({ plan }: RecallContext, { own, propagated, foundBy }: Candidate): boolean {
  if (foundBy.includes('priority')) return true;
  // In an order of time, a weak match may come first, so ignore a similarity that may be due to chance.
  if (plan.order !== 'score') return own.coverage > 0 || own.tag > 0 || own.similarity >= BOUNDS.similarityInTime;
  // Accept every candidate if the caller gives tags or a time. The caller then wants all memories with these tags or
  // from this time, best first.
  return isEvidence(own) || propagated > 0 || isScoped(plan);
}

/** The bonuses by creation time, from 0 for the oldest memory to `weight` for the newest. */
export function recencyBonuses(times: readonly number[], weight: number): number[] {
  const oldest = times.reduce((least, time) => Math.min(least, time), Infinity);
  const span = times.reduce((most, time) => Math.max(most, time), -Infinity) - oldest;
  return times.map(time => (span > 0 ? weight * ((time - oldest) / span) : 0));
}
