/** Carries out a plan, step by step, up to the results in their order. */
import { invalidityAt, passesFilter } from '../domain/filter.js';
import type { Suppressed } from '../domain/recall-results.js';
import type { ExpansionRules } from './admission.js';
import { type Answered, answerQuestions } from './ask.js';
import { browse } from './browse.js';
import { idsShown, type Scored } from './candidate.js';
import { readEvidence } from './evidence.js';
import { expandEntities } from './expand-entities.js';
import { expandRelations } from './expand-relations.js';
import { arrange, holdingFirst } from './order.js';
import type { RecallPlan } from './plan.js';
import type { ScoreRules } from './score.js';
import type { RecallParts } from './search.js';
import { supersessionFinder } from './state.js';
import { adaptiveFloor } from './thresholds.js';

export interface RecallRun {
  /** In the order of the answer: what was asked for, then what expansion and the fallback added. */
  results: Scored[];
  /** Everything that was scored, in order of preference, of a listing what is shown; for `why-not`. */
  considered: Scored[];
  /** How any other memory would be scored. */
  rules: ScoreRules;
  duplicatesRemoved: number;
  suppressed: Suppressed[];
  isVectorSearchEnabled: boolean;
  /** Of the first question, where one was made. */
  vector: Float32Array | undefined;
  /** What expansion began from. */
  seeds: Scored[];
  /** Tag keys of the entities that were followed. */
  entityKeys: string[];
  /** What a threshold kept out of the results and of what expansion added. */
  dropped: Scored[];
  floor: number | undefined;
  filteredCount: number;
}

export async function runRecall(parts: RecallParts, plan: RecallPlan): Promise<RecallRun> {
  const main = plan.questions.length > 0 ? await answerQuestions(parts, plan, plan.questions) : await list(parts, plan);
  const expansion = await expand(parts, plan, main);
  const cut = cutByScore(plan, main.results, expansion.results);
  const fill = await fillFromOutside(parts, plan, cut);
  const found = [...cut.results, ...fill.results];
  const results = plan.isCurrentOnly ? found : await withHoldingFirst(parts, plan, found);
  const hidden = plan.query.state_debug && plan.isCurrentOnly ? await hiddenByState(parts, plan) : [];
  return {
    results,
    dropped: cut.dropped,
    considered: main.considered,
    rules: main.rules,
    duplicatesRemoved: main.duplicatesRemoved,
    suppressed: eachOnce([...main.suppressed, ...fill.suppressed, ...results.flatMap(suppressedBy), ...hidden]),
    isVectorSearchEnabled: main.isVectorSearchEnabled,
    vector: main.vector,
    seeds: main.results,
    entityKeys: expansion.entityKeys,
    floor: cut.floor,
    filteredCount: main.belowMinimum + cut.dropped.length,
  };
}

/** Answers a recall that asks nothing. */
export async function list(parts: RecallParts, plan: RecallPlan): Promise<Answered> {
  const { graph, settings, clock, vectors } = parts;
  const rules: ScoreRules = {
    evidence: readEvidence('', { memoryCount: 0, frequencies: new Map() }),
    hints: plan.hints,
    weights: settings.weights,
    nowMs: clock.nowMs(),
    unmatchedType: plan.filter.tags ? 'tag' : 'keyword',
  };
  const picked = await browse({
    graph,
    filter: plan.filter,
    scoring: rules,
    limit: plan.query.limit,
    minScore: plan.minScore,
    findSupersessions: plan.isCurrentOnly ? supersessionFinder(graph, rules.nowMs) : undefined,
    mergesDuplicates: false,
    sort: plan.sort,
    // Left to us, "score" stands for importance (decisions D19).
    isByScore: plan.query.sort === 'score',
  });
  return {
    ...picked,
    // What has taken the place of an older memory stands where that one was, which is no order of time.
    results:
      plan.sort === 'score' && plan.query.sort === undefined ? picked.results : arrange(picked.results, plan.sort),
    considered: picked.results,
    rules,
    isVectorSearchEnabled: vectors !== undefined,
    vector: undefined,
  };
}

interface Expansion {
  /** By relations, then by entities. */
  results: Scored[];
  entityKeys: string[];
}

