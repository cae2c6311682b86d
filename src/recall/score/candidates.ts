/** Builds and scores candidates. All candidates of a recall are made here. */
import type { FoundBy, ScoreComponents } from '../../domain/recall.js';
import { inSteps } from '../../event-loop.js';
import type { RecallContext } from '../context.js';
import { failedFilterOf, isScoped } from '../plan.js';
import {
  byQuestion,
  type Candidate,
  type Dropped,
  dropWhere,
  type Hit,
  inOrder,
  type Pool,
  type RetrievedQuestion,
} from '../pool.js';
import { BOUNDS } from '../ranking-constants.js';
import { measuredSimilarities } from '../retrieve/vector.js';
import { isEvidence, ownEvidence } from './own-evidence.js';
import { scoreOf } from './score.js';
import type { Reading } from './text-cache.js';

export interface Origin {
  read: Reading;
  foundBy: readonly FoundBy[];
  /** Strength of the edge or entity that connects the memory to a result, 0..1. */
  relation?: number;
}

/**
 * Scores a candidate by its current evidence. Changes the candidate itself, so the caller must pass a candidate that it
 * has just created.
 */
function scored(context: RecallContext, candidate: Candidate): Candidate {
  candidate.score = scoreOf(context, candidate);
  return candidate;
}

const NO_LENDERS = () => [];
const UNSCORED = { total: 0, components: {} as ScoreComponents };

/** Builds candidates, and scores them by their own evidence. */
export async function toCandidates(
  context: RecallContext,
  asked: RetrievedQuestion,
  origins: readonly Origin[],
): Promise<Candidate[]> {
  const compared = origins.filter(({ read }) => isCompared(context, asked, read)).map(({ read }) => read.memory);
  const similarityOf = await measuredSimilarities(context, asked, compared);
  const candidates: Candidate[] = [];
  for await (const { read, foundBy, relation = 0 } of inSteps(origins)) {
    const { memory } = read;
    const candidate = scored(context, {
      memory,
      reading: read,
      asked,
      foundBy: [...foundBy],
      own: ownEvidence(asked.compareWords(read), similarityOf(memory)),
      lent: 0,
      lenders: NO_LENDERS,
      bonus: 0,
      relation,
      score: UNSCORED,
    });
    candidates.push(candidate);
  }
  return candidates;
}

/**
 * Whether the vector of a memory is compared. A listing by time reads many memories that match nothing, so of these only
 * the hits of the vector search are compared.
 */
function isCompared({ plan }: RecallContext, asked: RetrievedQuestion, read: Reading): boolean {
  if (plan.order === 'score' || asked.nearest?.byId.has(read.memory.id)) return true;
  const { coverage, tag } = asked.compareWords(read);
  return coverage > 0 || tag > 0;
}

export async function hydrate(context: RecallContext, pool: Pool): Promise<Pool> {
  const { memories, plan } = context;
  const questions: RetrievedQuestion[] = [];
  const kept: Candidate[] = [];
  const dropped: Dropped[] = [];
  const failed = failedFilterOf(plan.filter);
  const hitsOf = byQuestion(pool.hits);
  for (const asked of pool.asked) {
    const foundBy = foundByOf(hitsOf(asked));
    const origins: Origin[] = [];
    for (const each of await memories.read(foundBy.keys())) {
      const { id } = each.memory;
      // Check the filter on the records of the graph, because an index may be out of date.
      const reason = failed(each.memory);
      if (reason) dropped.push({ id, step: 'hydrate', reason });
      else origins.push({ read: each, foundBy: foundBy.get(id) ?? [] });
    }
    const candidates = await toCandidates(context, asked, origins);
    const meaningShare = meaningShareOf(candidates);
    const speakers = speakersNamed(asked, candidates);
    const isSame = meaningShare === asked.meaningShare && speakers.size === 0;
    const heard = isSame ? asked : { ...asked, meaningShare, speakers };
    questions.push(heard);
    for (const candidate of candidates) {
      kept.push(isSame ? candidate : scored(context, { ...candidate, asked: heard }));
    }
  }
  return { ...pool, asked: questions, kept, dropped: [...pool.dropped, ...dropped] };
}

/**
 * Weight of closeness in meaning: the share of the question that the words of the best memory leave open. When the words
 * of a memory answer the question, closeness adds noise. When no words match, closeness is the only evidence.
 */
function meaningShareOf(candidates: readonly Candidate[]): number {
  return 1 - candidates.reduce((most, { own }) => Math.max(most, own.coverageOfFields), 0);
}

/**
 * The names in the question that are speakers. A capitalised word may also be a place or a month, so it counts as a
 * name only when a speaker has that name.
 */
function speakersNamed({ evidence }: RetrievedQuestion, candidates: readonly Candidate[]): ReadonlySet<string> {
  const speakers = candidates.flatMap(({ own }) => own.speaker ?? []);
  return new Set(speakers.filter(speaker => evidence.names.has(speaker)));
}

function foundByOf(hits: readonly Hit[]): Map<string, FoundBy[]> {
  const found = new Map<string, FoundBy[]>();
  for (const hit of hits) {
    const known = found.get(hit.id);
    if (!known) found.set(hit.id, [hit.foundBy]);
    else if (!known.includes(hit.foundBy)) known.push(hit.foundBy);
  }
  return found;
}

export function score(context: RecallContext, pool: Pool): Pool {
  const { plan } = context;
  const times = pool.kept.map(({ reading }) => reading.notedMs);
  const bonuses = plan.hasRecencyBias && !plan.isListing ? recencyBonuses(times, BOUNDS.recencyBonus) : [];
  const withBonus = pool.kept.map((candidate, index) => {
    const bonus = bonuses[index] ?? 0;
    return bonus === 0 && candidate.lent === 0 ? candidate : scored(context, { ...candidate, bonus });
  });
  const matching = dropWhere({ ...pool, kept: withBonus }, 'score', candidate =>
    plan.isListing || isCandidate(context, candidate) ? undefined : { reason: 'noEvidence' },
  );
  const kept = inOrder(matching.kept, plan.order);
  return { ...matching, kept, considered: kept };
}

/**
 * Whether a memory matches the question. Retrieval also returns memories that do not match: even the nearest vector may
 * be far away, and the newest memory may be unrelated to the question.
 */
function isCandidate({ plan }: RecallContext, { own, lent, foundBy }: Candidate): boolean {
  if (foundBy.includes('priority')) return true;
  // In an order of time, a weak match may come first, so ignore a similarity that may be due to chance.
  if (plan.order !== 'score') return own.coverage > 0 || own.tag > 0 || own.closeness >= BOUNDS.closenessInTime;
  // Accept every candidate if the caller gives tags or a time. The caller then wants all memories with these tags or
  // from this time, best first.
  return isEvidence(own) || lent > 0 || isScoped(plan);
}

/** The bonuses by creation time, from 0 for the oldest memory to `weight` for the newest. */
export function recencyBonuses(times: readonly number[], weight: number): number[] {
  const oldest = times.reduce((least, time) => Math.min(least, time), Infinity);
  const span = times.reduce((most, time) => Math.max(most, time), -Infinity) - oldest;
  return times.map(time => (span > 0 ? weight * ((time - oldest) / span) : 0));
}
