/** The vectors of a question. */

import type { Embedder } from '../../embedding/embedder.js';
import { withoutNames } from '../language/names.js';
import type { Question } from '../plan/question.js';

export interface QuestionVectors {
  whole: Float32Array;
  /** What is searched with: the sum with the vector of the question without its names, where it has some; else `whole`. */
  sought: Float32Array;
  /** Similarity from which on a memory is closer than unrelated texts are, 0..1. */
  unrelatedSimilarity: number;
  /** Whether closeness says more than words do. */
  understandsMeaning: boolean;
}

/** `isEnabled` is false where the embedder failed or took too long. */
export type QuestionEmbedder = (
  question: Pick<Question, 'text' | 'embedding'>,
) => Promise<{ vectors: QuestionVectors | undefined; isEnabled: boolean }>;

interface EmbedderParts {
  embedder: Embedder;
  onDegraded(error: unknown): void;
}

export function createQuestionEmbedder(parts: EmbedderParts): QuestionEmbedder {
  const asked = new Map<string | readonly number[], ReturnType<QuestionEmbedder>>();
  const embed: QuestionEmbedder = async question => {
    try {
      return { vectors: await vectorsOf(parts.embedder, question), isEnabled: true };
    } catch (error) {
      parts.onDegraded(error);
      return { vectors: undefined, isEnabled: false };
    }
  };
  return question => {
    const key = question.embedding ?? question.text;
    const made = asked.get(key) ?? embed(question);
    asked.set(key, made);
    return made;
  };
}

async function vectorsOf(
  embedder: Embedder,
  { text, embedding }: Pick<Question, 'text' | 'embedding'>,
): Promise<QuestionVectors | undefined> {
  // Of a vector the caller supplied we do not know which model made it.
  if (embedding) {
    const whole = Float32Array.from(embedding);
    return { whole, sought: whole, unrelatedSimilarity: 0, understandsMeaning: true };
  }
  if (text === '') return undefined;
  const withoutItsNames = withoutNames(text);
  const texts = withoutItsNames === undefined ? [text] : [text, withoutItsNames];
  const [whole, subject] = await embedder.embed(texts, 'query');
  if (!whole) return undefined;
  const { unrelatedSimilarity, understandsMeaning } = embedder;
  // Both have unit length, so the sum weighs them alike; its own length plays no part in a cosine.
  const sought = subject ? whole.map((value, index) => value + (subject[index] ?? 0)) : whole;
  return { whole, sought, unrelatedSimilarity, understandsMeaning };
}
