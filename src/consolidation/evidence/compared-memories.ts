/**
 * Reads the memories that consolidation compares: all memories that are currently valid, that no other memory has
 * replaced, and whose vector was made by the current model or supplied by a caller.
 */

import { partsOf } from '../../domain/collections.js';
import { MemoryError } from '../../domain/errors.js';
import { isValidAt } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { SUPERSESSION_TYPES } from '../../domain/relation.js';
import { dotProduct } from '../../domain/vectors.js';
import { MEMORIES_PER_PAGE, memoryPages } from '../../stores/pages.js';
import type { VectorHit, VectorSearch } from '../../stores/vector-store.js';
import type { PlanContext } from '../planner.js';

/** Returns pages of memories in order of id. A page may be empty. */
export async function* comparedPages(context: PlanContext): AsyncGenerator<readonly Memory[]> {
  for await (const page of memoryPages(context)) {
    const compared = page.filter(memory => isCompared(context, memory));
    const ids = compared.map(({ id }) => id);
    const types = SUPERSESSION_TYPES;
    const replaced = await context.graph.relationsOf({ ids, limit: 1, types, isOutgoingOnly: true });
    yield compared.filter(({ id }) => (replaced.get(id) ?? []).length === 0);
  }
}

export function isCompared({ models, nowMs }: Pick<PlanContext, 'models' | 'nowMs'>, memory: Memory): boolean {
  return models.includes(memory.embedded_by ?? '') && isValidAt(memory, nowMs);
}

export async function readVectors(
  { vectors, onPage }: Pick<PlanContext, 'vectors' | 'onPage'>,
  ids: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (const part of partsOf(ids, MEMORIES_PER_PAGE)) {
    await onPage();
    for (const [id, vector] of await vectors.vectorsOf(part)) found.set(id, vector);
  }
  return found;
}

/** Number of attempts. The store's own time limit ends each attempt. */
const ATTEMPTS = 5;

/** @throws MemoryError `unavailable` when every attempt has failed */
export async function searchWithRetry(
  { vectors, onPage }: Pick<PlanContext, 'vectors' | 'onPage'>,
  search: VectorSearch,
): Promise<VectorHit[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await vectors.search(search);
    } catch (error) {
      const isPassing = error instanceof MemoryError && error.code === 'unavailable';
      if (!isPassing || attempt === ATTEMPTS) throw error;
    }
    await onPage();
  }
}

export function byTime(a: Memory, b: Memory): [older: Memory, newer: Memory] {
  const isInOrder = a.timestamp === b.timestamp ? a.id < b.id : a.timestamp < b.timestamp;
  return isInOrder ? [a, b] : [b, a];
}

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
