/**
 * Compares memories with a query by their vectors. Never fails: without vectors the recall continues, and the answer
 * reports the missing vectors.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import { type Memory, SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { Embedder } from '../../embedding/embedder.js';
import type { ExactSimilarities, VectorHit } from '../../stores/vector-store.js';
import type { RecallContext } from '../context.js';
import { withoutNames } from '../language/names.js';
import type { Query } from '../plan.js';
import type { RetrievedQuery } from '../pool.js';
import type { Evidence } from '../score/evidence.js';

export interface QueryVectors {
  whole: Float32Array;
  /**
   * The vector to search with. If `withoutNames` returns a text, this is the sum of the vectors of the query and of
   * that text. Otherwise this is `whole`.
   */
  sought: Float32Array;
  /** Similarity of unrelated texts, 0..1. A memory with a higher similarity is related. */
  unrelatedSimilarity: number;
  /** Whether vectors of texts with the same meaning are close even if their words differ. */
  understandsMeaning: boolean;
}

/** `isEnabled` is false when the embedder failed or took too long. */
export type QueryEmbedder = (
  query: Pick<Query, 'text' | 'embedding'>,
) => Promise<{ vectors: QueryVectors | undefined; isEnabled: boolean }>;

/** Creates an embedder that embeds each query once. A failure is kept too, so that no step waits for it twice. */
export function createQueryEmbedder(embedder: Embedder, onDegraded: (error: unknown) => void): QueryEmbedder {
  const known = new Map<string | readonly number[], ReturnType<QueryEmbedder>>();
  const embed: QueryEmbedder = async query => {
    try {
      return { vectors: await vectorsOf(embedder, query), isEnabled: true };
    } catch (error) {
      onDegraded(error);
      return { vectors: undefined, isEnabled: false };
    }
  };
  return query => {
    const key = query.embedding ?? query.text;
    const embedded = known.get(key) ?? embed(query);
    known.set(key, embedded);
    return embedded;
  };
}

async function vectorsOf(
  embedder: Embedder,
  { text, embedding }: Pick<Query, 'text' | 'embedding'>,
): Promise<QueryVectors | undefined> {
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

/** The models whose vectors can be compared with the query's vector. */
function comparableModels({ embedder }: Pick<RecallContext, 'embedder'>): string[] {
  return [embedder.model, SUPPLIED_EMBEDDING];
}

/** @returns the hits, nearest first, or undefined when the vectors could not be searched */
export async function findByVector(
  context: RecallContext,
  { sought, whole }: QueryVectors,
  { filter, limit }: { filter: MemoryFilter; limit: number },
): Promise<VectorHit[] | undefined> {
  const { vectors, memories, onDegraded } = context;
  try {
    return await vectors?.search({
      vector: sought,
      ...(whole !== sought && { beside: whole }),
      models: comparableModels(context),
      filter,
      limit,
      // Ignore a failure here. The recall reads the same memories again later, and that read reports the failure.
      ahead: { count: limit, receive: ids => void memories.read(ids).catch(() => undefined) },
    });
  } catch (error) {
    onDegraded(error);
    return undefined;
  }
}

type Similarities = Pick<Evidence, 'cosine' | 'similarity'>;

/**
 * Returns the similarities of memories with a query, by id. Memories without a comparable vector have none. If the
 * vectors cannot be read, the similarities that the search returned are used.
 */
export async function measureSimilarities(
  context: RecallContext,
  { vectors: query, nearest }: RetrievedQuery,
  memories: readonly Memory[],
): Promise<Map<string, Similarities>> {
  const { vectors, onDegraded } = context;
  if (!vectors || !query) return new Map();
  const { whole, sought } = query;
  const models = new Set(comparableModels(context));
  // A memory among the hits has a comparable vector even if its record names no model yet: a separate vector store
  // contains a new vector slightly before the record names the model.
  const isUnread = ({ id, embedded_by }: Memory) =>
    !nearest.get(id)?.exact && (models.has(embedded_by ?? '') || nearest.has(id));
  const unread = memories.filter(isUnread).map(({ id }) => id);
  const found = new Map<string, Similarities>();
  const add = (id: string, { sought: ofSought, beside }: ExactSimilarities) =>
    found.set(id, { cosine: clamp(beside), similarity: scaled(ofSought, query) });
  for (const [id, { similarity, exact }] of nearest) add(id, exact ?? { sought: similarity, beside: similarity });
  if (unread.length === 0) return found;
  try {
    const read = await vectors.compare(unread, { vector: sought, ...(sought !== whole && { beside: whole }) });
    for (const [id, exact] of read) add(id, exact);
  } catch (error) {
    onDegraded(error);
  }
  return found;
}

/** Maps a cosine similarity to 0..1: 0 for unrelated texts, 1 for identical texts. */
export function scaled(cosine: number, { unrelatedSimilarity }: Pick<QueryVectors, 'unrelatedSimilarity'>): number {
  return clamp((cosine - unrelatedSimilarity) / (1 - unrelatedSimilarity));
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
