/**
 * Turns the parameters of a recall into a plan: its queries, its filter, and the choices that the caller left open.
 */

import { invalidField } from '../domain/errors.js';
import { createFilterCheck, type FilterPart, invalidityAt, type MemoryFilter } from '../domain/filter.js';
import { lengthProblem } from '../domain/input.js';
import type { Memory } from '../domain/memory.js';
import {
  type DropReason,
  filterOf,
  type RecallQuery,
  type SortOrder,
  TIME_QUERY_MAX_LENGTH,
} from '../domain/recall.js';
import type { RecallSettings } from '../domain/settings.js';
import { isStopWord } from '../domain/text/language.js';
import { words } from '../domain/text/words.js';
import type { Now } from '../time/calendar.js';
import { readTime, unreadableTime } from '../time/stated-time.js';
import { readTimeWords, type TimeWindow } from '../time/time-window.js';
import { type HintProfile, readHints } from './language/hints.js';

export interface RecallPlan {
  request: RecallQuery;
  /** A listing has one query without text. */
  queries: readonly Query[];
  isListing: boolean;
  /** The conditions that every result must meet. */
  filter: MemoryFilter;
  hints: HintProfile | undefined;
  window: Window;
  /** The sort order that the answer reports. */
  sort: SortOrder;
  /** The order that is applied. A listing is sorted by importance if no order, time window or hints are given. */
  order: SortOrder | 'importance';
  isCurrentOnly: boolean;
  hasRecencyBias: boolean;
  minScore: number;
  usesAdaptiveFloor: boolean;
  relationLimit: number;
  expansionLimit: number;
}

/** @throws MemoryError `invalid` for an unreadable time expression */
export async function planRecall(request: RecallQuery, settings: RecallSettings, now: Now): Promise<RecallPlan> {
  const window = await readWindow(request, now);
  const isCurrentOnly = request.state_mode !== 'history';
  const queries = queriesOf(request);
  const isListing = queries.length === 0;
  const sort = request.sort ?? (isListing && hasBounds(window) ? 'time_desc' : 'score');
  const hints = readHints(request.hints);
  const isByImportance = isListing && sort === 'score' && request.sort === undefined && hints === undefined;
  const bias = request.recency_bias ?? 'off';
  return {
    request,
    queries: isListing ? [{ text: '', embedding: undefined, supplements: [], limit: request.limit }] : queries,
    isListing,
    filter: { ...filterOf(request), ...window, ...(isCurrentOnly && { validAtMs: now.nowMs }) },
    hints,
    window,
    sort,
    order: isByImportance ? 'importance' : sort,
    isCurrentOnly,
    hasRecencyBias: bias === 'on' || (bias === 'auto' && queries.some(({ text }) => asksForTheLatest(text))),
    minScore: request.min_score ?? settings.minScore,
    usesAdaptiveFloor: request.adaptive_floor ?? settings.adaptiveFloor,
    relationLimit: request.relation_limit ?? settings.relationLimit,
    expansionLimit: request.expansion?.limit ?? settings.expansionLimit,
  };
}

const ASKS_FOR_THE_LATEST =
  /\b(latest|most recent|recently|current(ly)?|now|nowadays|today|changed|updated|last time|newest|these days|anymore)\b/i;

export function asksForTheLatest(text: string): boolean {
  return ASKS_FOR_THE_LATEST.test(text);
}

/** Whether the time window has a start or an end. By default, a listing is then sorted by time, newest first. */
function hasBounds({ fromMs, toMs }: Window): boolean {
  return fromMs !== undefined || toMs !== undefined;
}

/** Whether tags or a time are given. The caller then wants all matching memories, best first. */
export function isScoped({ filter: { tags, fromMs, toMs } }: RecallPlan): boolean {
  return tags !== undefined || hasBounds({ fromMs, toMs } as Window);
}

export interface Query {
  /** Empty for a recall by vector only, and for a listing. */
  text: string;
  /** A vector that replaces the vector of the text. */
  embedding: readonly number[] | undefined;
  /** Additional texts whose hits become candidates too. Candidates are scored against `text`. */
  supplements: readonly string[];
  /** Maximum number of results for this query. */
  limit: number;
}

/** The queries of the caller. The list is empty for a listing. */
function queriesOf(request: RecallQuery): Query[] {
  const texts = [...new Set([...(request.query === undefined ? [] : [request.query]), ...(request.queries ?? [])])];
  const limit = Math.min(request.per_query_limit ?? request.limit, request.limit);
  const toQuery = (text: string, embedding?: readonly number[]): Query => ({
    text,
    embedding,
    supplements: request.auto_decompose ? decompose(text) : [],
    limit,
  });
  if (request.query === undefined && request.embedding) {
    return [toQuery('', request.embedding), ...texts.map(text => toQuery(text))];
  }
  return texts.map(text => toQuery(text, text === request.query ? request.embedding : undefined));
}

