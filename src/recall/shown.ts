/** What of a run's results the answer shows. */
import { type Budgeted, withinTokenBudget } from './budget.js';
import type { Scored } from './candidate.js';
import { bestFirst } from './order.js';
import type { RecallPlan } from './plan.js';
import type { RecallRun } from './run.js';

/** Keeps the best within `max_tokens`, in the order of the answer. A listing is best in the order in which it stands. */
export function withinBudget(
  { query, questions }: RecallPlan,
  { results }: RecallRun,
): {
  shown: Scored[];
  budget: Budgeted;
} {
  const budget = withinTokenBudget(questions.length > 0 ? bestFirst(results) : results, query.max_tokens);
  const kept = new Set(budget.kept);
  return { shown: results.filter(scored => kept.has(scored)), budget };
}
