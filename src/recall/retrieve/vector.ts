/**
 * Finds candidates close to the question in meaning. Never fails: without vectors the recall continues, and the answer
 * reports the missing vectors.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import { type Memory, SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { Embedder } from '../../embedding/embedder.js';
import type { ExactSimilarities, VectorHit, VectorStore } from '../../stores/vector-store.js';
import type { RecallContext } from '../context.js';
import { withoutNames } from '../language/names.js';
import type { Question } from '../plan.js';
import type { Nearest, RetrievedQuestion } from '../pool.js';
import type { Similarity } from '../score/own-evidence.js';

/** The models whose vectors can be compared with the question's vector. */
function comparableModels({ embedder }: Pick<RecallContext, 'embedder'>): string[] {
  return [embedder.model, SUPPLIED_EMBEDDING];
}

/** @returns undefined when the vectors could not be searched */
export async function vectorChannel(
  context: RecallContext,
  { sought, whole }: QuestionVectors,
  search: { filter: MemoryFilter; limit: number },
): Promise<Nearest | undefined> {
  const { vectors, memories, onDegraded } = context;
  if (!vectors) return undefined;
  try {
    const hits = await vectors.search({
      vector: sought,
      ...(whole !== sought && { beside: whole }),
      models: comparableModels(context),
      filter: search.filter,
      limit: search.limit,
      // Ignore a failure here. The recall reads the same memories again later, and that read reports the failure.
      ahead: { count: search.limit, receive: ids => void memories.read(ids).catch(() => undefined) },
    });
    const byId = new Map<string, VectorHit>();
    for (const hit of hits) byId.set(hit.id, hit);
    return { hits, byId };
  } catch (error) {
    onDegraded(error);
    return undefined;
  }
}

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

const NONE: Similarity = { cosine: 0, closeness: 0 };

/** Maximum number of candidates that are compared early. A recall waits for the comparison of all of them. */
const COMPARED_EARLY_MAX = 200;

/**
 * Compares candidates as soon as their ids are known, while a server still reads the candidates. Returns nothing for a
 * store in this process, because such a store answers without a wait. Also returns nothing if the comparison fails:
 * `measuredSimilarities` then compares the candidates.
 */
export async function comparedEarly(
  { vectors }: Pick<RecallContext, 'vectors'>,
  ids: readonly string[],
  { vectors: question, nearest }: Pick<RetrievedQuestion, 'vectors' | 'nearest'>,
): Promise<ReadonlyMap<string, ExactSimilarities>> {
  if (!vectors || vectors.isInProcess || !question || !nearest) return new Map();
  const unknown = ids.filter(id => !nearest.byId.get(id)?.exact).slice(0, COMPARED_EARLY_MAX);
  return compareWith(vectors, unknown, question).catch(() => new Map());
}

/**
 * Measures similarities by the exact vectors. Memories without a comparable vector have no similarity. Never fails: if
 * the vectors cannot be read, the similarities that the search returned are used.
 */
export async function measuredSimilarities(
  context: RecallContext,
  asked: RetrievedQuestion,
  memories: readonly Memory[],
): Promise<(memory: Memory) => Similarity> {
  const { vectors, onDegraded } = context;
  const { vectors: question, nearest, compared } = asked;
  if (!vectors || !question) return () => NONE;
  const models = new Set(comparableModels(context));
  const exactOf = (id: string) => nearest?.byId.get(id)?.exact ?? compared.get(id);
  // A memory among the hits has a comparable vector even if its record names no model yet: a separate vector store
  // contains a new vector slightly before the record names the model.
  const isComparable = ({ id, embedded_by }: Memory) => models.has(embedded_by ?? '') || nearest?.byId.has(id) === true;
  const unread = memories.filter(memory => isComparable(memory) && !exactOf(memory.id)).map(({ id }) => id);
  const read = await compareWith(vectors, unread, question).catch(error => {
    onDegraded(error);
    return new Map<string, ExactSimilarities>();
  });
  const { unrelatedSimilarity } = question;
  return ({ id }) => {
    const exact = exactOf(id) ?? read.get(id) ?? roughly(nearest?.byId.get(id)?.similarity);
    if (!exact) return NONE;
    return { cosine: within(exact.beside), closeness: closenessOf(exact.sought, unrelatedSimilarity) };
  };
}

function roughly(similarity: number | undefined): ExactSimilarities | undefined {
  return similarity === undefined ? undefined : { sought: similarity, beside: similarity };
}

async function compareWith(
  vectors: VectorStore,
  ids: readonly string[],
  { whole, sought }: QuestionVectors,
): Promise<Map<string, ExactSimilarities>> {
  if (ids.length === 0) return new Map();
  return vectors.compare(ids, { vector: sought, ...(sought !== whole && { beside: whole }) });
}

/** Maps a cosine similarity to 0..1: 0 for unrelated texts, 1 for identical texts. */
export function closenessOf(similarity: number, unrelatedSimilarity: number): number {
  return within((similarity - unrelatedSimilarity) / (1 - unrelatedSimilarity));
}

function within(value: number): number {
  return Math.min(1, Math.max(0, value));
}
