/** Leaves out memories that a newer one seems to replace (docs/decisions.md, "What may be outdated"). */
import { isValidAt } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { AUTHORABLE_RELATION_TYPES } from '../../domain/relation.js';
import { haveOtherScopes, scopesOf } from '../../domain/scopes.js';
import { isSuggested, suggestedId } from '../../domain/suggestion.js';
import type { EdgeStore } from '../../stores/ports/edge-store.js';
import type { MemoryStore } from '../../stores/ports/memory-store.js';
import type { SupersessionFinder } from './supersessions.js';

/** Whether the suggestion still holds: both memories are as they were, the newer is valid, and both have one subject. */
export function isStillSuggested(older: Memory, newer: Memory, nowMs: number): boolean {
  if (!isSuggested(older, newer) || !isValidAt(newer, nowMs) || newer.timestamp < older.timestamp) return false;
  return !haveOtherScopes(scopesOf(older), scopesOf(newer));
}

/** Maximum number of edges read of a memory. */
const EDGES_MAX = 100;

export interface OutdatedParts {
  graph: Pick<MemoryStore, 'getMemories'> & Pick<EdgeStore, 'relationsOf'>;
  nowMs: number;
  supersessions: SupersessionFinder;
}

/** Reads more only if one of the memories has a suggestion. An edge between the two that a caller made ends it. */
export async function withoutOutdated(
  { graph, nowMs, supersessions }: OutdatedParts,
  memories: readonly Memory[],
): Promise<Memory[]> {
  const suggested = memories.flatMap(({ id, ...rest }) => {
    const newerId = suggestedId(rest);
    return newerId === undefined ? [] : [{ id, newerId }];
  });
  if (suggested.length === 0) return [...memories];
  const ids = suggested.map(({ newerId }) => newerId);
  const [newer, superseded, edges] = await Promise.all([
    graph.getMemories(ids),
    supersessions(ids),
    graph.relationsOf({ ids: suggested.map(({ id }) => id), limit: EDGES_MAX, types: AUTHORABLE_RELATION_TYPES }),
  ]);
  return memories.filter(older => {
    const other = newer.get(suggestedId(older) ?? '');
    if (!other || superseded.has(other.id) || !isStillSuggested(older, other, nowMs)) return true;
    return (edges.get(older.id) ?? []).some(({ from, to }) => from === other.id || to === other.id);
  });
}
