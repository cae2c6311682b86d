/**
 * Measures how much closer two vectors are than the vectors of unrelated memories. The similarity of unrelated memories
 * differs from model to model.
 */
import { dotProduct } from '../../domain/vectors.js';

const PAIRS_MEASURED = 2_000;
/**
 * A similarity counts as chance up to this quantile of the similarities of random pairs. Most random pairs are
 * unrelated.
 */
const CHANCE_QUANTILE = 0.99;
/**
 * Imaginary pairs that are averaged with the measured pairs, so that a few measured pairs alone do not determine which
 * similarity counts as chance.
 */
const PRIOR = { similarity: 0.3, pairs: 30 };
/**
 * The two vectors of a measured pair are one of these distances apart in the list of vectors. Each distance is a share
 * of the length of the list. The shares are fixed, so that the same memories always give the same result.
 */
const STRIDES = [0.5, 0.309, 0.427, 0.173, 0.061, 0.363, 0.237, 0.119, 0.451, 0.283];

/** Maps a similarity to 0..1: 0 for a similarity that chance explains, 1 for identical vectors. */
export type Closeness = (similarity: number) => number;

/** @param vectors of unit length, in an order unrelated to their meaning */
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
