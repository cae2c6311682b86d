/**
 * Step: fills a page of results. Requests more candidates when too many candidates are versions or copies of a few
 * memories.
 */

import { passesFilter } from '../../domain/filter.js';
import { type RecallContext, runSteps, type Step } from '../context.js';
import { byQuestion, type Candidate, EMPTY_POOL, idsShown, type Pool, type RetrievedQuestion } from '../pool.js';
import { BOUNDS } from '../ranking-constants.js';
import { retrieve } from '../retrieve/retrieve.js';
import { hydrate, score } from '../score/candidates.js';
import { lend } from '../score/lend.js';
import { dedupe } from './dedupe.js';
import { newer } from './newer.js';
import { page } from './page.js';
import { supersede } from './supersede.js';

/** The steps from the questions to a page. A step that reorders, such as a reranking model, belongs after `score`. */
export const PAGE_STEPS: readonly Step[] = [retrieve, hydrate, lend, score, supersede, dedupe, newer, page];

/** Maximum multiplier for the number of candidates. */
const REACH_MAX = 64;
/**
 * Maximum multiplier for a listing with a minimum score, and for results ordered by time. Without this limit, many more
 * memories would be read when only a few reach the minimum score or contain a rare word.
 */
const LIST_REACH_MAX = 16;

export function fillPage(context: RecallContext, before: Pool): Promise<Pool> {
  return grow({
    from: 1,
    max: REACH_MAX,
    read: reach => runSteps(PAGE_STEPS, context, { ...before, reach }),
    isEnough: found => {
      const lists = listsOf(found);
      return !found.asked.some(asked => asked.mayHaveMore && isShort(context, { found, lists }, asked));
    },
  });
}

/** The lists of a pool by question. */
interface Lists {
  kept: (asked: RetrievedQuestion) => readonly Candidate[];
  considered: (asked: RetrievedQuestion) => readonly Candidate[];
  /** The candidates that the steps `supersede` and `dedupe` have dropped. */
  crowding: (asked: RetrievedQuestion) => readonly Candidate[];
}

function listsOf({ kept, considered, dropped }: Pool): Lists {
  const crowding = dropped.filter(({ step }) => step === 'supersede' || step === 'dedupe');
  return {
    kept: byQuestion(kept),
    considered: byQuestion(considered),
    crowding: byQuestion(crowding.flatMap(({ candidate }) => candidate ?? [])),
  };
}

/** Whether more candidates must be requested, because too few are left for the question. */
function isShort({ plan }: RecallContext, { found, lists }: { found: Pool; lists: Lists }, asked: RetrievedQuestion) {
  const { limit } = asked.question;
  const mine = lists.kept(asked);
  if (plan.isListing) {
    return mine.length < limit && (plan.minScore === 0 || found.reach < LIST_REACH_MAX);
  }
  // If results are ordered by time, count only those of the channel `list`. This channel has exactly this order, but the
  // other channels are sorted by how well a memory matches.
  if (plan.order !== 'score') {
    return found.reach < LIST_REACH_MAX && mine.filter(({ foundBy }) => foundBy.includes('list')).length < limit;
  }
  return isCrowded(lists, asked);
}

/**
 * Whether outdated versions or copies have taken the places of so many candidates that too few are left. The limit of the
 * question has no influence up to `channelCandidates`, so that the same memories compete for every limit.
 */
function isCrowded(lists: Lists, asked: RetrievedQuestion): boolean {
  const crowding = lists.crowding(asked).length;
  const left = lists.considered(asked).length - crowding;
  return crowding > 0 && left < Math.max(BOUNDS.channelCandidates, asked.question.limit);
}

const GROWTH = 4;

export interface Growing<Page> {
  /** Size of the first attempt. */
  from: number;
  /** Maximum size of an attempt. */
  max: number;
  read(size: number): Promise<Page>;
  /** Must also return true when nothing more is available. */
  isEnough(page: Page, size: number): boolean;
}

/**
 * Repeats the read with four times the size until the page is enough. If even the last attempt within `max` reads too
 * little, its page is returned.
 */
export async function grow<Page>({ from, max, read, isEnough }: Growing<Page>): Promise<Page> {
  for (let size = from; ; size *= GROWTH) {
    const page = await read(size);
    if (isEnough(page, size) || size * GROWTH > max) return page;
  }
}

export async function fillFromOutside(context: RecallContext, pool: Pool): Promise<Pool> {
  const { plan } = context;
  const { tags, ...filter } = plan.filter;
  const { limit } = plan.query;
  const missing = limit - pool.kept.length;
  if (!plan.query.scope_fallback || !tags || missing <= 0 || plan.isListing) return pool;
  const questions = plan.questions.map(question => ({ ...question, limit }));
  const outside = await fillPage({ ...context, plan: { ...plan, filter, questions } }, EMPTY_POOL);
  const shown = idsShown(pool.kept);
  const least = Math.max(plan.minScore, pool.floor ?? 0);
  const fitting = outside.kept
    .filter(({ memory, score }) => !shown.has(memory.id) && score.total >= least)
    .slice(0, missing)
    .map(candidate => ({ ...candidate, isOutsideTagScope: !passesFilter(candidate.memory, { tags }) }));
  const taken = new Set(fitting.map(({ memory }) => memory.id));
  const dropped = outside.dropped.filter(
    ({ reason }) => reason.reason === 'superseded' || (reason.reason === 'duplicate' && taken.has(reason.twinId)),
  );
  return { ...pool, kept: [...pool.kept, ...fitting], dropped: [...pool.dropped, ...dropped] };
}
