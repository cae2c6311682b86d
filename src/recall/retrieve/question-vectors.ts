/** Embeds a question. */

import type { Embedder } from '../../embedding/embedder.js';
import { withoutNames } from '../language/names.js';
import type { Question } from '../plan/question.js';

export interface QuestionVectors {
  whole: Float32Array;
  /**
   * The vector to search with. If `withoutNames` returns a text, this is the sum of the vectors of the question and of
   * that text. Otherwise this is `whole`.
   */
  sought: Float32Array;
  /** Similarity of unrelated texts, 0..1. A memory with a higher similarity is related. */
  unrelatedSimilarity: number;
  /** Whether vectors of texts with the same meaning are close even if their words differ. */
  understandsMeaning: boolean;
}

/** `isEnabled` is false when the embedder failed or took too long. */
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
  // The model that made the caller's vector is unknown. Use the similarities of this vector as evidence of meaning,
  // without scaling them.
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
  // Add the vectors of the two texts. Their unit length gives them equal weight, and the length of the sum does not
  // affect a cosine.
  const sought = subject ? whole.map((value, index) => value + (subject[index] ?? 0)) : whole;
  return { whole, sought, unrelatedSimilarity, understandsMeaning };
}
