/** How far the best results answer the question, so that an assistant can say "I do not know". */
import type { Confidence } from '../domain/recall-results.js';
import type { Scored } from './candidate.js';
import { bestFirst } from './order.js';

/** From this much evidence on. Chosen on the golden set, whose test states what share of questions gets which level. */
const LEVELS: readonly { level: Confidence; from: number }[] = [
  { level: 'high', from: 0.7 },
  { level: 'medium', from: 0.55 },
  { level: 'low', from: 0.35 },
];
/** Results looked at: one of the best must answer. */
const CONSIDERED = 3;

/** @param results in any order; without a question there is nothing to be sure of, and what is listed is simply there */
export function confidenceOf(results: readonly Scored[], asksSomething: boolean): Confidence {
  if (results.length === 0) return 'none';
  if (!asksSomething) return 'high';
  const best = Math.max(...bestFirst(results).slice(0, CONSIDERED).map(answerEvidence));
  return LEVELS.find(({ from }) => best >= from)?.level ?? 'none';
}

/** The share of the question, by worth of its terms, that the memory covers with its content and tags, or its closeness. */
function answerEvidence({ candidate, presence, rules }: Scored): number {
  const { terms, weights, totalWeight } = rules.evidence;
  let covered = 0;
  for (const [index, term] of terms.entries()) {
    const inTags = candidate.tagStems.has(term) ? 1 : 0;
    covered += (weights[index] ?? 0) * Math.max(presence[index] ?? 0, inTags);
  }
  return Math.max(totalWeight > 0 ? covered / totalWeight : 0, candidate.similarity);
}
