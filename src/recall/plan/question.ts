/** The questions of a recall. */
import type { RecallQuery } from '../../domain/recall-query.js';
import { decompose } from '../language/decompose.js';

export interface Question {
  /** Empty where only a vector or nothing was asked. */
  text: string;
  /** Takes the place of the text's own vector. */
  embedding: readonly number[] | undefined;
  /** Further texts whose hits are candidates too; they are scored against `text`. */
  supplements: readonly string[];
  /** Results wanted. */
  limit: number;
}

/** None where the recall asks nothing and lists. */
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
