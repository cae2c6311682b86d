/** Step: all channels search in parallel and return ids of possible answers. */

import { partsOf } from '../../domain/collections.js';
import type { FoundBy } from '../../domain/recall.js';
import { inSteps } from '../../event-loop.js';
import { waitOutside } from '../../places.js';
import type { TermStatistics } from '../../stores/ports/search-index.js';
import type { RecallContext } from '../context.js';
import { datesNamed, type NamedDate } from '../language/dates-named.js';
import { isScoped, type Question } from '../plan.js';
import type { Hit, Pool, RetrievedQuestion } from '../pool.js';
import { BOUNDS } from '../ranking-constants.js';
import { askedTerms, readEvidence, searchKeys } from '../score/evidence.js';
import { createWordComparison } from '../score/own-evidence.js';
import { dateChannel, keywordChannel, listIds, searchWords } from './keyword.js';
import { closenessOf, comparedEarly, vectorChannel } from './vector.js';

const CHANNEL_LIMIT_MAX = 4_000;
const SUPPLEMENT_LIMIT = 20;
/**
 * Memories that still wait for their vector are listed up to the limit of a channel, or up to this number if the limit
 * is lower. Usually few memories wait, but after a long failure of the model many wait.
 */
const WAITING_LIMIT_MIN = 60;
/** More questions at the same time would compute for long without a pause. */
const QUESTIONS_AT_ONCE = 4;
const NO_STATISTICS: TermStatistics = { memoryCount: 0, frequencies: new Map() };

/** The hits of one question. */
interface Retrieved {
  asked: RetrievedQuestion;
  hits: Hit[];
}

export async function retrieve(context: RecallContext, pool: Pool): Promise<Pool> {
  const { plan } = context;
  const retrieved = plan.isListing
    ? [await retrieveList(context, pool.reach)]
    : await retrieveAll(context, plan.questions, pool.reach);
  return { ...pool, asked: retrieved.map(({ asked }) => asked), hits: retrieved.flatMap(({ hits }) => hits) };
}

async function retrieveAll(context: RecallContext, questions: readonly Question[], reach: number) {
  // A model or a service embeds all questions meanwhile.
  if (context.vectors) for (const question of questions) void context.embedQuestion(question);
  const retrieved: Retrieved[] = [];
  for await (const part of inSteps(partsOf(questions, QUESTIONS_AT_ONCE))) {
    retrieved.push(...(await Promise.all(part.map(question => retrieveFor(context, question, reach)))));
  }
  return retrieved;
}

async function retrieveList(context: RecallContext, reach: number): Promise<Retrieved> {
  const { ids, hasMore } = await listIds(context, reach);
  const evidence = readEvidence({ query: '', asked: [] }, NO_STATISTICS);
  const asked: RetrievedQuestion = {
    question: context.plan.questions[0] as Question,
    evidence,
    compareWords: createWordComparison(evidence),
    vectors: undefined,
    nearest: undefined,
    compared: new Map(),
    isVectorSearchEnabled: context.vectors !== undefined,
    meaningShare: 0,
    speakers: new Set(),
    mayHaveMore: hasMore,
  };
  return { asked, hits: ids.map(id => ({ asked, id, foundBy: 'list' })) };
}

async function retrieveFor(context: RecallContext, question: Question, reach: number): Promise<Retrieved> {
  const { nowMs, zone, plan } = context;
  const dates = await datesNamed(question.text, { nowMs, zone });
  const isInTime = plan.order !== 'score';
  const usual = Math.max(BOUNDS.channelCandidates, question.limit);
  // When sorted by time, only the listing by time grows with `reach`. The channels keep their usual limit.
  const limit = Math.min(usual * (isInTime ? 1 : reach), CHANNEL_LIMIT_MAX);
  const { meaning, words, compared, listed, found } = await askChannels(context, question, { dates, limit, reach });
  const asked: RetrievedQuestion = {
    question,
    evidence: words.evidence,
    compareWords: words.compareWords,
    vectors: meaning.vectors,
    nearest: meaning.nearest,
    compared,
    isVectorSearchEnabled: meaning.isEnabled,
    // The step `hydrate` sets `meaningShare` and `speakers`, because both depend on the candidates.
    meaningShare: 0,
    speakers: new Set(),
    mayHaveMore: isInTime ? listed.hasMore : limit < CHANNEL_LIMIT_MAX && haveMore(context, { meaning, words, limit }),
  };
  return { asked, hits: found.flatMap(([foundBy, ids]) => [...ids].map(id => ({ asked, id, foundBy }))) };
}

