/** How far the best results answer the question, so that an assistant can say "I do not know". */
import type { Confidence } from '../../domain/recall-results.js';
import { type Candidate, isAdded } from '../pool.js';
import { compareScores } from '../select/order.js';
import type { RecallRun } from '../steps.js';

/** From this much evidence on. Chosen on the golden set, whose test states what share of questions gets which level. */
const LEVELS: readonly { level: Confidence; from: number }[] = [
  { level: 'high', from: 0.7 },
  { level: 'medium', from: 0.55 },
  { level: 'low', from: 0.35 },
];
/** Results looked at: one of the best must answer. */
const CONSIDERED = 3;

/** Without a question there is nothing to be sure of, and what is listed is simply there. */
export function confidenceOf({ context, pool }: RecallRun): Confidence {
  if (pool.kept.length === 0) return 'none';
  if (context.plan.isListing) return 'high';
  const asked = pool.kept.filter(candidate => !isAdded(candidate)).sort(compareScores);
  const best = Math.max(0, ...asked.slice(0, CONSIDERED).map(answerEvidence));
  return LEVELS.find(({ from }) => best >= from)?.level ?? 'none';
}

/** The share of the question, by weight of its terms, that the memory covers itself with content and tags, or its closeness. */
function answerEvidence({ own, asked }: Candidate): number {
  const { terms, weights, totalWeight } = asked.evidence;
  let covered = 0;
  for (const [index, term] of terms.entries()) {
    const inTags = own.text.tagStems.has(term) ? 1 : 0;
    covered += (weights[index] ?? 0) * Math.max(own.presence[index] ?? 0, inTags);
  }
  return Math.max(totalWeight > 0 ? covered / totalWeight : 0, own.closeness);
}