const ENTITIES_MAX = 2;
const TOPICS_MAX = 3;
const TOPIC_MIN_LENGTH = 4;
const NAME_WORD = "\\p{Lu}[\\p{L}\\p{N}]*(?:['’]\\p{Lu}[\\p{L}\\p{N}]*)?";
/** A sequence of capitalised words, or a text in quotation marks. */
const NAME = new RegExp(`["“]([^"”]{1,200})["”]|(?<![\\p{L}\\p{N}])${NAME_WORD}(?:[ -]${NAME_WORD})*`, 'gu');
/** Words that cannot begin a name, even with a capital: first words of requests, days of the week, and months. */
const NO_NAMES = new Set(
  `yes please tell remind remember show give find list describe explain summarize monday tuesday wednesday thursday friday
  saturday sunday january february march april may june july august september october november december`.split(/\s+/),
);

/**
 * Additional texts to search for: each name, each name with each subject, or only the subjects if there is no name.
 */
export function decompose(query: string): string[] {
  const names = namesIn(query);
  const entities = names.slice(0, ENTITIES_MAX);
  const named = new Set(names.flatMap(words));
  const topics = [...new Set(words(query))]
    .filter(word => word.length >= TOPIC_MIN_LENGTH && !isStopWord(word) && !named.has(word))
    .slice(0, TOPICS_MAX);
  const supplements =
    entities.length > 0 ? entities.flatMap(entity => [entity, ...topics.map(topic => `${entity} ${topic}`)]) : topics;
  return [...new Set(supplements)];
}

/** Names in order of appearance. */
function namesIn(query: string): string[] {
  const names = [...query.matchAll(NAME)].map(([run, quoted]) => quoted?.trim() ?? withoutOpening(run));
  return [...new Set(names.filter(name => name !== ''))];
}

/** Removes question words and similar words from the beginning of a sequence, because they are not names. */
function withoutOpening(run: string): string {
  const parts = run.split(' ');
  const first = parts.map(part => part.toLowerCase()).findIndex(part => !isStopWord(part) && !NO_NAMES.has(part));
  return first < 0 ? '' : parts.slice(first).join(' ');
}

type Window = Pick<TimeWindow, 'fromMs' | 'toMs'>;

/**
 * Reads the window of `time_query`. An explicit `start` or `end` replaces the start or the end of this window. Beside
 * an explicit bound, an unreadable `time_query` is ignored.
 *
 * @throws MemoryError `invalid` for an unreadable time expression, or when the start is after the end
 */
async function readWindow({ time_query: phrase, start, end }: RecallQuery, now: Now): Promise<Window> {
  const hasBounds = start !== undefined || end !== undefined;
  const said = phrase === undefined ? {} : await readPhrase(phrase, now, !hasBounds);
  const startMs = start === undefined ? undefined : await readTime(start, { field: 'start', now });
  const endMs = end === undefined ? undefined : await readTime(end, { field: 'end', now, side: 'end' });
  if ((startMs ?? -Infinity) > (endMs ?? Infinity)) throw invalidField('end', 'must not be before start');
  const [fromMs, toMs] = [startMs ?? said.fromMs, endMs ?? said.toMs];
  if ((fromMs ?? -Infinity) > (toMs ?? Infinity)) {
    throw invalidField(
      'time_query',
      'and the explicit bound leave no time between them: the start must not be after the end',
    );
  }
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}

async function readPhrase(phrase: string, now: Now, mustBeReadable: boolean): Promise<Window> {
  const problem = lengthProblem(phrase, TIME_QUERY_MAX_LENGTH);
  const window = problem === undefined && (await readTimeWords(phrase, { ...now, meant: 'last' }));
  if (window) return window;
  if (!mustBeReadable) return {};
  if (problem !== undefined) throw invalidField('time_query', problem);
  throw unreadableTime('time_query', phrase, 'Try "last 7 days", "yesterday" or "in May 2024"');
}

const REASONS: Record<FilterPart, (memory: Memory, filter: MemoryFilter) => DropReason | undefined> = {
  tags: (_, { tags }) => ({ reason: 'filteredByTags', tagKeys: tags?.keys ?? [] }),
  excludedTags: () => ({ reason: 'filteredByExcludedTags' }),
  time: () => ({ reason: 'filteredByTime' }),
  validity: (memory, { validAtMs = 0 }) => {
    const reason = invalidityAt(memory, validAtMs);
    return reason && { reason };
  },
};

/**
 * Creates a function that says why a memory fails the filter. It names the first failed part, and returns undefined for
 * a memory that passes.
 */
export function failedFilterOf(filter: MemoryFilter): (memory: Memory) => DropReason | undefined {
  const failedPart = createFilterCheck(filter);
  return memory => {
    const part = failedPart(memory);
    return part && REASONS[part](memory, filter);
  };
}