/** Expanded memories come after what was asked for is fixed; both kinds together never exceed the limit. */
async function expand(parts: RecallParts, plan: RecallPlan, main: Answered): Promise<Expansion> {
  const request = plan.query.expansion;
  if (!request) return { results: [], entityKeys: [] };
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
  if (!request.entities) return { results: related, entityKeys: [] };
  const entities = await expandEntities([...main.results, ...related], main.considered, {
    ...rules,
    limit: plan.expansionLimit - related.length,
    text: plan.questions.map(({ text }) => text).join(' '),
  });
  return { results: [...related, ...entities.results], entityKeys: entities.entityKeys };
}

function suppressedBy({ candidate, replaces }: Scored): Suppressed[] {
  if (!replaces) return [];
  const { id, type } = replaces;
  return [{ id, reason: 'superseded', successorId: candidate.memory.id, relationType: type }];
}

function eachOnce(suppressed: readonly Suppressed[]): Suppressed[] {
  const first = new Map<string, Suppressed>();
  for (const each of suppressed) if (!first.has(each.id)) first.set(each.id, each);
  return [...first.values()];
}

/** Of what is asked without regard to time, each is told from what holds now, which comes first unless time orders. */
async function withHoldingFirst(
  { graph, clock }: RecallParts,
  { sort }: RecallPlan,
  results: readonly Scored[],
): Promise<Scored[]> {
  const nowMs = clock.nowMs();
  const supersessions = await supersessionFinder(graph, nowMs)(results.map(({ candidate }) => candidate.memory.id));
  const told = results.map((scored): Scored => {
    const { memory } = scored.candidate;
    const supersession = supersessions.get(memory.id);
    const invalidity = invalidityAt(memory, nowMs);
    return {
      ...scored,
      ...(supersession && { supersededBy: { id: supersession.head.id, type: supersession.type } }),
      ...(invalidity && { invalidity }),
    };
  });
  return sort === 'score' ? holdingFirst(told) : told;
}

/** What the answer would show if it did not matter what holds now: the stores leave these out by themselves. */
async function hiddenByState(parts: RecallParts, plan: RecallPlan): Promise<Suppressed[]> {
  const { validAtMs, ...filter } = plan.filter;
  if (validAtMs === undefined) return [];
  const questions = plan.questions.map(question => ({ ...question, filter }));
  const atAnyTime = { ...plan, filter, questions, isCurrentOnly: false };
  const { results } =
    questions.length > 0 ? await answerQuestions(parts, atAnyTime, questions) : await list(parts, atAnyTime);
  return results.flatMap(({ candidate: { memory } }) => {
    const reason = invalidityAt(memory, validAtMs);
    return reason ? [{ id: memory.id, reason }] : [];
  });
}

function cutByScore(
  plan: RecallPlan,
  results: readonly Scored[],
  expanded: readonly Scored[],
): { results: Scored[]; dropped: Scored[]; floor: number | undefined } {
  const usesFloor = plan.usesAdaptiveFloor && plan.sort === 'score' && plan.questions.length > 0;
  const floor = usesFloor ? adaptiveFloor(results.map(({ score }) => score.total)) : undefined;
  const passes = ({ score }: Scored, least: number) => score.total >= least;
  const kept = results.filter(scored => passes(scored, Math.max(plan.minScore, floor ?? 0)));
  const added = expanded.filter(scored => passes(scored, plan.minScore));
  const passing = new Set([...kept, ...added]);
  return { results: [...passing], dropped: [...results, ...expanded].filter(scored => !passing.has(scored)), floor };
}

/** Where the tags asked for hold too little, memories outside them fill the page, marked as such. */
async function fillFromOutside(
  parts: RecallParts,
  plan: RecallPlan,
  { results, floor = 0 }: { results: readonly Scored[]; floor: number | undefined },
): Promise<Pick<Answered, 'results' | 'suppressed'>> {
  const { tags, ...outside } = plan.filter;
  const missing = plan.query.limit - results.length;
  if (!plan.query.scope_fallback || !tags || missing <= 0 || plan.questions.length === 0) {
    return { results: [], suppressed: [] };
  }
  const questions = plan.questions.map(question => ({ ...question, filter: outside, limit: plan.query.limit }));
  const { results: found, suppressed } = await answerQuestions(parts, plan, questions);
  const shown = idsShown(results);
  const fitting = found
    .filter(({ candidate, score }) => !shown.has(candidate.memory.id) && score.total >= floor)
    .slice(0, missing)
    .map(scored => ({ ...scored, isOutsideTagScope: !passesFilter(scored.candidate.memory, { tags }) }));
  return { results: fitting, suppressed };
}
