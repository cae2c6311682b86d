/** Step: a page of results. Where versions and copies of a few memories take up the candidates, more are asked for. */
import { type RecallContext, runSteps, type Step } from '../context.js';
import type { AskedQuestion, Pool } from '../pool.js';
import { grow } from '../retrieve/grow.js';
import { hydrate } from '../retrieve/hydrate.js';
import { retrieve } from '../retrieve/retrieve.js';
import { lend } from '../score/lend.js';
import { score } from '../score/rank.js';
import { dedupe } from './dedupe.js';
import { page } from './page.js';
import { preferNewer } from './prefer-newer.js';
import { supersede } from './supersede.js';
import { minimum } from './threshold.js';

/** From what was asked to a page. A step that orders anew, such as a model that reads the best results, comes after `score`. */
export const PAGE_STEPS: readonly Step[] = [
  retrieve,
  hydrate,
  lend,
  score,
  minimum,
  supersede,
  dedupe,
  preferNewer,
  page,
];

/** How many times the usual number of candidates is asked for at most. */
const REACH_MAX = 64;
/** A minimum score that hardly anything reaches, or a rare word in an order of time, must not read everything. */
const LIST_REACH_MAX = 16;

export function fillPage(context: RecallContext, before: Pool): Promise<Pool> {
  return grow({
    from: 1,
    max: REACH_MAX,
    read: reach => runSteps(PAGE_STEPS, context, { ...before, reach }),
    isEnough: found => !found.asked.some(asked => asked.mayHaveMore && isShort(context, found, asked)),
  });
}

/** Whether a question has less than it may bring although there is more. */
function isShort({ plan }: RecallContext, found: Pool, asked: AskedQuestion): boolean {
  const { limit } = asked.question;
  const mine = found.kept.filter(candidate => candidate.asked === asked);
  if (plan.isListing) {
    return mine.length < limit && (plan.minScore === 0 || found.reach < LIST_REACH_MAX);
  }
  // In an order of time what has been read in that order is exact; channels go by how well a memory matches.
  if (plan.order !== 'score') {
    return found.reach < LIST_REACH_MAX && mine.filter(({ foundBy }) => foundBy.includes('list')).length < limit;
  }
  return mine.length < limit && isCrowded(found, asked);
}

/** Whether versions and copies have taken places. */
function isCrowded({ dropped }: Pool, asked: AskedQuestion): boolean {
  return dropped.some(
    ({ step, candidate }) => candidate?.asked === asked && (step === 'supersede' || step === 'dedupe'),
  );
}
