/** A recall whose best memory alone is longer than max_tokens: the beginning of it, and how much more there is. */
import type { RecallAnswer } from '../api/answers/recall.js';
import type { RecallResult } from '../api/answers/result.js';
import { characterCount } from '../domain/text.js';
import { estimateTokens, takeTokens } from '../domain/tokens.js';

/** What is left of a content that was cut; the names are AutoMem's. */
export interface Cut {
  content_truncated?: true;
  /** Characters of the whole. */
  content_chars?: number;
}

export type ShownResult = RecallResult & { memory: Cut };
export type ShownAnswer = Omit<RecallAnswer, 'results'> & { results: ShownResult[] };

/** Summary, facts and id around a single memory. */
const FRAME_TOKENS = 100;
/** Less of a content would say nothing. */
const CONTENT_TOKENS_MIN = 25;

/** Several results fit together, or they would not all be there; a single one may not. */
export function shortened(answer: RecallAnswer, maxTokens: number | undefined): ShownAnswer {
  const [only, ...others] = answer.results;
  if (maxTokens === undefined || !only || others.length > 0) return answer;
  const { content, tags } = only.memory;
  const room = Math.max(CONTENT_TOKENS_MIN, maxTokens - FRAME_TOKENS - estimateTokens(tags.join(', ')));
  const beginning = takeTokens(content, room);
  if (beginning === content) return answer;
  const cut = { content: beginning, content_truncated: true, content_chars: characterCount(content) } as const;
  return { ...answer, results: [{ ...only, memory: { ...only.memory, ...cut } }], truncation: blockOf(answer) };
}

function blockOf({ truncation }: RecallAnswer): NonNullable<RecallAnswer['truncation']> {
  return truncation ?? { applied: true, omitted_results: 0, reason: 'max_tokens' };
}
