/** Keeping an answer short: the best results whose text fits into about so many tokens. */
import type { Scored } from './candidate.js';

/** English prose in the tokenizers of current models; code and other scripts take more tokens for the same length. */
const CHARACTERS_PER_TOKEN = 4;
/** Number, score, match type, id and time beside each memory. */
const FRAME_CHARACTERS = 160;

/** The first result is always kept: an answer that leaves out everything says nothing. */
export function withinTokenBudget(
  results: readonly Scored[],
  maxTokens: number | undefined,
): { kept: Scored[]; omitted: number } {
  if (maxTokens === undefined) return { kept: [...results], omitted: 0 };
  let spent = 0;
  const firstTooMany = results.findIndex((scored, index) => {
    spent += estimateTokens(scored);
    return index > 0 && spent > maxTokens;
  });
  const kept = firstTooMany < 0 ? [...results] : results.slice(0, firstTooMany);
  return { kept, omitted: results.length - kept.length };
}

function estimateTokens({ candidate: { memory } }: Scored): number {
  const characters = memory.content.length + memory.tags.join(', ').length + FRAME_CHARACTERS;
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
