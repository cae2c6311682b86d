/** Carries out a plan, step by step, up to the results in their order. */
import { passesFilter } from '../domain/filter.js';
import { browse } from './browse.js';
import { idsShown, type Scored } from './candidate.js';
import { readEvidence } from './evidence.js';
import { type EntityExpansion, expandEntities } from './expand-entities.js';
import { type ExpansionRules, expandRelations } from './expand-relations.js';
import { arrange, preferenceOrder } from './order.js';
import { type Picked, pick } from './pick.js';
import type { RecallPlan } from './plan.js';
import type { ScoreRules } from './score.js';
import { type Question, type RecallParts, search } from './search.js';
import { adaptiveFloor, withRecencyBias } from './thresholds.js';

export interface RecallRun {
  /** In the order of the answer: what was asked for, then what expansion and the fallback added. */
  results: Scored[];
  /** Everything that was scored, in order of preference; for `why-not`. */
  considered: Scored[];
  /** How the memory with an id was, or would be, scored. */
  rulesOf(id: string): ScoreRules;
  duplicatesRemoved: number;
  suppressed: Picked['suppressed'];
  replacements: Picked['replacements'];
  isVectorSearchEnabled: boolean;
  seedCount: number;
  relationExpandedCount: number;
  entityExpansion: EntityExpansion;
  floor: number | undefined;
  filteredCount: number;
}

export async function runRecall(parts: RecallParts, plan: RecallPlan): Promise<RecallRun> {
  const main = plan.questions.length > 0 ? await answerQuestions(parts, plan, plan.questions) : await list(parts, plan);
  const { rules } = main;
  const expansion = await expand(parts, plan, main);
  const cut = cutByScore(plan, main.results, [...expansion.related, ...expansion.entities.results]);
  const fill = await fillFromOutside(parts, plan, cut);
  return {
    results: [...cut.results, ...fill.results],
    considered: main.considered,
    rulesOf: id => main.ruleById.get(id) ?? fill.ruleById.get(id) ?? rules,
    duplicatesRemoved: main.duplicatesRemoved,
    suppressed: main.suppressed,
    replacements: main.replacements,
    isVectorSearchEnabled: main.isVectorSearchEnabled,
    seedCount: main.results.length,
    relationExpandedCount: expansion.related.length,
    entityExpansion: expansion.entities,
    floor: cut.floor,
    filteredCount: cut.filteredCount,
  };
}

interface Main extends Picked {
  considered: Scored[];
  /** Of the first question; what expansion finds is scored by it. */
  rules: ScoreRules;
  ruleById: Map<string, ScoreRules>;
  isVectorSearchEnabled: boolean;
}

