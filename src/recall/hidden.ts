/**
 * How many memories the filters of a recall hide, told where it finds next to nothing: who asks learns which filter to
 * leave out. It costs one more search for each kind of filter, side by side, and only of the first question.
 */
import { invalidityAt, type MemoryFilter, passesFilter } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { HiddenCounts } from '../domain/recall-results.js';
import { isAdded, preferenceOrder } from './order.js';
import { pick } from './pick.js';
import type { RecallPlan } from './plan.js';
import { list, type RecallRun } from './run.js';
import { hasEvidence, type RecallParts, search } from './search.js';
import { supersessionFinder } from './state.js';

/** Nobody needs to know more exactly. */
const COUNTED_MAX = 20;

/** With so many results the filters did not hide the answer, and the further searches would cost more than the recall. */
const ENOUGH = 3;

/** A part of the filter that a caller may leave out. */
interface Part {
  name: 'tags' | 'excludedTags' | 'time';
  filter: MemoryFilter;
}

/** @returns undefined where enough was found */
export async function countHidden(
  parts: RecallParts,
  plan: RecallPlan,
  run: RecallRun,
): Promise<HiddenCounts | undefined> {
  const { validAtMs } = plan.filter;
  const statedParts = partsOf(plan);
  const found = run.results.filter(scored => !isAdded(scored)).length;
  if (found >= Math.min(wanted(plan), ENOUGH) || (found > 0 && statedParts.length === 0)) return undefined;
  const countedTo = Math.min(plan.query.limit, COUNTED_MAX);
  const relaxed: Relaxed = { parts, plan, run, limit: countedTo + found };
  const counts: HiddenCounts = { countedTo };
  const countPart = async (part: Part) => {
    const memories = await findWithout(relaxed, [part]);
    counts[part.name] = upTo(countedTo, memories, memory => !passesFilter(memory, part.filter));
  };
  const isStateCounted = validAtMs !== undefined && found === 0;
  const [atAnyTime] = await Promise.all([isStateCounted ? findAtAnyTime(relaxed) : [], ...statedParts.map(countPart)]);
  if (statedParts.length > 1 && statedParts.every(({ name }) => counts[name] === 0)) {
    const memories = await findWithout(relaxed, statedParts);
    counts.together = upTo(countedTo, memories, memory => statedParts.some(each => !passesFilter(memory, each.filter)));
  }
  const isInvalid = (memory: Memory) => validAtMs !== undefined && invalidityAt(memory, validAtMs) !== undefined;
  const state = upTo(countedTo, atAnyTime, isInvalid);
  if (state > 0) counts.state = state;
  return statedParts.length > 0 || state > 0 ? counts : undefined;
}

function wanted({ query, questions }: RecallPlan): number {
  return questions.length === 0 ? query.limit : Math.max(...questions.map(({ limit }) => limit));
}

/** With `scope_fallback` what lies outside the tags has been looked through already. */
function partsOf({ query, filter: { tags, excludedTagKeys, fromMs, toMs } }: RecallPlan): Part[] {
  const time = { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
  return [
    ...(tags && !query.scope_fallback ? [{ name: 'tags', filter: { tags } } as const] : []),
    ...(excludedTagKeys ? [{ name: 'excludedTags', filter: { excludedTagKeys } } as const] : []),
    ...(Object.keys(time).length > 0 ? [{ name: 'time', filter: time } as const] : []),
  ];
}

function upTo(most: number, memories: readonly Memory[], isHidden: (memory: Memory) => boolean): number {
  return Math.min(most, memories.filter(isHidden).length);
}

interface Relaxed {
  parts: RecallParts;
  plan: RecallPlan;
  run: RecallRun;
  limit: number;
}

function findWithout(relaxed: Relaxed, left: readonly Part[]): Promise<Memory[]> {
  const dropped = new Set(left.flatMap(({ filter }) => Object.keys(filter)));
  const kept = Object.entries(relaxed.plan.filter).filter(([name]) => !dropped.has(name));
  return find({ ...relaxed, plan: { ...relaxed.plan, filter: Object.fromEntries(kept) } });
}

function findAtAnyTime(relaxed: Relaxed): Promise<Memory[]> {
  const { validAtMs: _now, ...filter } = relaxed.plan.filter;
  return find({ ...relaxed, plan: { ...relaxed.plan, filter, isCurrentOnly: false } });
}

/** What the recall finds with this filter: only what has a bearing on the question, whatever its scope. */
async function find({ parts, plan, run, limit }: Relaxed): Promise<Memory[]> {
  const { filter } = plan;
  const [question] = plan.questions;
  if (!question) {
    const { results } = await list(parts, { ...plan, query: { ...plan.query, limit } });
    return results.map(({ candidate }) => candidate.memory);
  }
  // Nobody waits for an embedder twice.
  const available = run.isVectorSearchEnabled ? parts : { ...parts, vectors: undefined };
  const asked = { ...question, filter, limit, supplements: [] };
  const { candidates, rules } = await search(available, asked, { times: 1, vector: run.vector });
  const fitting = candidates.filter(scored => hasEvidence(scored) && scored.score.total >= plan.minScore);
  const { results } = await pick(preferenceOrder(fitting, 'score'), {
    filter,
    scoring: rules,
    limit,
    findSupersessions: plan.isCurrentOnly ? supersessionFinder(parts.graph, rules.nowMs) : undefined,
    mergesDuplicates: true,
  });
  return results.map(({ candidate }) => candidate.memory);
}
