/** What a recall comes down to: its questions, its filter, and what was left to us to decide. */
import { invalidField } from '../domain/errors.js';
import type { MemoryFilter } from '../domain/filter.js';
import { filterOf, type RecallQuery, type SortOrder } from '../domain/recall-query.js';
import type { RecallSettings } from '../domain/settings.js';
import { prepareDateParser } from './date-parser.js';
import { decompose } from './decompose.js';
import { type HintProfile, readHints } from './hints.js';
import type { Question } from './search.js';
import { hasRecencyBias } from './thresholds.js';
import { parseTimeQuery, type TimeWindow } from './time-window.js';

export interface RecallPlan {
  query: RecallQuery;
  /** None when the recall asks nothing and lists. */
  questions: Question[];
  /** Everything a result must pass. */
  filter: MemoryFilter;
  hints: HintProfile | undefined;
  window: TimeWindow;
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
  if (query.time_query !== undefined) await prepareDateParser();
  const window = readWindow(query, nowMs);
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

/** How much of an unreadable time expression its error repeats. */
const PHRASE_SHOWN_LENGTH = 100;

/** Explicit bounds win over the expression, each on its side. */
function readWindow({ time_query: phrase, start, end }: RecallQuery, nowMs: number): TimeWindow {
  const said = phrase === undefined ? {} : parseTimeQuery(phrase, nowMs);
  if (!said) {
    const shown = phrase?.slice(0, PHRASE_SHOWN_LENGTH);
    throw invalidField('time_query', `cannot be read: '${shown}'. Try "last 7 days", "yesterday" or "in May 2024"`);
  }
  const window = {
    ...said,
    ...(start !== undefined && { fromMs: Date.parse(start) }),
    ...(end !== undefined && { toMs: Date.parse(end) }),
  };
  if ((window.fromMs ?? -Infinity) > (window.toMs ?? Infinity)) {
    throw invalidField('time_query', 'and the explicit bound leave no time: the start must not be after the end');
  }
  return window;
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
