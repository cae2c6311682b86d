/** The formats of the golden questions. */
import type { RawInput } from '../../src/api/input.js';

/** A question that the golden memories answer. */
export interface AnswerableQuery {
  /** The question, or every parameter of the recall. */
  ask: string | RawInput;
  /** Names of the memories that answer it. */
  expected: readonly string[];
  /** The number of first results that must contain all of them; 1 by default. */
  within?: number;
  /** Ranking does not find the answer yet: the question counts for recall@5 and MRR only. */
  isMissed?: true;
}

/** A question whose answer is not in the store; `isHard` if it shares words with memories that seem to match. */
export interface UnanswerableQuery {
  ask: string;
  isHard: boolean;
}

export function parametersOf(ask: string | RawInput): RawInput {
  return typeof ask === 'string' ? { query: ask } : ask;
}
