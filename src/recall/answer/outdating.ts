/** Finds the newer memories that are suggested as replacements of results (docs/recall.md, "Outdated notes"). */
import { isValidAt } from '../../domain/filter.js';
import type { RecalledMemory } from '../../domain/recall-results.js';
import { AUTHORABLE_RELATION_TYPES, type RelationEntry } from '../../domain/relation.js';
import { isSuggested, suggestedId } from '../../domain/suggestion.js';
import type { RecallContext } from '../context.js';
import type { Candidate } from '../pool.js';

type Outdated = Pick<RecalledMemory, 'maybeOutdatedBy'>;

/**
 * Returns a function that gives the field `maybeOutdatedBy` of a result. A suggestion has ended if one of the two
 * memories was edited, if the newer is not valid or was superseded, or if a caller has joined the two by an edge. Reads
 * the newer memories at once, and only if a result has a suggestion.
 *
 * @param relations the relations of the results that are shown
 */
export async function findOutdating(
  { memories, nowMs, supersessions }: RecallContext,
  results: readonly Candidate[],
  relations: ReadonlyMap<string, readonly RelationEntry[]>,
): Promise<(result: Candidate) => Outdated> {
  const ids = new Set(results.flatMap(result => newerIdOf(result) ?? []));
  if (ids.size === 0) return () => ({});
  const found = new Map((await memories.read(ids)).map(({ memory }) => [memory.id, memory]));
  const superseded = await supersessions([...found.keys()]);
  return result => {
    const { memory: older } = result;
    const newer = found.get(newerIdOf(result) ?? '');
    if (!newer || !isSuggested(older, newer) || !isValidAt(newer, nowMs) || superseded.has(newer.id)) return {};
    const areJoined = (relations.get(older.id) ?? []).some(
      ({ type, memory }) => memory.id === newer.id && AUTHORABLE_RELATION_TYPES.includes(type),
    );
    return areJoined ? {} : { maybeOutdatedBy: newer };
  };
}

/** Undefined for a result that is marked as superseded, because its successor is known. */
function newerIdOf({ memory, supersededBy }: Candidate): string | undefined {
  return supersededBy ? undefined : suggestedId(memory);
}
