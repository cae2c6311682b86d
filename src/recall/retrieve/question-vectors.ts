/** The vectors of a question. */

import { MemoryError } from '../../domain/errors.js';
import type { Clock } from '../../domain/time.js';
import type { Embedder } from '../../embedding/embedder.js';
import { withinLimit } from '../../time-limit.js';
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

/** An assistant waits for the answer: it gets one without vectors rather than one much later. */
const EMBED_DEADLINE_MS = 3_000;

interface EmbedderParts {
  embedder: Embedder;
  clock: Clock;
  onDegraded(error: unknown): void;
}

export function createQuestionEmbedder(parts: EmbedderParts): QuestionEmbedder {
  const asked = new Map<string | readonly number[], ReturnType<QuestionEmbedder>>();
  const limit = { clock: parts.clock, limitMs: EMBED_DEADLINE_MS, late: tooLate };
  const embed: QuestionEmbedder = async question => {
    try {
      return { vectors: await withinLimit(vectorsOf(parts.embedder, question), limit), isEnabled: true };
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

function tooLate(): MemoryError {
  return new MemoryError('unavailable', `no vector of the question within ${EMBED_DEADLINE_MS / 1000} seconds`);
}
