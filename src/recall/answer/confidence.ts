/** Rates how well the best results answer the question, so that an assistant can say "I do not know". */
import type { Confidence } from '../../domain/recall.js';
import { type Candidate, compareScores, isAdded } from '../pool.js';
import { presenceInFields } from '../score/evidence.js';
import type { RecallRun } from '../steps.js';

/**
 * Minimum evidence for each level. `npm run build && node tests/bench/golden.mjs` shows which questions get which
 * level.
 */
const LEVELS = { high: 0.85, medium: 0.55, low: 0.3 } as const;
/** Number of best results that are examined. The result with the most evidence determines the confidence. */
const CONSIDERED = 3;
/**
 * Maximum evidence from words for a question with one term. It is below the level `high`, because a single word may
 * occur in any memory by chance.
 */
const ONE_TERM_MOST = 0.84;
/** Minimum share of the question's terms that a memory with a rare term needs, unless the term is a name. */
const RARE_SHARE_MIN = 0.5;

/** The confidence in the answer. A listing has no question, so a listing with results always has `high`. */
export function confidenceOf({ context, pool }: RecallRun): Confidence {
  if (pool.kept.length === 0) return 'none';
  if (context.plan.isListing) return 'high';
  const direct = pool.kept.filter(candidate => !isAdded(candidate)).sort(compareScores);
  const best = direct.slice(0, CONSIDERED);
  const evidence = best.reduce((most, candidate) => Math.max(most, evidenceOf(candidate)), 0);
  return (['high', 'medium', 'low'] as const).find(level => evidence >= LEVELS[level]) ?? 'none';
}

/** A successor also has the evidence of the memory whose place it takes. */
function evidenceOf(candidate: Candidate): number {
  const { heirOf, own, query } = candidate;
  const isMeaningKnown = query.vectors?.understandsMeaning === true || query.analysis.terms.length === 0;
  return Math.max(
    wordEvidence(candidate),
    hasRareTerm(candidate) ? LEVELS.low : 0,
    isMeaningKnown ? own.similarity : 0,
    heirOf ? evidenceOf(heirOf) : 0,
  );
}

/**
 * Computes the evidence from words as the product of two shares. The first is the share of the question's terms that
 * the memory itself has, by weight and without names. The second is the share of the question's names that the memory
 * has, because a fact about one person does not answer a question about another.
 */
function wordEvidence(candidate: Candidate): number {
  const { terms, weights, names } = candidate.query.analysis;
  const presence = presenceInFields(candidate);
  const sums = { topic: 0, covered: 0, names: 0, named: 0 };
  for (const [index, term] of terms.entries()) {
    const has = presence[index] ?? 0;
    if (names.has(term)) {
      sums.names += 1;
      sums.named += has;
    } else {
      sums.topic += weights[index] ?? 0;
      sums.covered += (weights[index] ?? 0) * has;
    }
  }
  if (terms.length === 0) return 0;
  const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);
  const evidence = share(sums.covered, sums.topic) * share(sums.named, sums.names);
  return terms.length === 1 ? Math.min(ONE_TERM_MOST, evidence) : evidence;
}

/**
 * Whether the memory alone has a term of the question, and has at least half of the terms or the term is a name. The
 * other terms of such a question are often synonyms: "What happened to Puppeteer?" is answered by "Puppeteer was
 * dropped".
 */
function hasRareTerm(candidate: Candidate): boolean {
  const { terms, names, isInOneMemory } = candidate.query.analysis;
  const presence = presenceInFields(candidate);
  const isHalf = presence.filter(each => each > 0).length >= terms.length * RARE_SHARE_MIN;
  return terms.some((term, index) => presence[index] === 1 && isInOneMemory[index] && (isHalf || names.has(term)));
}
