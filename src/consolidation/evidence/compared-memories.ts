/**
 * Reads the memories that consolidation compares: all memories that are currently valid, that no other memory has
 * replaced, and whose vector was made by the current model or supplied by a caller.
 */
import { MemoryError } from '../../domain/errors.js';
import { isValidAt } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { SUPERSESSION_TYPES } from '../../domain/relation.js';
import type { VectorHit, VectorSearch } from '../../stores/vector-store.js';
import type { PlanContext } from '../planner.js';

/** The number is low, because reading one page blocks all other requests for some milliseconds. */
const PAGE_SIZE = 25;

/** Returns pages of memories in order of id. A page may be empty. */
export async function* comparedPages(context: PlanContext): AsyncGenerator<readonly Memory[]> {
  let afterId: string | undefined;
  for (;;) {
    await context.onPage();
    const records = await context.graph.readRecords({ ...(afterId !== undefined && { afterId }), limit: PAGE_SIZE });
    const last = records.at(-1);
    if (!last) return;
    afterId = last.memory.id;
    const compared = records.map(({ memory }) => memory).filter(memory => isCompared(context, memory));
    const ids = compared.map(({ id }) => id);
    const replaced = await context.graph.relationsOf({
      ids,
      limit: 1,
      types: SUPERSESSION_TYPES,
      isOutgoingOnly: true,
    });
    yield compared.filter(({ id }) => (replaced.get(id) ?? []).length === 0);
  }
}

export function isCompared({ models, nowMs }: Pick<PlanContext, 'models' | 'nowMs'>, memory: Memory): boolean {
  return models.includes(memory.embedded_by ?? '') && isValidAt(memory, nowMs);
}

const READ_AT_ONCE = 100;

export async function readVectors(
  { vectors, onPage }: Pick<PlanContext, 'vectors' | 'onPage'>,
  ids: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
    await onPage();
    const page = await vectors.vectorsOf(ids.slice(start, start + READ_AT_ONCE));
    for (const [id, vector] of page) found.set(id, vector);
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
