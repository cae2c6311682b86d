/** Step: every channel looks for what might answer, side by side, and names ids. */
import type { FoundBy } from '../../domain/recall-results.js';
import { prepareDateParser } from '../../time/date-parser.js';
import type { RecallContext } from '../context.js';
import { datesNamed } from '../language/dates-named.js';
import { isScoped } from '../plan/plan.js';
import type { Question } from '../plan/question.js';
import type { AskedQuestion, Hit, Pool } from '../pool.js';
import { readEvidence, termsOf } from '../score/evidence.js';
import { nextTurn } from '../turns.js';
import { dateChannel } from './date.js';
import { keywordChannel } from './keyword.js';
import { listIds } from './list.js';
import { vectorChannel } from './vector.js';

/** Candidates asked of each channel. */
const CHANNEL_LIMIT_MIN = 60;
const CHANNEL_LIMIT_PER_RESULT = 3;
const CHANNEL_LIMIT_MAX = 4_000;
const SUPPLEMENT_LIMIT = 20;
/** Of those that wait for their vector so many of the newest: they are few, or the model has been away for long. */
const WAITING_LIMIT = 60;

/** What one question has found. */
interface Retrieved {
  asked: AskedQuestion;
  hits: Hit[];
}

export async function retrieve(context: RecallContext, pool: Pool): Promise<Pool> {
  const { plan } = context;
  const retrieved = plan.isListing
    ? [await retrieveList(context, pool.reach)]
    : await Promise.all(plan.questions.map(question => retrieveFor(context, question, pool.reach)));
  return { ...pool, asked: retrieved.map(({ asked }) => asked), hits: retrieved.flatMap(({ hits }) => hits) };
}

async function retrieveList(context: RecallContext, reach: number): Promise<Retrieved> {
  const { ids, hasMore } = await listIds(context, reach);
  const asked: AskedQuestion = {
    question: context.plan.questions[0] as Question,
    evidence: readEvidence('', { memoryCount: 0, frequencies: new Map() }),
    vectors: undefined,
    nearest: undefined,
    isVectorSearchEnabled: context.vectors !== undefined,
    meaningShare: 0,
    mayHaveMore: hasMore,
  };
  return { asked, hits: ids.map(id => ({ asked, id, foundBy: 'list' })) };
}

async function retrieveFor(context: RecallContext, question: Question, reach: number): Promise<Retrieved> {
  const { graph, memories, nowMs, plan } = context;
  const { text, supplements } = question;
  await prepareDateParser();
  await nextTurn();
  const terms = termsOf(text);
  const dates = datesNamed(text, nowMs);
  const isInTime = plan.order !== 'score';
  const usual = Math.max(CHANNEL_LIMIT_MIN, question.limit * CHANNEL_LIMIT_PER_RESULT);
  // In an order of time the list grows, and the channels only find what else there is.
  const limit = Math.min(usual * (isInTime ? 1 : reach), CHANNEL_LIMIT_MAX);
  const { filter, hints } = plan;
  const main = { filter, limit };
  const beside = { filter, limit: SUPPLEMENT_LIMIT };
  const channels = {
    meaning: byMeaning(context, question, main),
    words: keywordChannel(graph, { terms, ...main }),
    dates: Promise.all(dates.map(date => dateChannel(graph, date, { terms, ...main }))),
    // In an order of time the first of those that match are wanted, however weakly.
    list: isInTime ? listIds(context, reach) : { ids: [], hasMore: false },
    waiting: isScoped(plan) ? graph.listWaiting({ kind: 'embed', filter, limit: WAITING_LIMIT }) : [],
    supplementMeaning: Promise.all(
      supplements.map(each => byMeaning(context, { text: each, embedding: undefined }, beside)),
    ),
    supplementWords: Promise.all(supplements.map(each => keywordChannel(graph, { terms: termsOf(each), ...beside }))),
  };
  const [words, furtherWords, ofDates] = await Promise.all([channels.words, channels.supplementWords, channels.dates]);
  const byWords = [words, ...furtherWords].flatMap(({ ids }) => ids);
  // What words have found is read while the vectors are still searched: they take longer.
  await memories.read(byWords);
  const [meaning, furtherMeaning] = await Promise.all([channels.meaning, channels.supplementMeaning]);
  const [listed, waiting] = await Promise.all([channels.list, channels.waiting]);
  await nextTurn();
  const asked: AskedQuestion = {
    question,
    evidence: readEvidence(text, words.statistics, dates),
    vectors: meaning.vectors,
    nearest: meaning.nearest,
    isVectorSearchEnabled: meaning.isEnabled,
    // Until the words of what was found are known.
    meaningShare: 0,
    mayHaveMore: isInTime
      ? listed.hasMore
      : limit < CHANNEL_LIMIT_MAX && (words.ids.length >= limit || meaning.ids.length >= limit),
  };
  const hitsOf = (foundBy: FoundBy, ids: Iterable<string>): Hit[] => [...ids].map(id => ({ asked, id, foundBy }));
  return {
    asked,
    hits: [
      ...hitsOf('keyword', byWords),
      ...hitsOf('date', ofDates.flat()),
      ...hitsOf(
        'vector',
        [meaning, ...furtherMeaning].flatMap(({ ids }) => ids),
      ),
      ...hitsOf('list', listed.ids),
      ...hitsOf('waiting', waiting),
      ...hitsOf('priority', hints?.ids ?? []),
    ],
  };
}

async function byMeaning(
  context: RecallContext,
  question: Pick<Question, 'text' | 'embedding'>,
  search: Parameters<typeof vectorChannel>[2],
) {
  const nothing = { ids: [], vectors: undefined, nearest: undefined };
  if (!context.vectors) return { isEnabled: false, ...nothing };
  const { vectors, isEnabled } = await context.embedQuestion(question);
  if (!vectors) return { isEnabled, ...nothing };
  const nearest = await vectorChannel(context, vectors, search);
  if (!nearest) return { isEnabled: false, ...nothing };
  return { isEnabled: true, ids: nearest.hits.slice(0, search.limit).map(({ id }) => id), vectors, nearest };
}
