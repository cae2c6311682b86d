/**
 * Explains how a score was computed. The explanation is read from the parts of the score, so the explanation cannot
 * differ from the score.
 */

import type { ScoreExplanation } from '../../domain/recall-results.js';
import type { RecallContext } from '../context.js';
import type { Candidate } from '../pool.js';
import { contributions, isSaidByAnother } from '../score/score.js';
import { hasTagStem } from '../score/text.js';

export function explain(candidate: Candidate, { settings }: RecallContext): ScoreExplanation {
  const { asked, own, score, lenders } = candidate;
  const { terms, weights } = asked.evidence;
  return {
    weights: { ...settings.weights, context: 1, newer: 1, inherited: 1 },
    contributions: contributions(score.components, settings.weights),
    terms: terms.map((term, index) => ({
      term,
      weight: weights[index] ?? 0,
      inContent: own.presence[index] ?? 0,
      inTags: hasTagStem(own.text, term),
    })),
    lenders: lenders(),
    isSaidByAnother: isSaidByAnother(candidate),
  };
}
