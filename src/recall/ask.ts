/** Questions and the results that answer them: candidates in order of preference, taken until there are enough. */
import type { Scored } from './candidate.js';
import { arrange, preferenceOrder } from './order.js';
import { type Picked, pick } from './pick.js';
import type { RecallPlan } from './plan.js';
import type { ScoreRules } from './score.js';
import { type Found, type Question, type RecallParts, search } from './search.js';
import { withRecencyBias } from './thresholds.js';

export interface Answered extends Picked {
  /** Everything that was scored, in order of preference. */
  considered: Scored[];
  /** Candidates whose score is under the minimum asked for. */
  belowMinimum: number;
  /** Of the first question; what expansion finds is scored by it. */
  rules: ScoreRules;
  isVectorSearchEnabled: boolean;
}

/** By how much more is asked for where that is needed, and up to how many times the usual. */
const REACH_GROWTH = 4;
const REACH_MAX = 64;

/** Asks all at once and merges the answers: each memory once, with its highest score (specification, recall rule 7). */
export async function answerQuestions(
  parts: RecallParts,
  plan: RecallPlan,
  questions: readonly Question[],
): Promise<Answered> {
  const answers = await Promise.all(questions.map(question => answerQuestion(parts, plan, question)));
  const [first] = answers;
  if (!first) throw new Error('a recall that asks has at least one question');
  if (answers.length === 1) return first;
  const all = answers.flatMap(({ results }) => results);
  const merged = bestOfEach(all);
  const sum = (count: (answer: Answered) => number) => answers.reduce((total, answer) => total + count(answer), 0);
  return {
    results: arrange(preferenceOrder(merged, plan.sort).slice(0, plan.query.limit), plan.sort),
    considered: preferenceOrder(bestOfEach(answers.flatMap(({ considered }) => considered)), plan.sort),
    belowMinimum: sum(({ belowMinimum }) => belowMinimum),
    rules: first.rules,
    duplicatesRemoved: all.length - merged.length + sum(({ duplicatesRemoved }) => duplicatesRemoved),
    suppressed: answers.flatMap(({ suppressed }) => suppressed),
    isVectorSearchEnabled: answers.some(({ isVectorSearchEnabled }) => isVectorSearchEnabled),
  };
}

/** Each memory once, with its highest score. */
function bestOfEach(candidates: readonly Scored[]): Scored[] {
  const bestById = new Map<string, Scored>();
  for (const scored of candidates) {
    const { id } = scored.candidate.memory;
    if (scored.score.total > (bestById.get(id)?.score.total ?? -Infinity)) bestById.set(id, scored);
  }
  return [...bestById.values()];
}

/** Where versions and duplicates of a few memories take up the candidates, more are asked for: no page is short for them. */
async function answerQuestion(parts: RecallParts, plan: RecallPlan, question: Question): Promise<Answered> {
  for (let reach = 1; ; reach *= REACH_GROWTH) {
    const found = await search(parts, question, reach);
    const answer = await pickFrom(parts, plan, { question, found });
    const passingCount = answer.considered.length - answer.belowMinimum;
    const isStarved = answer.results.length < question.limit && passingCount >= question.limit;
    if (!isStarved || !found.isCutOff || reach >= REACH_MAX) return answer;
  }
}

async function pickFrom(
  { graph, settings }: RecallParts,
  plan: RecallPlan,
  { question, found }: { question: Question; found: Found },
): Promise<Answered> {
  const candidates = plan.hasRecencyBias
    ? withRecencyBias(found.candidates, settings.temporalWeight)
    : found.candidates;
  const considered = preferenceOrder(candidates, plan.sort);
  const passing = considered.filter(({ score }) => score.total >= plan.minScore);
  const picked = await pick(passing, {
    graph,
    filter: question.filter,
    scoring: found.rules,
    limit: question.limit,
    isCurrentOnly: plan.isCurrentOnly,
    mergesDuplicates: true,
  });
  return {
    ...picked,
    results: arrange(picked.results, plan.sort),
    considered,
    belowMinimum: considered.length - passing.length,
    rules: found.rules,
    isVectorSearchEnabled: found.isVectorSearchEnabled,
  };
}