async function answerQuestions(parts: RecallParts, plan: RecallPlan, questions: readonly Question[]): Promise<Main> {
  const answers = await Promise.all(questions.map(question => answerQuestion(parts, plan, question)));
  const [first] = answers;
  if (!first) throw new Error('a recall that asks has at least one question');
  if (answers.length === 1) return first;
  const bestById = new Map<string, Scored>();
  const ruleById = new Map<string, ScoreRules>();
  let repeated = 0;
  for (const { results, rules } of answers) {
    for (const scored of results) {
      const { id } = scored.candidate.memory;
      const known = bestById.get(id);
      if (known) repeated += 1;
      if (known && known.score.total >= scored.score.total) continue;
      bestById.set(id, scored);
      ruleById.set(id, rules);
    }
  }
  const merged = preferenceOrder([...bestById.values()], plan.sort).slice(0, plan.query.limit);
  return {
    results: arrange(merged, plan.sort),
    considered: preferenceOrder(bestOfEach(answers.flatMap(({ considered }) => considered)), plan.sort),
    rules: first.rules,
    ruleById,
    duplicatesRemoved: repeated + answers.reduce((sum, { duplicatesRemoved }) => sum + duplicatesRemoved, 0),
    suppressed: answers.flatMap(({ suppressed }) => suppressed),
    replacements: answers.flatMap(({ replacements }) => replacements),
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

async function answerQuestion(parts: RecallParts, plan: RecallPlan, question: Question): Promise<Main> {
  const { graph, settings } = parts;
  const found = await search(parts, question);
  const candidates = plan.hasRecencyBias
    ? withRecencyBias(found.candidates, settings.temporalWeight)
    : found.candidates;
  const considered = preferenceOrder(candidates, plan.sort);
  const picked = await pick(considered, {
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
    rules: found.rules,
    ruleById: new Map(),
    isVectorSearchEnabled: found.isVectorSearchEnabled,
  };
}

async function list(parts: RecallParts, plan: RecallPlan): Promise<Main> {
  const { graph, settings, clock, vectors } = parts;
  const rules: ScoreRules = {
    evidence: readEvidence('', { memoryCount: 0, frequencies: new Map() }),
    hints: plan.hints,
    weights: settings.weights,
    nowMs: clock.nowMs(),
  };
  const picked = await browse({
    graph,
    filter: plan.filter,
    scoring: rules,
    limit: plan.query.limit,
    isCurrentOnly: plan.isCurrentOnly,
    mergesDuplicates: false,
    sort: plan.sort,
  });
  return {
    ...picked,
    // What has taken the place of an older memory stands where that one was, which is no order of time.
    results: plan.sort === 'score' ? picked.results : arrange(picked.results, plan.sort),
    considered: picked.results,
    rules,
    ruleById: new Map(),
    isVectorSearchEnabled: vectors !== undefined,
  };
}

/** Expanded memories come after what was asked for is fixed; both kinds together never exceed the limit. */
async function expand(
  parts: RecallParts,
  plan: RecallPlan,
  main: Main,
): Promise<{ related: Scored[]; entities: EntityExpansion }> {
  const nothing = { results: [], entitiesFound: [] };
  const request = plan.query.expansion;
  if (!request) return { related: [], entities: nothing };
  const { tags: _tags, ...withoutTags } = plan.filter;
  const rules: ExpansionRules = {
    graph: parts.graph,
    scoring: main.rules,
    filter: request.respectTags ? plan.filter : withoutTags,
    isCurrentOnly: plan.isCurrentOnly,
    minImportance: request.minImportance,
    limit: plan.expansionLimit,
  };
  const related = request.relations
    ? await expandRelations(main.results, {
        ...rules,
        relationLimit: plan.relationLimit,
        minStrength: request.minStrength,
      })
    : [];
  const seeds = [...main.results, ...related];
  const entities = request.entities
    ? await expandEntities(seeds, main.considered, {
        ...rules,
        limit: plan.expansionLimit - related.length,
        text: plan.questions.map(({ text }) => text).join(' '),
      })
    : nothing;
  return { related, entities };
}

function cutByScore(
  plan: RecallPlan,
  results: readonly Scored[],
  expanded: readonly Scored[],
): { results: Scored[]; floor: number | undefined; filteredCount: number } {
  const usesFloor = plan.usesAdaptiveFloor && plan.sort === 'score' && plan.questions.length > 0;
  const floor = usesFloor ? adaptiveFloor(results.map(({ score }) => score.total)) : undefined;
  const kept = results.filter(({ score }) => score.total >= (floor ?? 0));
  const all = [...kept, ...expanded];
  const passing = all.filter(({ score }) => score.total >= plan.minScore);
  return { results: passing, floor, filteredCount: results.length + expanded.length - passing.length };
}

/** Where the tags asked for hold too little, memories outside them fill the page, marked as such. */
async function fillFromOutside(
  parts: RecallParts,
  plan: RecallPlan,
  { results, floor = 0 }: { results: readonly Scored[]; floor: number | undefined },
): Promise<Pick<Main, 'results' | 'ruleById'>> {
  const { tags, ...outside } = plan.filter;
  const missing = plan.query.limit - results.length;
  if (!plan.query.scope_fallback || !tags || missing <= 0 || plan.questions.length === 0) {
    return { results: [], ruleById: new Map() };
  }
  const questions = plan.questions.map(question => ({ ...question, filter: outside, limit: plan.query.limit }));
  const { results: found, ruleById } = await answerQuestions(parts, plan, questions);
  const shown = idsShown(results);
  const leastScore = Math.max(plan.minScore, floor);
  return {
    results: found
      .filter(({ candidate, score }) => !shown.has(candidate.memory.id) && score.total >= leastScore)
      .slice(0, missing)
      .map(scored => ({ ...scored, isOutsideTagScope: !passesFilter(scored.candidate.memory, { tags }) })),
    ruleById,
  };
}
