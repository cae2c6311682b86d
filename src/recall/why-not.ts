/** Which filter or rank kept a memory out of an answer, asked of the same steps that make the answer. */
import type { WhyNotAnswer } from '../domain/answers.js';
import { memoryNotFound } from '../domain/errors.js';
import { invalidityAt, type MemoryFilter, passesFilter } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { RecallQuery } from '../domain/recall-query.js';
import { tagKey } from '../domain/tags.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { Scored } from './candidate.js';
import { explain, round } from './explain.js';
import { bestFirst, isAdded } from './order.js';
import { planRecall, type RecallPlan } from './plan.js';
import { type RecallRun, runRecall } from './run.js';
import { hasEvidence, type RecallParts, scoreFound } from './search.js';
import { withinBudget } from './shown.js';
import { supersessionFinder } from './state.js';

type Verdict = Pick<WhyNotAnswer, 'reason' | 'message'>;

/** @throws MemoryError `not_found` when there is no such memory, `invalid` for a time expression that cannot be read */
export async function whyNot(parts: RecallParts, query: RecallQuery, id: string): Promise<WhyNotAnswer> {
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
    status: 'success',
    id,
    query: query.query ?? '',
    returned: verdict.reason === 'returned',
    ...(rank > 0 && { rank }),
    ...verdict,
    final_score: round(scored.score.total),
    ...(cutoff && { cutoff_score: round(cutoff.score.total) }),
    explanation: explain(scored),
  };
}

interface Case {
  memory: Memory;
  plan: RecallPlan;
  run: RecallRun;
  scored: Scored;
}

async function judge({ graph, clock }: RecallParts, asked: Case): Promise<Verdict> {
  const { memory, plan, run, scored } = asked;
  const { id } = memory;
  const place = withinBudget(plan, run).shown.indexOf(scored);
  if (place >= 0) return { reason: 'returned', message: `It is returned, as result ${place + 1}.` };
  if (run.results.includes(scored)) {
    return { reason: 'ranked_too_low', message: 'It does not fit behind better ones; raise max_tokens.' };
  }
  const filtered = failedFilter(memory, plan.filter);
  if (filtered) return filtered;
  const successor = plan.isCurrentOnly && (await supersessionFinder(graph, clock.nowMs())([id])).get(id);
  if (successor) {
    return {
      reason: 'superseded',
      message: `Memory ${successor.head.id} has taken its place (${successor.type}); state_mode=history shows both.`,
    };
  }
  const twin = run.results.find(({ duplicates }) => duplicates?.includes(id));
  if (twin) {
    return {
      reason: 'duplicate',
      message: `Memory ${twin.candidate.memory.id} has the same text and tags and stands for it.`,
    };
  }
  if (run.dropped.includes(scored)) return belowThreshold(scored);
  return (await expansionVerdict(graph, asked)) ?? rankVerdict(asked);
}

/** Most edges of the seeds looked through. */
const EDGES_MAX = 10_000;

/** Where an edge leads to it from a result: which rule of expansion kept it out. */
async function expansionVerdict(graph: GraphStore, { memory, plan, run }: Case): Promise<Verdict | undefined> {
  const request = plan.query.expansion;
  const verdict = (message: string): Verdict => ({ reason: 'kept_out_of_expansion', message });
  if (memory.tags.some(tag => run.entityKeys.includes(tagKey(tag)))) {
    return verdict('An entity leads to it; see expand_min_importance, or raise expansion_limit.');
  }
  if (!request?.relations) return undefined;
  const ids = run.seeds.map(({ candidate }) => candidate.memory.id);
  const edges = [...(await graph.relationsOf({ ids, limit: EDGES_MAX })).values()].flat();
  const strengths = edges.filter(({ from, to }) => from === memory.id || to === memory.id).map(edge => edge.strength);
  if (strengths.length === 0) return undefined;
  const strength = Math.max(...strengths);
  if (strength < request.minStrength) {
    return verdict(`Its edge to a result has strength ${strength}, under expand_min_strength.`);
  }
  if (memory.importance < request.minImportance) {
    return verdict(`Its importance, ${memory.importance}, is under expand_min_importance.`);
  }
  return verdict('An edge leads to it, but others come first; raise relation_limit or expansion_limit.');
}

function belowThreshold({ score }: Scored): Verdict {
  return { reason: 'below_threshold', message: `Its score ${round(score.total)} is below the threshold.` };
}

function rankVerdict({ memory, plan, run, scored }: Case): Verdict {
  const rank = run.considered.findIndex(({ candidate }) => candidate.memory.id === memory.id);
  if (scored.score.total < Math.max(plan.minScore, run.floor ?? 0)) return belowThreshold(scored);
  if (rank < 0) {
    if (plan.questions.length === 0) {
      return { reason: 'ranked_too_low', message: `Others come first in the order ${plan.sort}; raise limit.` };
    }
    return hasEvidence(scored)
      ? {
          reason: 'ranked_too_low',
          message: 'Too many others match at least as well; raise limit, or ask more precisely.',
        }
      : { reason: 'no_evidence', message: 'Neither its words, nor its meaning, nor its neighbours in time led to it.' };
  }
  return {
    reason: 'ranked_too_low',
    message: `It is number ${rank + 1} of ${run.considered.length} candidates; raise limit, or ask in words that it has.`,
  };
}

/** The first part of the filter that the memory fails. */
function failedFilter(memory: Memory, filter: MemoryFilter): Verdict | undefined {
  const { tags, excludedTagKeys, fromMs, toMs, validAtMs } = filter;
  const fails = (part: MemoryFilter) => !passesFilter(memory, part);
  if (tags && fails({ tags })) {
    return {
      reason: 'filtered_by_tags',
      message: `It does not have ${tags.mode} of the tags ${tags.keys.join(', ')}.`,
    };
  }
  if (excludedTagKeys && fails({ excludedTagKeys })) {
    return { reason: 'filtered_by_excluded_tags', message: 'It has a tag that exclude_tags leaves out.' };
  }
  if (fails({ ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) })) {
    return { reason: 'filtered_by_time', message: `It was created at ${memory.timestamp}, outside the time window.` };
  }
  if (validAtMs === undefined || !fails({ validAtMs })) return undefined;
  const reason = invalidityAt(memory, validAtMs);
  if (reason === 'not_yet_valid') return { reason, message: `It holds only from ${memory.t_valid} on.` };
  if (reason === 'archived') return { reason, message: 'It is archived; state_mode=history shows it.' };
  return { reason: 'expired', message: `It no longer holds since ${memory.t_invalid}; state_mode=history shows it.` };
}
