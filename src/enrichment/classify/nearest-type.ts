/**
 * Finds the type whose labelled examples have the vectors nearest to that of a memory. Two texts about the same thing
 * have near vectors, whatever their types are, so a single near example says little. The mean vector of many examples
 * about different things says what the examples of a type have in common.
 */
import { MEMORY_TYPES, type MemoryType } from '../../domain/memory-type.js';
import { cosineSimilarity } from '../../domain/vectors.js';
import type { Embedder } from '../../embedding/embedder.js';
import EXAMPLES from './examples.json' with { type: 'json' };

export interface NearestType {
  /** Model of the vectors that can be compared with the examples. */
  readonly model: string;
  /**
   * Embeds the examples on the first call, and again after a failure.
   *
   * @returns undefined when no type is clearly nearer than all others
   * @throws what the embedder throws
   */
  typeOf(vector: Float32Array): Promise<MemoryType | undefined>;
}

/**
 * By how much a type must be nearer than any other, as a difference of cosines. With all-MiniLM-L6-v2, each example was
 * compared with all others: at this lead, 4 % wrongly count as a decision or a preference, and 15 % without a lead.
 */
const LEAD_MIN = 0.08;

/** @returns undefined for an embedder that compares words, because words have been read already */
export function createNearestType(
  embedder: Pick<Embedder, 'model' | 'understandsMeaning' | 'embed'>,
): NearestType | undefined {
  if (!embedder.understandsMeaning) return undefined;
  let examples: Promise<Examples> | undefined;
  return {
    model: embedder.model,
    typeOf: async vector => {
      examples ??= embedExamples(embedder);
      try {
        return nearest(vector, await examples);
      } catch (error) {
        examples = undefined;
        throw error;
      }
    },
  };
}

interface Examples {
  /** Mean of the directions of all types, which contains what all notes have in common. */
  center: Float32Array;
  /** Direction of each type from the center. */
  directions: readonly { type: MemoryType; direction: Float32Array }[];
}

/** Embeds one type at a time, so that texts of other work need not wait for all examples. */
async function embedExamples(embedder: Pick<Embedder, 'embed'>): Promise<Examples> {
  const means: { type: MemoryType; mean: Float32Array }[] = [];
  for (const type of MEMORY_TYPES) {
    means.push({ type, mean: meanOf(await embedder.embed(EXAMPLES[type], 'document')) });
  }
  // Each type counts once, however many examples it has.
  const center = meanOf(means.map(({ mean }) => mean));
  return { center, directions: means.map(({ type, mean }) => ({ type, direction: difference(mean, center) })) };
}

function nearest(vector: Float32Array, { center, directions }: Examples): MemoryType | undefined {
  const direction = difference(vector, center);
  const [first, second] = directions
    .map(each => ({ type: each.type, similarity: cosineSimilarity(each.direction, direction) }))
    .sort((a, b) => b.similarity - a.similarity);
  if (!first || !second) return undefined;
  return first.similarity - second.similarity >= LEAD_MIN ? first.type : undefined;
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let index = 0; index < mean.length; index++) {
      mean[index] = (mean[index] as number) + (vector[index] ?? 0) / vectors.length;
    }
  }
  return mean;
}

/** The stored vectors of memories may be longer than those of the embedder, padded with zeros. */
function difference(vector: Float32Array, center: Float32Array): Float32Array {
  return center.map((value, index) => (vector[index] ?? 0) - value);
}
