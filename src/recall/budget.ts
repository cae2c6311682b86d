/** Keeping an answer short: the best results whose text fits into about so many tokens. */
import { estimateTokens } from '../domain/tokens.js';
import type { Scored } from './candidate.js';

/** Number, score, match type, id and time beside each memory. */
const FRAME_TOKENS = 40;

export interface Budgeted {
  kept: Scored[];
  omitted: number;
  /** The best result alone is longer than allowed. It is kept whole; who shows it as text shortens it. */
  isExceeded: boolean;
}

/**
 * The first results that fit together. The very first is always kept: an answer that leaves out everything says nothing.
 *
 * @param results best first
 */
export function withinTokenBudget(results: readonly Scored[], maxTokens: number = Infinity): Budgeted {
  let spent = 0;
  let isExceeded = false;
  const firstTooMany = results.findIndex((scored, index) => {
    spent += resultTokens(scored);
    isExceeded ||= index === 0 && spent > maxTokens;
    return index > 0 && spent > maxTokens;
  });
  const kept = firstTooMany < 0 ? [...results] : results.slice(0, firstTooMany);
  return { kept, omitted: results.length - kept.length, isExceeded };
}

function resultTokens({ candidate: { memory } }: Scored): number {
  return estimateTokens(memory.content) + estimateTokens(memory.tags.join(', ')) + FRAME_TOKENS;
}
