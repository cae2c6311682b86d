/** The formats of the golden questions. */
import type { RawInput } from '../../src/api/input.js';

/** A question that the golden memories answer. */
export interface AnswerableQuery {
  /** The question, or every parameter of the recall. */
  ask: string | RawInput;
  /** Names of the memories that answer the question. */
  expected: readonly string[];
  /** Number of first results that must include all expected memories, 1 by default. */
  within?: number;
  /** The answer is not yet ranked high enough. The question counts only for recall@5 and MRR. */
  isMissed?: true;
}

/** A question whose answer is not in the store. It is hard if it shares words with memories that seem to match. */
export interface UnanswerableQuery {
  ask: string;
  isHard: boolean;
}

export function parametersOf(ask: string | RawInput): RawInput {
  return typeof ask === 'string' ? { query: ask } : ask;
}
