/** The golden questions. The memories answer some of them, and do not answer the others. */
import type { RawInput } from '../../src/api/input.js';
import OF_BURSTS from './burst-queries.json' with { type: 'json' };
import OF_GAP from './gap-queries.json' with { type: 'json' };
import QUERIES from './queries.json' with { type: 'json' };

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

const { code, people, dates, unanswerable } = QUERIES;
const answerable = (queries: unknown) => queries as readonly AnswerableQuery[];

/** Hardly any of the memories that answer the questions with dates has the date in its text. */
export const ANSWERABLE_QUERIES = answerable([...code, ...people, ...dates]);
export const UNANSWERABLE_QUERIES: readonly UnanswerableQuery[] = [
  ...unanswerable.hard.map(ask => ({ ask, isHard: true })),
  ...unanswerable.easy.map(ask => ({ ask, isHard: false })),
];

/**
 * Questions about the notes stored in bursts. One note answers each question. The other notes of the burst are about
 * other facts of the same project. The plain ones use the words of the note that answers them. The hard ones partly use
 * other words, or share more words with another note.
 */
export const PLAIN_BURST_QUERIES = answerable(OF_BURSTS.plain);
export const HARD_BURST_QUERIES = answerable(OF_BURSTS.hard);
export const BURST_QUERIES = [...PLAIN_BURST_QUERIES, ...HARD_BURST_QUERIES];

/**
 * Questions that share no stem with the note that answers them, although any person recognises the answer. Words alone
 * cannot find these notes, but semantic embeddings can. With all-MiniLM-L6-v2, vector similarity alone ranks 84% of the
 * notes among the first five.
 */
export const GAP_QUERIES = answerable(OF_GAP.answerable);
/** Questions that sound like the questions above, but that no note answers. */
export const UNANSWERABLE_GAP_QUERIES: readonly string[] = OF_GAP.unanswerable;
