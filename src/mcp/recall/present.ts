/**
 * Presents an answer of the memory as `recall_memory` returns it: as text in the requested format and as structured
 * content.
 */
import type { MemoryAnswer } from '../../api/memories.js';
import type { RecallAnswer } from '../../api/recall.js';
import type { RecallResult } from '../../api/recall-result.js';
import type { TagPageAnswer } from '../../api/tags.js';
import { estimateTokens, visibleJson } from '../../domain/shown-text.js';
import type { ToolAnswer } from '../handlers.js';
import { asksSomething, DEGRADED, isDegraded, notesOf, windowNote } from './notes.js';
import { type Detail, excerptOf, fetchOutput, pageOutput, rankedOutput, type Shown } from './output.js';
import {
  type Format,
  fetchedText,
  itemBlocks,
  jsonText,
  labelledText,
  listText,
  pageHeading,
  rankedHeading,
} from './text.js';

/** The parameters of the tool that say how an answer is shown. */
export interface Presentation {
  format?: Format | undefined;
  /** Shows the summary instead of the content when a memory has one. */
  summaries?: boolean | undefined;
  /** Shows all fields, and how each score was computed. */
  explain?: boolean | undefined;
  /** Approximate maximum length of the answer, in tokens. */
  max_tokens?: number | undefined;
}

/** A recall answer with the notes about it. */
export interface ShownAnswer {
  answer: RecallAnswer;
  notes: readonly string[];
}

export function presentRanked(answer: RecallAnswer, how: Presentation = {}): ToolAnswer {
  const { max_tokens: maxTokens } = how;
  const detail = detailOf(how);
  if (maxTokens === undefined) return ranked(answer, { how, detail });
  const within = (rules: Rules) =>
    withinTokens(answer, maxTokens, (part, contentTokens) => ranked(part, { ...rules, contentTokens }));
  // A further memory is worth more than scores and relations, unless the caller asked for more detail. But even a
  // single memory in detail may exceed the limit, and the caller can fetch it by its id.
  const outcome = isDetailed(how) ? within({ how, detail }) : ranked(answer, { how, detail });
  return fits(outcome, maxTokens) ? outcome : within({ how, detail: 'brief' });
}

export function presentPage(page: TagPageAnswer, how: Presentation = {}): ToolAnswer {
  const detail = detailOf(how);
  const shown = shownOf(page.results, { how, detail });
  const structured = pageOutput(page, shown, detail);
  const text = textOf({ heading: pageHeading(page), shown, offset: page.offset, structured }, how.format);
  return { text, structured };
}

export function presentFetched(id: string, answer: MemoryAnswer | undefined, format?: Format): ToolAnswer {
  const structured = fetchOutput(answer);
  return { text: format === 'json' ? jsonText(structured) : fetchedText(id, answer), structured };
}

interface Rules {
  how: Presentation;
  detail: Detail;
  contentTokens?: number | undefined;
}

function ranked(answer: RecallAnswer, { how, detail, contentTokens }: Rules): ToolAnswer {
  const isReduced = detail !== detailOf(how);
  const shown = shownOf(isReduced ? answer.results.map(unexplained) : answer.results, { how, detail, contentTokens });
  const isShortened = contentTokens !== undefined && shown.some(({ excerpt }) => excerpt.content_truncated);
  const notes = notesOf(answer, isShortened);
  const reduced = isReduced ? ['fields left out to stay within max_tokens'] : [];
  const structured = rankedOutput(answer, { shown, notes: [...notes, ...reduced], detail });
  // Without detail, the text has the same fields even if fields of the structured content are left out.
  const textNotes = [...windowNote(answer), ...notes, ...(isDetailed(how) ? reduced : [])];
  const heading = rankedHeading({ answer, notes: textNotes });
  const below = isDegraded(answer) ? [...textNotes, DEGRADED] : textNotes;
  const format = isReduced && how.format === 'detailed' ? 'text' : how.format;
  return { text: textOf({ heading, shown, offset: 0, notes: below, structured }, format), structured };
}

function unexplained({ explanation: _why, ...result }: RecallAnswer['results'][number]) {
  return result;
}

/** Full detail is for callers who ask how a score was computed, and for programs that read JSON. */
function detailOf({ format, explain }: Presentation): Detail {
  return explain || format === 'json' ? 'full' : 'table';
}

function isDetailed(how: Presentation): boolean {
  return detailOf(how) === 'full' || how.format === 'detailed';
}

function shownOf(results: RecallAnswer['results'], { how, detail, contentTokens }: Rules): Shown[] {
  const rules = { usesSummary: how.summaries === true, isWhole: detail === 'full', maxTokens: contentTokens };
  return results.map(result => ({ result, excerpt: excerptOf(result.memory, rules) }));
}

