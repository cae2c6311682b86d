/** How a score came about, read from its parts: never a second opinion. */
import type { ScoreExplanation } from '../domain/recall-results.js';
import type { Scored } from './candidate.js';
import { contributions } from './score.js';

export function explain({ candidate, score, presence, rules }: Scored): ScoreExplanation {
  const { evidence, weights } = rules;
  return {
    weights: { ...weights, context: 1 },
    contributions: contributions(score.components, weights),
    terms: evidence.terms.map((term, index) => ({
      term,
      weight: evidence.weights[index] ?? 0,
      inContent: presence[index] ?? 0,
      inTags: candidate.tagStems.has(term),
    })),
  };
}
