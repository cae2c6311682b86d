/** What a recall comes down to: its questions, its filter, and what was left to us to decide. */
import { invalidField } from '../domain/errors.js';
import type { MemoryFilter } from '../domain/filter.js';
import { filterOf, type RecallQuery, type SortOrder } from '../domain/recall-query.js';
import type { RecallSettings } from '../domain/settings.js';
import { prepareDateParser } from '../time/date-parser.js';
import { readTime, unreadableTime } from '../time/said-time.js';
import { parseTimeQuery, type TimeWindow } from '../time/time-window.js';
import { decompose } from './decompose.js';
import { type HintProfile, readHints } from './hints.js';
import type { Question } from './search.js';
import { hasRecencyBias } from './thresholds.js';

export interface RecallPlan {
  query: RecallQuery;
  /** None when the recall asks nothing and lists. */
  questions: Question[];
  /** Everything a result must pass. */
  filter: MemoryFilter;
  hints: HintProfile | undefined;
  window: Pick<TimeWindow, 'fromMs' | 'toMs'>;
  sort: SortOrder;
  isCurrentOnly: boolean;
  hasRecencyBias: boolean;
  minScore: number;
  usesAdaptiveFloor: boolean;
  relationLimit: number;
  expansionLimit: number;
}

/** @throws MemoryError `invalid` for a time expression that cannot be read */
export async function planRecall(query: RecallQuery, settings: RecallSettings, nowMs: number): Promise<RecallPlan> {
  const window = await readWindow(query, nowMs);
  const isCurrentOnly = query.state_mode !== 'history';
  const filter = { ...filterOf(query), ...window, ...(isCurrentOnly && { validAtMs: nowMs }) };
  const hints = readHints(query.hints);
  const questions = questionsOf(query, { filter, hints });
  const text = questions.map(question => question.text).join(' ');
  return {
    query,
    questions,
    filter,
    hints,
    window,
    sort: query.sort ?? defaultSort(window, questions.length > 0),
    isCurrentOnly,
    hasRecencyBias: questions.length > 0 && hasRecencyBias(query.recency_bias ?? settings.recencyBias, text),
    minScore: query.min_score ?? settings.minScore,
    usesAdaptiveFloor: query.adaptive_floor ?? settings.adaptiveFloor,
    relationLimit: query.relation_limit ?? settings.relationLimit,
    expansionLimit: query.expansion?.limit ?? settings.expansionLimit,
  };
}

/** Explicit bounds win over the expression, each on its side. */
async function readWindow(
  { time_query: phrase, start, end }: RecallQuery,
  nowMs: number,
): Promise<Pick<TimeWindow, 'fromMs' | 'toMs'>> {
  const said = phrase === undefined ? {} : await readPhrase(phrase, nowMs);
  const startMs = start === undefined ? undefined : await readTime(start, { field: 'start', nowMs });
  const endMs = end === undefined ? undefined : await readTime(end, { field: 'end', nowMs, side: 'end' });
  if ((startMs ?? -Infinity) > (endMs ?? Infinity)) throw invalidField('end', 'must not lie before start');
  const [fromMs, toMs] = [startMs ?? said.fromMs, endMs ?? said.toMs];
  if ((fromMs ?? -Infinity) > (toMs ?? Infinity)) {
    throw invalidField('time_query', 'and the explicit bound leave no time: the start must not be after the end');
  }
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}

async function readPhrase(phrase: string, nowMs: number): Promise<TimeWindow> {
  await prepareDateParser();
  const window = parseTimeQuery(phrase, nowMs);
  if (window) return window;
  throw unreadableTime('time_query', phrase, 'Try "last 7 days", "yesterday" or "in May 2024"');
}

function questionsOf(query: RecallQuery, common: Pick<Question, 'filter' | 'hints'>): Question[] {
  const texts = [...new Set([...(query.query === undefined ? [] : [query.query]), ...(query.queries ?? [])])];
  const limit = Math.min(query.per_query_limit ?? query.limit, query.limit);
  const ask = (text: string, embedding?: readonly number[]): Question => ({
    ...common,
    text,
    embedding,
    supplements: query.auto_decompose ? decompose(text) : [],
    limit,
  });
  if (query.query === undefined && query.embedding) return [ask('', query.embedding), ...texts.map(text => ask(text))];
  return texts.map(text => ask(text, text === query.query ? query.embedding : undefined));
}

/** A time window without a question reads as "what happened then", newest first. */
function defaultSort({ fromMs, toMs }: TimeWindow, asksSomething: boolean): SortOrder {
  const hasWindow = fromMs !== undefined || toMs !== undefined;
  return hasWindow && !asksSomething ? 'time_desc' : 'score';
}
