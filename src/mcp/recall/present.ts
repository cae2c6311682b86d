/**
 * Presents an answer of the memory as `recall_memory` returns it: as text in the requested format and as structured
 * content.
 */
import type { MemoryAnswer } from '../../api/memories.js';
import type { RecallAnswer } from '../../api/recall.js';
import type { TagPageAnswer } from '../../api/tags.js';
import type { ToolOutcome } from '../tool.js';
import { excerptOf } from './excerpt.js';
import { fits, withinTokens } from './fit.js';
import { type Format, itemBlocks, jsonText, labelledText } from './formats.js';
import type { Detail, Shown } from './item.js';
import { DEGRADED, isDegraded, notesOf, windowNote } from './notes.js';
import { fetchOutput, pageOutput, rankedOutput } from './output.js';
import { fetchedText, listText, pageHeading, rankedHeading } from './text.js';

/** How to show an answer. */
export interface View {
  format: Format;
  isExplained: boolean;
  usesSummaries: boolean;
}

/** A recall answer with the notes about it. */
export interface ShownAnswer {
  answer: RecallAnswer;
  notes: readonly string[];
}

export function presentRanked(answer: RecallAnswer, view: View, maxTokens?: number): ToolOutcome {
  const detail = detailOf(view);
  if (maxTokens === undefined) return ranked(answer, { view, detail });
  const within = (rules: Rules) =>
    withinTokens(answer, maxTokens, (part, contentTokens) => ranked(part, { ...rules, contentTokens }));
  // A further memory is worth more than scores and relations, unless the caller asked for more detail. But even a
  // single memory in detail may exceed the limit, and the caller can fetch it by its id.
  const outcome = isDetailed(view) ? within({ view, detail }) : ranked(answer, { view, detail });
  return fits(outcome, maxTokens) ? outcome : within({ view, detail: 'brief' });
}

export function presentPage(page: TagPageAnswer, view: View): ToolOutcome {
  const shown = shownOf(page.results, { view, detail: detailOf(view) });
  const structured = pageOutput(page, shown, detailOf(view));
  return {
    text: textOf({ heading: pageHeading(page), shown, offset: page.offset, structured }, view.format),
    structured,
  };
}

export function presentFetched(id: string, answer: MemoryAnswer | undefined, { format }: View): ToolOutcome {
  const structured = fetchOutput(answer);
  return { text: format === 'json' ? jsonText(structured) : fetchedText(id, answer), structured };
}

interface Rules {
  view: View;
  detail: Detail;
  contentTokens?: number | undefined;
}

function ranked(answer: RecallAnswer, { view, detail, contentTokens }: Rules): ToolOutcome {
  const isReduced = detail !== detailOf(view);
  const shown = shownOf(isReduced ? answer.results.map(unexplained) : answer.results, { view, detail, contentTokens });
  const isShortened = contentTokens !== undefined && shown.some(({ excerpt }) => excerpt.content_truncated);
  const notes = notesOf(answer, isShortened);
  const reduced = isReduced ? ['fields left out to stay within max_tokens'] : [];
  const structured = rankedOutput(answer, { shown, notes: [...notes, ...reduced], detail });
  // The text of a plain view has the same fields with every detail.
  const told = [...windowNote(answer), ...notes, ...(isDetailed(view) ? reduced : [])];
  const below = isDegraded(answer) ? [...told, DEGRADED] : told;
  const heading = rankedHeading({ answer, notes: told });
  const format = isReduced && view.format === 'detailed' ? 'text' : view.format;
  return { text: textOf({ heading, shown, offset: 0, notes: below, structured }, format), structured };
}

function unexplained({ explanation: _why, ...result }: RecallAnswer['results'][number]) {
  return result;
}

/** Full detail is for callers who ask how a score was computed, and for programs that read JSON. */
function detailOf({ format, isExplained }: View): Detail {
  return isExplained || format === 'json' ? 'full' : 'table';
}

function isDetailed(view: View): boolean {
  return detailOf(view) === 'full' || view.format === 'detailed';
}

function shownOf(results: RecallAnswer['results'], { view, detail, contentTokens }: Rules): Shown[] {
  const rules = { usesSummary: view.usesSummaries, isWhole: detail === 'full', maxTokens: contentTokens };
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

function textOf({ heading, shown, offset, notes = [], structured }: List, format: Format): string | string[] {
  if (format === 'json') return jsonText(structured);
  if (format === 'items') return itemBlocks(heading, shown, notes);
  return format === 'detailed' ? labelledText(heading, shown, offset) : listText(heading, shown, offset);
}
