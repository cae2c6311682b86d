/** Finds the step that kept a memory out of an answer, from the candidates that the steps have dropped. */
import { memoryNotFound } from '../../domain/errors.js';
import type { DropReason, RecallQuery, WhyNotOutcome, WhyNotVerdict } from '../../domain/recall.js';
import { tagKey } from '../../domain/tags.js';
import type { RecallParts } from '../context.js';
import { failedFilterOf } from '../plan.js';
import { type Candidate, compareScores, isAdded, type RetrievedQuery } from '../pool.js';
import { toCandidates } from '../score/candidates.js';
import { isEvidence } from '../score/evidence.js';
import type { AnalyzedMemory } from '../score/text.js';
import { type RecallRun, runRecall } from '../steps.js';
import { explain, toScoredMemory } from './result.js';

/** @throws MemoryError `not_found` when the memory does not exist, `invalid` for an unreadable time expression */
export async function whyNot(parts: RecallParts, query: RecallQuery, id: string): Promise<WhyNotOutcome> {
  const run = await runRecall(parts, query);
  const { context, pool } = run;
  const [analyzed] = await context.memories.read([id]);
  if (!analyzed) throw memoryNotFound(id);
  const candidate = await candidateOf(run, analyzed);
  const considered = [...new Set(pool.considered.map(({ memory }) => memory.id))];
  const cutoff = pool.kept
    .filter(kept => !isAdded(kept))
    .sort(compareScores)
    .at(-1);
  const rank = considered.indexOf(id) + 1;
  return {
    query,
    scored: toScoredMemory(candidate, context),
    explanation: explain(candidate, context),
    verdict: await judge(run, candidate),
    ...(rank > 0 && { rank }),
    ...(cutoff && { cutoffScore: cutoff.score.total }),
  };
}

/**
 * The candidate as the steps left it. If the memory never became a candidate, a new candidate is built from the
 * memory's own words and vector.
 */
async function candidateOf({ context, pool }: RecallRun, analyzed: AnalyzedMemory): Promise<Candidate> {
  const { id } = analyzed.memory;
  const isIt = ({ memory }: Candidate) => memory.id === id;
  const met =
    pool.kept.find(isIt) ?? pool.dropped.findLast(dropped => dropped.id === id && dropped.candidate)?.candidate;
  if (met) return met;
  const [made] = await toCandidates(context, pool.queries[0] as RetrievedQuery, [{ analyzed, foundBy: [] }]);
  return made as Candidate;
}

async function judge(run: RecallRun, candidate: Candidate): Promise<WhyNotVerdict> {
  const { context, pool } = run;
  const { memory } = candidate;
  const place = pool.kept.findIndex(kept => kept.memory.id === memory.id);
  if (place >= 0) return { reason: 'returned', place: place + 1 };
  const last = pool.dropped.findLast(({ id }) => id === memory.id);
  // Do not check the filter for a memory that expansion has dropped, because expansion and the fallback also search
  // outside the tags.
  if (last?.step === 'expand') return last.reason;
  const filtered = failedFilterOf(context.plan.filter)(memory);
  if (filtered) return filtered;
  const dropped = reasonOf(run, memory.id);
  const expansion = await expansionReason(run, candidate);
  if (expansion && (!dropped || dropped.reason === 'noEvidence' || dropped.reason === 'rankedLater')) return expansion;
  return dropped ?? (await unmetReason(run, candidate));
}

/**
 * The reason of the last drop. With several questions, one question may have dropped the memory later than the others.
 */
function reasonOf({ pool }: RecallRun, id: string): DropReason | undefined {
  return pool.dropped.findLast(dropped => dropped.id === id)?.reason;
}

/** The reason why the answer lacks a memory that no channel found. */
async function unmetReason({ context, pool }: RecallRun, { memory, own, score }: Candidate): Promise<DropReason> {
  const { plan } = context;
  const successor = plan.isCurrentOnly && (await context.supersessions([memory.id])).get(memory.id);
  if (successor) return { reason: 'superseded', successorId: successor.head.id, relationType: successor.type };
  if (score.total < Math.max(plan.minScore, pool.floor ?? 0)) return { reason: 'belowThreshold' };
  if (plan.isListing) return { reason: 'listedLater', sort: plan.sort };
  return { reason: isEvidence(own) ? 'noCandidate' : 'noEvidence' };
}

/** Maximum number of edges examined. */
const EDGES_MAX = 10_000;

/**
 * The rule of expansion that kept a memory out. Undefined unless an edge or an entity connects the memory to a result.
 */
async function expansionReason({ context, pool }: RecallRun, { memory }: Candidate): Promise<DropReason | undefined> {
  const request = context.plan.request.expansion;
  if (memory.tags.some(tag => pool.entityKeys.includes(tagKey(tag)))) return { reason: 'behindOtherEntities' };
  if (!request?.relations) return undefined;
  const seeds = new Set(pool.seeds.map(seed => seed.memory.id));
  const edges = (await context.graph.relationsOf({ ids: [memory.id], limit: EDGES_MAX })).get(memory.id) ?? [];
  const strengths = edges
    .filter(({ from, to }) => seeds.has(from === memory.id ? to : from))
    .map(edge => edge.strength);
  if (strengths.length === 0) return undefined;
  const strength = Math.max(...strengths);
  if (strength < request.minStrength) return { reason: 'weakEdge', strength };
  return { reason: memory.importance < request.minImportance ? 'lowImportance' : 'behindOtherEdges' };
}
