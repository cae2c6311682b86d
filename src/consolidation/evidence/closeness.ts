/** How close two vectors are, above what two unrelated memories have by chance, which differs from model to model. */
import { dotProduct } from '../../domain/vectors.js';

const PAIRS_MEASURED = 2_000;
/** Of pairs taken at random, most of which are unrelated. */
const CHANCE_QUANTILE = 0.99;
/** Until enough pairs tell what chance is: as if so many had this similarity. */
const PRIOR = { similarity: 0.3, pairs: 30 };
/** Steps from one memory to its partner, as shares of all: fixed, so that the same memories always give the same figure. */
const STRIDES = [0.5, 0.309, 0.427, 0.173, 0.061, 0.363, 0.237, 0.119, 0.451, 0.283];

/** 0..1: 0 for what chance would give, 1 for the same vector. */
export type Closeness = (similarity: number) => number;

/** @param vectors of unit length, of memories in no order of meaning */
export function measureCloseness(vectors: readonly Float32Array[]): Closeness {
  const chance = chanceSimilarity(vectors);
  return similarity => Math.max(0, (similarity - chance) / (1 - chance));
}

function chanceSimilarity(vectors: readonly Float32Array[]): number {
  const similarities: number[] = [];
  for (const stride of STRIDES) {
    const step = Math.max(1, Math.floor(vectors.length * stride));
    for (const [index, vector] of vectors.entries()) {
      const partner = (index + step) % vectors.length;
      if (similarities.length >= PAIRS_MEASURED || partner === index) break;
      similarities.push(dotProduct(vector, vectors[partner] as Float32Array));
    }
  }
  similarities.sort((a, b) => a - b);
  const measured = similarities[Math.floor(similarities.length * CHANCE_QUANTILE)] ?? 0;
  const pairs = similarities.length;
  const blended = (measured * pairs + PRIOR.similarity * PRIOR.pairs) / (pairs + PRIOR.pairs);
  return Math.min(0.95, Math.max(0, blended));
}
