/** Rates how well the best results answer the question, so that an assistant can say "I do not know". */
import type { Confidence } from '../../domain/recall-results.js';
import { type Candidate, isAdded } from '../pool.js';
import { hasTagStem } from '../score/text.js';
import { compareScores } from '../select/order.js';
import type { RecallRun } from '../steps.js';

/**
 * Minimum evidence for each level. `npm run build && node tests/bench/golden.mjs` shows which questions get which
 * level.
 */
const LEVELS: readonly { level: Confidence; from: number }[] = [
  { level: 'high', from: 0.85 },
  { level: 'medium', from: 0.55 },
  { level: 'low', from: 0.3 },
];
/** Number of best results that are examined. The result with the most evidence determines the confidence. */
const CONSIDERED = 3;
/**
 * Maximum evidence from words for a question with one term. It is below the level `high`, because a single word may
 * occur in any memory by chance.
 */
const ONE_TERM_MOST = 0.84;
/**
 * The range of closeness in meaning. Closeness up to CLOSENESS_FROM does not count as evidence, and closeness from
 * CLOSENESS_FULL on counts as full evidence. If the query has terms, MEANING_MOST limits this evidence to a value below
 * the level `high`.
 */
const CLOSENESS_FROM = 0.2;
const CLOSENESS_FULL = 0.6;
const MEANING_MOST = 0.8;
/** Share of closeness that counts even if words answer the question, or the embedder does not understand meaning. */
const MEANING_BESIDE_WORDS = 0.1;

/** The confidence in the answer. A listing has no question, so a listing with results always has `high`. */
export function confidenceOf({ context, pool }: RecallRun): Confidence {
  if (pool.kept.length === 0) return 'none';
  if (context.plan.isListing) return 'high';
  const asked = pool.kept.filter(candidate => !isAdded(candidate)).sort(compareScores);
  const best = asked.slice(0, CONSIDERED);
  const evidence = best.reduce((most, candidate) => Math.max(most, evidenceOf(candidate)), 0);
  return LEVELS.find(({ from }) => evidence >= from)?.level ?? 'none';
}

function evidenceOf(candidate: Candidate): number {
  return Math.max(wordEvidence(candidate), meaningEvidence(candidate));
}

/**
 * Computes the evidence from words as the product of two shares. The first is the share of the question's terms that
 * the memory itself has, by weight and without names. The second is the share of the question's names that the memory
 * has, because a fact about one person does not answer a question about another.
 */
function wordEvidence({ own, asked }: Candidate): number {
  const { terms, weights, names } = asked.evidence;
  const sums = { topic: 0, covered: 0, names: 0, named: 0 };
  for (const [index, term] of terms.entries()) {
    const has = Math.max(own.presence[index] ?? 0, hasTagStem(own.text, term) ? 1 : 0);
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
 * Evidence from closeness in meaning. Closeness always counts a little. It counts more if the words cover less of the
 * question.
 */
function meaningEvidence({ own, asked }: Candidate): number {
  const share = (own.closeness - CLOSENESS_FROM) / (CLOSENESS_FULL - CLOSENESS_FROM);
  const most = asked.evidence.terms.length === 0 ? 1 : MEANING_MOST;
  const open = asked.vectors?.understandsMeaning ? asked.meaningShare : 0;
  const counts = MEANING_BESIDE_WORDS + (1 - MEANING_BESIDE_WORDS) * open;
  return counts * Math.min(most, Math.max(0, share));
}
