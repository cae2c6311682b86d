/**
 * Presents an answer of the memory as `recall_memory` returns it: as text in the requested format and as structured
 * content.
 */
import type { MemoryAnswer } from '../../api/answers/memory.js';
import type { RecallAnswer } from '../../api/answers/recall.js';
import type { TagPageAnswer } from '../../api/answers/tag-page.js';
import type { ToolOutcome } from '../tool.js';
import { excerptOf } from './excerpt.js';
import { fits, withinTokens } from './fit.js';
import { type Format, itemBlocks, jsonText, labelledText } from './formats.js';
import type { Detail, Shown } from './item.js';
import { DEGRADED, isDegraded, notesOf } from './notes.js';
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
  const inDetail = (detail: Detail) =>
    withinTokens(answer, maxTokens, (part, contentTokens) => ranked(part, { view, detail, contentTokens }));
  const outcome = inDetail(detailOf(view));
  // Even a single memory with all its fields may exceed the limit. The lean form is then returned, because the caller
  // can fetch the memory by its id.
  return maxTokens === undefined || fits(outcome, maxTokens) ? outcome : inDetail('lean');
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

function ranked(answer: RecallAnswer, rules: Rules): ToolOutcome {
  const shown = shownOf(answer.results, rules);
  const isShortened = rules.contentTokens !== undefined && shown.some(({ excerpt }) => excerpt.content_truncated);
  const isReduced = rules.detail !== detailOf(rules.view);
  const notes = [...notesOf(answer, isShortened), ...(isReduced ? ['fields left out to stay within max_tokens'] : [])];
  const structured = rankedOutput(answer, { shown, notes, detail: rules.detail });
  const below = isDegraded(answer) ? [...notes, DEGRADED] : notes;
  const heading = rankedHeading({ answer, notes });
  const format = isReduced && rules.view.format === 'detailed' ? 'text' : rules.view.format;
  return { text: textOf({ heading, shown, offset: 0, notes: below, structured }, format), structured };
}

/** Full detail is for callers who ask how a score was computed, and for programs that read JSON. */
function detailOf({ format, isExplained }: View): Detail {
  if (isExplained || format === 'json') return 'full';
  return format === 'detailed' ? 'labelled' : 'lean';
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