/** Whether a channel was full, so that more may match. The vector channel has ended if its last hit does not match. */
function haveMore(
  { plan }: RecallContext,
  { meaning, words, limit }: Pick<Awaited<ReturnType<typeof askChannels>>, 'meaning' | 'words'> & { limit: number },
): boolean {
  const last = meaning.nearest?.hits[limit - 1];
  const isClose = last && closenessOf(last.similarity, meaning.vectors?.unrelatedSimilarity ?? 0) >= BOUNDS.closeness;
  return words.ids.length >= limit || (last !== undefined && (isClose || isScoped(plan)));
}

/** Starts all channels at once. */
async function askChannels(
  context: RecallContext,
  question: Question,
  { dates, limit, reach }: { dates: readonly NamedDate[]; limit: number; reach: number },
) {
  const { graph, memories, plan, vectors, embedder } = context;
  const { text, supplements } = question;
  const { filter, hints } = plan;
  const main = { filter, limit };
  const beside = { filter, limit: SUPPLEMENT_LIMIT };
  const asked = askedTerms(text);
  const terms = searchKeys(asked);
  const supplementTexts = supplements.map(each => ({ text: each, embedding: undefined }));
  // The vector search begins first, because it needs no time of this thread.
  const vectorSearch = byMeaning(context, question, main);
  if (vectors && embedder.isImmediate) await context.embedQuestion(question);
  const wordSearch = Promise.all([
    searchWords(graph, asked, main),
    Promise.all(supplements.map(each => keywordChannel(graph, { terms: searchKeys(askedTerms(each)), ...beside }))),
  ]).then(([found, further]) => ({ ...found, foundIds: [...found.ids, ...further.flatMap(({ ids }) => ids)] }));
  // To save time, read and compare the memories found by words while the other channels still search.
  const byWords = wordSearch.then(async ({ ids, statistics, foundIds, asked: found }) => {
    const evidence = readEvidence({ query: text, asked: found }, statistics, dates);
    const compareWords = createWordComparison(evidence);
    const readings = await memories.read(foundIds);
    for await (const reading of inSteps(readings)) compareWords(reading);
    // The vector of the question may take a model or a service long.
    if (vectors && !embedder.isImmediate) await waitOutside(() => context.embedQuestion(question));
    return { ids, foundIds, evidence, compareWords };
  });
  const early = Promise.all([wordSearch, vectorSearch]).then(([{ foundIds }, outcome]) =>
    comparedEarly(context, [...new Set([...foundIds, ...outcome.ids])], outcome),
  );
  const [meaning, compared, furtherMeaning, words, ofDates, listed, waiting] = await Promise.all([
    vectorSearch.then(async outcome => {
      await memories.read(outcome.ids);
      return outcome;
    }),
    early,
    Promise.all(supplementTexts.map(each => byMeaning(context, each, beside))),
    byWords,
    Promise.all(dates.map(date => dateChannel(graph, date, { terms, ...main }))),
    // If results are sorted by time, also list memories: the caller wants the first matches, even weak matches.
    plan.order === 'score' ? { ids: [], hasMore: false } : listIds(context, reach),
    isScoped(plan) ? graph.listWaiting({ kind: 'embed', filter, limit: Math.max(WAITING_LIMIT_MIN, limit) }) : [],
  ]);
  const found: [FoundBy, Iterable<string>][] = [
    ['keyword', words.foundIds],
    ['date', ofDates.flat()],
    ['vector', [meaning, ...furtherMeaning].flatMap(each => each.ids)],
    ['list', listed.ids],
    ['waiting', waiting],
    ['priority', hints?.ids ?? []],
  ];
  return { meaning, words, compared, listed, found };
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
