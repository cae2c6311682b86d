/** Keeping both the text and the structured content of a recall within `max_tokens`. */
import type { RecallAnswer } from '../../api/answers/recall.js';
import type { RecallResult } from '../../api/answers/result.js';
import { estimateTokens } from '../../domain/tokens.js';
import { visibleJson } from '../../domain/visible-text.js';
import type { ToolOutcome } from '../tool.js';
import { asksSomething } from './notes.js';

/** Less of a content would say nothing. */
const CONTENT_TOKENS_MIN = 25;
/** Structured content writes quotes and line ends longer: a content is shortened until it fits. */
const SHORTENINGS_MAX = 8;

/** @param contentTokens most tokens of each content, where one has to be shortened */
export type Present = (answer: RecallAnswer, contentTokens?: number) => ToolOutcome;

/**
 * The best results that fit together, in the order of the answer; of a single one that is too long the beginning.
 *
 * @returns an outcome that may still be longer, where everything around the beginning of one content is
 */
export function withinTokens(answer: RecallAnswer, maxTokens: number | undefined, present: Present): ToolOutcome {
  const whole = present(answer);
  if (maxTokens === undefined || fits(whole, maxTokens) || answer.results.length === 0) return whole;
  // The greatest number that fits lies from `fewest` on and below `tooMany`.
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

/** Whether both forms of an answer are short enough. */
export function fits(outcome: ToolOutcome, maxTokens: number): boolean {
  return tokensOf(outcome) <= maxTokens;
}

/** Counts the longer of the two forms. */
function tokensOf({ text, structured }: ToolOutcome): number {
  return Math.max(estimateTokens([text].flat().join('\n')), estimateTokens(JSON.stringify(visibleJson(structured))));
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

/** So many results, as recall itself would have left out the others. */
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

/** What was asked for before what was added, each best first. */
function byRank(a: RecallResult, b: RecallResult): number {
  return Number(isAdded(a)) - Number(isAdded(b)) || b.final_score - a.final_score;
}

function isAdded({ from, expanded_from_entity: entity, outside_tag_scope }: RecallResult): boolean {
  return from !== undefined || entity !== undefined || outside_tag_scope === true;
}
