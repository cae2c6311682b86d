/**
 * Turns the parameters of a recall into a plan: its questions, its filter, and the choices that the caller left open.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import { filterOf, type RecallQuery, type SortOrder } from '../../domain/recall-query.js';
import type { RecallSettings } from '../../domain/settings.js';
import type { Now } from '../../time/calendar.js';
import { type HintProfile, readHints } from '../language/hints.js';
import { type Question, questionsOf } from './question.js';
import { readWindow, type Window } from './time-window.js';

export interface RecallPlan {
  query: RecallQuery;
  /** A listing has one question without text. */
  questions: readonly Question[];
  isListing: boolean;
  /** The conditions that every result must meet. */
  filter: MemoryFilter;
  hints: HintProfile | undefined;
  window: Window;
  /** The sort order that the answer reports. */
  sort: SortOrder;
  /** The order that is applied. A listing without a given order or a time window is sorted by importance. */
  order: SortOrder | 'importance';
  isCurrentOnly: boolean;
  hasRecencyBias: boolean;
  minScore: number;
  usesAdaptiveFloor: boolean;
  relationLimit: number;
  expansionLimit: number;
}

/** @throws MemoryError `invalid` for an unreadable time expression */
export async function planRecall(query: RecallQuery, settings: RecallSettings, now: Now): Promise<RecallPlan> {
  const window = await readWindow(query, now);
  const isCurrentOnly = query.state_mode !== 'history';
  const questions = questionsOf(query);
  const isListing = questions.length === 0;
  const sort = query.sort ?? (isListing && hasBounds(window) ? 'time_desc' : 'score');
  const bias = query.recency_bias ?? 'off';
  return {
    query,
    questions: isListing ? [{ text: '', embedding: undefined, supplements: [], limit: query.limit }] : questions,
    isListing,
    filter: { ...filterOf(query), ...window, ...(isCurrentOnly && { validAtMs: now.nowMs }) },
    hints: readHints(query.hints),
    window,
    sort,
    order: isListing && sort === 'score' && query.sort === undefined ? 'importance' : sort,
    isCurrentOnly,
    hasRecencyBias: bias === 'on' || (bias === 'auto' && questions.some(({ text }) => asksForTheLatest(text))),
    minScore: query.min_score ?? settings.minScore,
    usesAdaptiveFloor: query.adaptive_floor ?? settings.adaptiveFloor,
    relationLimit: query.relation_limit ?? settings.relationLimit,
    expansionLimit: query.expansion?.limit ?? settings.expansionLimit,
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
