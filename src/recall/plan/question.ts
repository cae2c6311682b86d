/** Derives the questions of a recall. */
import type { RecallQuery } from '../../domain/recall-query.js';
import { decompose } from '../language/decompose.js';

export interface Question {
  /** Empty for a recall by vector only, and for a listing. */
  text: string;
  /** A vector that replaces the vector of the text. */
  embedding: readonly number[] | undefined;
  /** Additional texts whose hits become candidates too. Candidates are scored against `text`. */
  supplements: readonly string[];
  /** Maximum number of results for this question. */
  limit: number;
}

/** The questions that the caller asks. The list is empty for a listing. */
export function questionsOf(query: RecallQuery): Question[] {
  const texts = [...new Set([...(query.query === undefined ? [] : [query.query]), ...(query.queries ?? [])])];
  const limit = Math.min(query.per_query_limit ?? query.limit, query.limit);
  const ask = (text: string, embedding?: readonly number[]): Question => ({
    text,
    embedding,
    supplements: query.auto_decompose ? decompose(text) : [],
    limit,
  });
  if (query.query === undefined && query.embedding) return [ask('', query.embedding), ...texts.map(text => ask(text))];
  return texts.map(text => ask(text, text === query.query ? query.embedding : undefined));
}
