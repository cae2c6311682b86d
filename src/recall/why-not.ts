/** Which filter or rank kept a memory out of an answer, asked of the same steps that make the answer. */
import { memoryNotFound } from '../domain/errors.js';
import { invalidityAt, type MemoryFilter, passesFilter } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { RecallQuery } from '../domain/recall-query.js';
import { tagKey } from '../domain/tags.js';
import type { WhyNotOutcome, WhyNotVerdict } from '../domain/why-not.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { Scored } from './candidate.js';
import { explain } from './explain.js';
import { bestFirst, isAdded } from './order.js';
import { planRecall, type RecallPlan } from './plan.js';
import { toScoredMemory } from './result.js';
import { type RecallRun, runRecall } from './run.js';
import { hasEvidence, type RecallParts, scoreFound } from './search.js';
import { withinBudget } from './shown.js';
import { supersessionFinder } from './state.js';

/** @throws MemoryError `not_found` when there is no such memory, `invalid` for a time expression that cannot be read */
export async function whyNot(parts: RecallParts, query: RecallQuery, id: string): Promise<WhyNotOutcome> {
  const memory = (await parts.graph.getMemories([id])).get(id);
  if (!memory) throw memoryNotFound(id);
  const plan = await planRecall(query, parts.settings, parts.clock.nowMs());
  const run = await runRecall(parts, plan);
  const isIt = ({ candidate }: { candidate: { memory: Memory } }) => candidate.memory.id === id;
  const scored =
    run.results.find(isIt) ??
    run.dropped.find(isIt) ??
    run.considered.find(isIt) ??
    scoreFound(memory, { foundBy: [] }, run.rules);
  const verdict = await judge(parts, { memory, plan, run, scored });
  const rank = run.considered.findIndex(isIt) + 1;
  const cutoff = bestFirst(run.results.filter(result => !isAdded(result))).at(-1);
  return {
    query,
    scored: toScoredMemory(scored),
    explanation: explain(scored),
    verdict,
    ...(rank > 0 && { rank }),
    ...(cutoff && { cutoffScore: cutoff.score.total }),
  };
}

interface Case {
  memory: Memory;
  plan: RecallPlan;
  run: RecallRun;
  scored: Scored;
}

async function judge({ graph, clock }: RecallParts, asked: Case): Promise<WhyNotVerdict> {
  const { memory, plan, run, scored } = asked;
  const { id } = memory;
  const place = withinBudget(plan, run).shown.indexOf(scored);
  if (place >= 0) return { reason: 'returned', place: place + 1 };
  if (run.results.includes(scored)) return { reason: 'overBudget' };
  const filtered = failedFilter(memory, plan.filter);
  if (filtered) return filtered;
  const successor = plan.isCurrentOnly && (await supersessionFinder(graph, clock.nowMs())([id])).get(id);
  if (successor) return { reason: 'superseded', successorId: successor.head.id, relationType: successor.type };
  const twin = run.results.find(({ duplicates }) => duplicates?.includes(id));
  if (twin) return { reason: 'duplicate', twinId: twin.candidate.memory.id };
  if (run.dropped.includes(scored)) return { reason: 'belowThreshold' };
  return (await expansionVerdict(graph, asked)) ?? rankVerdict(asked);
}

/** Most edges of the seeds looked through. */
const EDGES_MAX = 10_000;

/** Where an edge leads to it from a result: which rule of expansion kept it out. */
async function expansionVerdict(graph: GraphStore, { memory, plan, run }: Case): Promise<WhyNotVerdict | undefined> {
  const request = plan.query.expansion;
  if (memory.tags.some(tag => run.entityKeys.includes(tagKey(tag)))) return { reason: 'behindOtherEntities' };
  if (!request?.relations) return undefined;
  const ids = run.seeds.map(({ candidate }) => candidate.memory.id);
  const edges = [...(await graph.relationsOf({ ids, limit: EDGES_MAX })).values()].flat();
  const strengths = edges.filter(({ from, to }) => from === memory.id || to === memory.id).map(edge => edge.strength);
  if (strengths.length === 0) return undefined;
  const strength = Math.max(...strengths);
  if (strength < request.minStrength) return { reason: 'weakEdge', strength };
  return { reason: memory.importance < request.minImportance ? 'lowImportance' : 'behindOtherEdges' };
}

function rankVerdict({ plan, run, scored }: Case): WhyNotVerdict {
  if (scored.score.total < Math.max(plan.minScore, run.floor ?? 0)) return { reason: 'belowThreshold' };
  const { id } = scored.candidate.memory;
  const isCandidate = run.considered.some(({ candidate }) => candidate.memory.id === id);
  if (isCandidate) return { reason: 'rankedLater', candidateCount: run.considered.length };
  if (plan.questions.length === 0) return { reason: 'listedLater', sort: plan.sort };
  return { reason: hasEvidence(scored) ? 'noCandidate' : 'noEvidence' };
}

/** The first part of the filter that the memory fails. */
function failedFilter(memory: Memory, filter: MemoryFilter): WhyNotVerdict | undefined {
  const { tags, excludedTagKeys, fromMs, toMs, validAtMs } = filter;
  const fails = (part: MemoryFilter) => !passesFilter(memory, part);
  if (tags && fails({ tags })) return { reason: 'filteredByTags', tagKeys: tags.keys };
  if (excludedTagKeys && fails({ excludedTagKeys })) return { reason: 'filteredByExcludedTags' };
  if (fails({ ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) })) {
    return { reason: 'filteredByTime' };
  }
  const invalidity = validAtMs === undefined ? undefined : invalidityAt(memory, validAtMs);
  return invalidity && { reason: invalidity };
}
