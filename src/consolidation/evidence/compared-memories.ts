/**
 * Reads the memories that consolidation compares: all memories that are currently valid, that no other memory has
 * replaced, and whose vector was made by the current model or supplied by a caller.
 */
import { isValidAt } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { SUPERSESSION_TYPES } from '../../domain/relation.js';
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
