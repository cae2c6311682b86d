/**
 * Step: fills a page of results. Requests more candidates when too many candidates are versions or copies of a few
 * memories.
 */
import { type RecallContext, runSteps, type Step } from '../context.js';
import { byQuestion, type Candidate, type Pool, type RetrievedQuestion } from '../pool.js';
import { BOUNDS } from '../ranking-constants.js';
import { grow } from '../retrieve/grow.js';
import { hydrate } from '../retrieve/hydrate.js';
import { retrieve } from '../retrieve/retrieve.js';
import { lend } from '../score/lend.js';
import { score } from '../score/rank.js';
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
