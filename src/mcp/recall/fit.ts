/** Keeps the text and the structured content of a recall within `max_tokens`. */

import type { RecallAnswer } from '../../api/recall.js';
import type { RecallResult } from '../../api/recall-result.js';
import { estimateTokens } from '../../domain/tokens.js';
import { visibleJson } from '../../domain/visible-text.js';
import type { ToolOutcome } from '../tool.js';
import { asksSomething } from './notes.js';

/** Minimum length of a shortened content, in tokens. Shorter content would tell the reader nothing. */
const CONTENT_TOKENS_MIN = 25;
/**
 * Maximum number of times that the content of a memory is shortened further if the answer still does not fit. The
 * first length may not fit, because structured content escapes quotes and line breaks and so is longer than the text.
 */
const SHORTENINGS_MAX = 8;

/** @param contentTokens maximum tokens of each content, when a content must be shortened */
export type Present = (answer: RecallAnswer, contentTokens?: number) => ToolOutcome;

/**
 * Returns as many of the best results as fit together, in the order of the answer. When a single result is too long,
 * returns the beginning of its content.
 *
 * @returns an outcome that may still be too long, for example if everything except the content already exceeds the
 * limit
 */
export function withinTokens(answer: RecallAnswer, maxTokens: number | undefined, present: Present): ToolOutcome {
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
export function fits(outcome: ToolOutcome, maxTokens: number): boolean {
  return tokensOf(outcome) <= maxTokens;
}

/** Number of tokens of the longer form of an answer: text or structured content. */
function tokensOf({ text, structured }: ToolOutcome): number {
  return Math.max(tokensIn([text].flat().join('\n')), tokensIn(JSON.stringify(visibleJson(structured))));
}

const ID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;
/** Tokens of an id beyond those of prose of its length. Ids are half of what an answer adds to short memories. */
const ID_TOKENS_MORE = 16;

function tokensIn(text: string): number {
  return estimateTokens(text) + ID_TOKENS_MORE * (text.match(ID)?.length ?? 0);
}

function shortened(answer: RecallAnswer, maxTokens: number, present: Present): ToolOutcome {
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
