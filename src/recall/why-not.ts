/** Which filter or rank kept a memory out of an answer, asked of the same steps that make the answer. */
import type { WhyNotAnswer } from '../domain/answers.js';
import { memoryNotFound } from '../domain/errors.js';
import { type MemoryFilter, passesFilter } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { RecallQuery } from '../domain/recall-query.js';
import { withinTokenBudget } from './budget.js';
import { explain, round } from './explain.js';
import { planRecall, type RecallPlan } from './plan.js';
import { type RecallRun, runRecall } from './run.js';
import { type RecallParts, scoreFound } from './search.js';
import { findSupersessions } from './state.js';

type Verdict = Pick<WhyNotAnswer, 'reason' | 'message'>;

/** @throws MemoryError `not_found` when there is no such memory, `invalid` for a time expression that cannot be read */
export async function whyNot(parts: RecallParts, query: RecallQuery, id: string): Promise<WhyNotAnswer> {
  const memory = (await parts.graph.getMemories([id])).get(id);
  if (!memory) throw memoryNotFound(id);
  const plan = planRecall(query, parts.settings, parts.clock.nowMs());
  const run = await runRecall(parts, plan);
  const verdict = await judge(parts, { memory, plan, run });
  const rules = run.rulesOf(id);
  const isIt = ({ candidate }: { candidate: { memory: Memory } }) => candidate.memory.id === id;
  const scored = run.results.find(isIt) ?? run.considered.find(isIt) ?? scoreFound(memory, { foundBy: [] }, rules);
  const rank = run.considered.findIndex(isIt) + 1;
  const cutoff = run.results.findLast(({ from, entity, isOutsideTagScope }) => !from && !entity && !isOutsideTagScope);
  return {
    status: 'success',
    id,
    query: query.query ?? '',
    returned: verdict.reason === 'returned',
    ...(rank > 0 && { rank }),
    ...verdict,
    final_score: round(scored.score.total),
    ...(cutoff && { cutoff_score: round(cutoff.score.total) }),
    explanation: explain(scored, rules),
  };
}

interface Case {
  memory: Memory;
  plan: RecallPlan;
  run: RecallRun;
}

async function judge({ graph, clock }: RecallParts, { memory, plan, run }: Case): Promise<Verdict> {
  const { id } = memory;
  const place = run.results.findIndex(({ candidate }) => candidate.memory.id === id);
  if (place >= withinTokenBudget(run.results, plan.query.max_tokens).kept.length) {
    return { reason: 'ranked_too_low', message: `As result ${place + 1} it does not fit; raise max_tokens.` };
  }
  if (place >= 0) return { reason: 'returned', message: `It is returned, as result ${place + 1}.` };
  const filtered = failedFilter(memory, plan.filter);
  if (filtered) return filtered;
  const successor = plan.isCurrentOnly && (await findSupersessions(graph, [id], clock.nowMs())).get(id);
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
  return rankVerdict(id, plan, run);
}

function rankVerdict(id: string, plan: RecallPlan, run: RecallRun): Verdict {
  const rank = run.considered.findIndex(({ candidate }) => candidate.memory.id === id);
  const score = run.considered[rank]?.score.total;
  if (score === undefined) {
    return plan.questions.length === 0
      ? { reason: 'ranked_too_low', message: `Others come first in the order ${plan.sort}; raise limit.` }
      : { reason: 'no_evidence', message: 'Neither its words, nor its meaning, nor its neighbours in time led to it.' };
  }
  if (score < Math.max(plan.minScore, run.floor ?? 0)) {
    return { reason: 'below_threshold', message: `Its score ${round(score)} is below the threshold.` };
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
  if (memory.archived) return { reason: 'archived', message: 'It is archived; state_mode=history shows it.' };
  return memory.t_valid !== undefined && Date.parse(memory.t_valid) > validAtMs
    ? { reason: 'not_yet_valid', message: `It holds only from ${memory.t_valid} on.` }
    : { reason: 'expired', message: `It no longer holds since ${memory.t_invalid}; state_mode=history shows it.` };
}
