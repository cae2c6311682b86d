/** Questions and the results that answer them: candidates in order of preference, taken until there are enough. */
import { idsShown, type Scored } from './candidate.js';
import { arrange, preferenceOrder } from './order.js';
import { type Picked, type PickRules, pick } from './pick.js';
import type { RecallPlan } from './plan.js';
import type { ScoreRules } from './score.js';
import { type Found, type Question, type RecallParts, search } from './search.js';
import { supersessionFinder } from './state.js';
import { withRecencyBias } from './thresholds.js';

export interface Answered extends Picked {
  /** Everything that was scored, in order of preference; of a listing what is shown. */
  considered: Scored[];
  /** Candidates whose score is under the minimum asked for. */
  belowMinimum: number;
  /** Of the first question; what expansion finds is scored by it. */
  rules: ScoreRules;
  isVectorSearchEnabled: boolean;
  /** Of the first question, where one was made. */
  vector: Float32Array | undefined;
}

/** By how much more is asked for where that is needed. */
const REACH_GROWTH = 4;

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
  const merged = withoutTwins(preferenceOrder(bestOfEach(all), plan.sort));
  const considered = preferenceOrder(bestOfEach(answers.flatMap(answer => answer.considered)), plan.sort);
  return {
    results: arrange(merged.slice(0, plan.query.limit), plan.sort),
    considered,
    belowMinimum: considered.filter(({ score }) => score.total < plan.minScore).length,
    rules: first.rules,
    duplicatesRemoved: answers.reduce((sum, answer) => sum + answer.duplicatesRemoved, all.length - merged.length),
    suppressed: answers.flatMap(({ suppressed }) => suppressed),
    isVectorSearchEnabled: answers.some(({ isVectorSearchEnabled }) => isVectorSearchEnabled),
    vector: first.vector,
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

/** One question may have taken one of two memories with the same text, and another question the other. */
function withoutTwins(results: readonly Scored[]): Scored[] {
  const shown = new Set<string>();
  return results.filter(scored => {
    if (shown.has(scored.candidate.memory.id)) return false;
    for (const id of idsShown([scored])) shown.add(id);
    return true;
  });
}

/** Where versions and duplicates of a few memories take up the candidates, more are asked for: no page is short for them. */
async function answerQuestion(parts: RecallParts, plan: RecallPlan, question: Question): Promise<Answered> {
  const { graph, clock } = parts;
  const findSupersessions = plan.isCurrentOnly ? supersessionFinder(graph, clock.nowMs()) : undefined;
  let available = parts;
  let vector: Float32Array | undefined;
  for (let times = 1; ; times *= REACH_GROWTH) {
    const found = await search(available, question, { times, vector });
    const answer = await pickFrom(parts, plan, { question, found, findSupersessions });
    const passingCount = answer.considered.length - answer.belowMinimum;
    const isStarved = answer.results.length < question.limit && passingCount >= question.limit;
    if (!isStarved || !found.mayHaveMore) return answer;
    vector = found.vector;
    // Nobody waits for an embedder twice.
    if (!found.isVectorSearchEnabled) available = { ...parts, vectors: undefined };
  }
}

async function pickFrom(
  { settings }: RecallParts,
  plan: RecallPlan,
  { question, found, findSupersessions }: { question: Question; found: Found } & Pick<PickRules, 'findSupersessions'>,
): Promise<Answered> {
  const candidates = plan.hasRecencyBias
    ? withRecencyBias(found.candidates, settings.temporalWeight)
    : found.candidates;
  const considered = preferenceOrder(candidates, plan.sort);
  const passing = considered.filter(({ score }) => score.total >= plan.minScore);
  const picked = await pick(passing, {
    filter: question.filter,
    scoring: found.rules,
    limit: question.limit,
    findSupersessions,
    mergesDuplicates: true,
  });
  return {
    ...picked,
    results: arrange(picked.results, plan.sort),
    considered,
    belowMinimum: considered.length - passing.length,
    rules: found.rules,
    isVectorSearchEnabled: found.isVectorSearchEnabled,
    vector: found.vector,
  };
}
