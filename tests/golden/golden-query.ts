/** The shapes of the golden questions. */
import type { RawInput } from '../../src/api/input.js';

/** A question that the golden memories answer. */
export interface AnswerableQuery {
  /** The question, or every parameter of the recall. */
  ask: string | RawInput;
  /** Names of the memories that answer it. */
  expected: readonly string[];
  /** Within how many results all of them must stand; 1 unless said otherwise. */
  within?: number;
  /** Ranking does not manage it yet: the question counts for recall@5 and MRR only. */
  isMissed?: true;
}

/** A question whose answer is not in the store; `isHard` when it shares words with memories that seem to fit. */
export interface UnanswerableQuery {
  ask: string;
  isHard: boolean;
}

export function parametersOf(ask: string | RawInput): RawInput {
  return typeof ask === 'string' ? { query: ask } : ask;
}