interface List {
  heading: string;
  shown: readonly Shown[];
  offset: number;
  /** Notes for formats without a heading. */
  notes?: readonly string[];
  structured: object;
}

function textOf({ heading, shown, offset, notes = [], structured }: List, format: Format = 'text'): string | string[] {
  if (format === 'json') return jsonText(structured);
  if (format === 'items') return itemBlocks(heading, shown, notes);
  return format === 'detailed' ? labelledText(heading, shown, offset) : listText(heading, shown, offset);
}

/** Minimum length of a shortened content, in tokens. Shorter content would tell the reader nothing. */
const CONTENT_TOKENS_MIN = 25;
/**
 * Maximum number of times that the content of a memory is shortened further if the answer still does not fit. The
 * first length may not fit, because structured content escapes quotes and line breaks and so is longer than the text.
 */
const SHORTENINGS_MAX = 8;

/** @param contentTokens maximum tokens of each content, when a content must be shortened */
export type Present = (answer: RecallAnswer, contentTokens?: number) => ToolAnswer;

/**
 * Returns as many of the best results as fit together, in the order of the answer. When a single result is too long,
 * returns the beginning of its content.
 *
 * @returns an outcome that may still be too long, for example if everything except the content already exceeds the
 * limit
 */
function withinTokens(answer: RecallAnswer, maxTokens: number | undefined, present: Present): ToolAnswer {
  const whole = present(answer);
  if (maxTokens === undefined || fits(whole, maxTokens) || answer.results.length === 0) return whole;
  // At least `fewest` results are kept. `tooMany` results do not fit.
  let [fewest, tooMany] = [1, answer.results.length];
  while (fewest + 1 < tooMany) {
    const middle = Math.floor((fewest + tooMany) / 2);
    if (fits(present(best(answer, middle)), maxTokens)) fewest = middle;
    else tooMany = middle;
  }
  const kept = best(answer, fewest);
  const outcome = present(kept);
  return fits(outcome, maxTokens) ? outcome : shortened(kept, maxTokens, present);
}

/** Whether both the text and the structured content are short enough. */
function fits(outcome: ToolAnswer, maxTokens: number): boolean {
  return tokensOf(outcome) <= maxTokens;
}

/** Number of tokens of the longer form of an answer: text or structured content. */
function tokensOf({ text, structured }: ToolAnswer): number {
  return Math.max(tokensIn([text].flat().join('\n')), tokensIn(JSON.stringify(visibleJson(structured))));
}

const ID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;
/** Tokens of an id beyond those of prose of its length. Ids are half of what an answer adds to short memories. */
const ID_TOKENS_MORE = 16;

function tokensIn(text: string): number {
  return estimateTokens(text) + ID_TOKENS_MORE * (text.match(ID)?.length ?? 0);
}

function shortened(answer: RecallAnswer, maxTokens: number, present: Present): ToolAnswer {
  const truncation = answer.truncation ?? { applied: true as const, omitted_results: 0, reason: 'max_tokens' as const };
  const told = { ...answer, truncation };
  let room = Math.max(CONTENT_TOKENS_MIN, maxTokens - tokensOf(present(told, 0)));
  let outcome = present(told, room);
  for (let times = 0; times < SHORTENINGS_MAX && room > CONTENT_TOKENS_MIN && !fits(outcome, maxTokens); times++) {
    room = Math.max(CONTENT_TOKENS_MIN, room - Math.max(1, tokensOf(outcome) - maxTokens));
    outcome = present(told, room);
  }
  return outcome;
}

/** Keeps the `count` best results. The other results are left out and counted in `truncation`. */
function best(answer: RecallAnswer, count: number): RecallAnswer {
  const { results, truncation } = answer;
  const order = asksSomething(answer) ? results.toSorted(byRank) : results;
  const kept = new Set(order.slice(0, count));
  return {
    ...answer,
    results: results.filter(result => kept.has(result)),
    count,
    truncation: {
      ...truncation,
      applied: true,
      omitted_results: (truncation?.omitted_results ?? 0) + results.length - count,
      reason: 'max_tokens',
    },
  };
}

/** Orders direct results before added results, and the results of each group best first. */
function byRank(a: RecallResult, b: RecallResult): number {
  return Number(isAdded(a)) - Number(isAdded(b)) || b.final_score - a.final_score;
}

function isAdded({ from, expanded_from_entity: entity, outside_tag_scope }: RecallResult): boolean {
  return from !== undefined || entity !== undefined || outside_tag_scope === true;
}
