/** Step: keeps the best results whose text fits into about the given number of tokens. */
import { estimateTokens } from '../../domain/tokens.js';
import type { RecallContext } from '../context.js';
import { type Candidate, dropWhere, isAdded, type Pool } from '../pool.js';
import { compareScores } from './order.js';

/** Tokens for the details of each memory: number, score, match type, id and time. */
const FRAME_TOKENS = 40;

/** Keeps the order of the answer. Always keeps the best result, because an empty answer would be useless. */
export function budget({ plan }: RecallContext, pool: Pool): Pool {
  const maxTokens = plan.query.max_tokens;
  if (maxTokens === undefined) return pool;
  const best = plan.isListing ? pool.kept : bestFirst(pool.kept);
  let spent = 0;
  const firstTooMany = best.findIndex((candidate, index) => {
    spent += tokensOf(candidate);
    return index > 0 && spent > maxTokens;
  });
  const fitting = new Set(firstTooMany < 0 ? best : best.slice(0, firstTooMany));
  return dropWhere(pool, 'budget', candidate => (fitting.has(candidate) ? undefined : { reason: 'overBudget' }));
}

/**
 * Whether even the best result alone is longer than allowed. The result is kept whole. The tool that shows the result
 * shortens it.
 */
export function exceedsBudget({ plan }: RecallContext, { kept: [first, ...others] }: Pool): boolean {
  const { max_tokens: maxTokens = Infinity } = plan.query;
  return first !== undefined && others.length === 0 && tokensOf(first) > maxTokens;
}

/**
 * Sorts by score, even if the answer has another order. Results added by expansion or the fallback come after direct
 * results.
 */
function bestFirst(results: readonly Candidate[]): Candidate[] {
  const asked = results.filter(candidate => !isAdded(candidate));
  return [...asked.sort(compareScores), ...results.filter(isAdded)];
}

function tokensOf({ memory }: Candidate): number {
  return estimateTokens(memory.content) + estimateTokens(memory.tags.join(', ')) + FRAME_TOKENS;
}
