/** How far the best results answer the question, so that an assistant can say "I do not know". */
import type { Confidence } from '../../domain/recall-results.js';
import { type Candidate, isAdded } from '../pool.js';
import { hasTagStem } from '../score/text.js';
import { compareScores } from '../select/order.js';
import type { RecallRun } from '../steps.js';

/** From this much evidence on. `npm run build && node tests/bench/golden.mjs` shows which questions get which level. */
const LEVELS: readonly { level: Confidence; from: number }[] = [
  { level: 'high', from: 0.85 },
  { level: 'medium', from: 0.55 },
  { level: 'low', from: 0.3 },
];
/** Results looked at: one of the best must answer. */
const CONSIDERED = 3;
/** One word alone may stand in any memory by chance: it never makes the level high. */
const ONE_TERM_MOST = 0.84;
/**
 * Closeness in meaning that says nothing, and from where on it says all that it can, which
 * makes the level high only where nothing but a vector was asked.
 */
const CLOSENESS_FROM = 0.2;
const CLOSENESS_FULL = 0.6;
const MEANING_MOST = 0.8;
/** Share of its closeness that counts where the words of the question are all found. */
const MEANING_BESIDE_WORDS = 0.1;

/** Without a question there is nothing to be sure of, and what is listed is simply there. */
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
 * Share of the question that one memory covers itself, by weight of its terms, times the share of the names in it that the
 * memory has: what is true of one person answers no question about another.
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

/** Closeness counts as far as words are silent, and a little beside them. */
function meaningEvidence({ own, asked }: Candidate): number {
  const share = (own.closeness - CLOSENESS_FROM) / (CLOSENESS_FULL - CLOSENESS_FROM);
  const most = asked.evidence.terms.length === 0 ? 1 : MEANING_MOST;
  const counts = MEANING_BESIDE_WORDS + (1 - MEANING_BESIDE_WORDS) * asked.meaningShare;
  return counts * Math.min(most, Math.max(0, share));
}
