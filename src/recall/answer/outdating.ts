/** Finds the newer memories that are suggested as replacements of results (docs/decisions.md, "What may be outdated"). */
import { isValidAt } from '../../domain/filter.js';
import type { RecalledMemory } from '../../domain/recall-results.js';
import { AUTHORABLE_RELATION_TYPES, type RelationEntry } from '../../domain/relation.js';
import { haveOtherScopes, scopesOf } from '../../domain/scopes.js';
import { isSuggested, suggestedId } from '../../domain/suggestion.js';
import { textHash } from '../../domain/text-hash.js';
import type { RecallContext } from '../context.js';
import { identifyingTerms } from '../language/names.js';
import type { Candidate } from '../pool.js';
import { hasStem, hasTagStem, type TextEvidence } from '../score/text.js';
import type { Reading } from '../score/text-cache.js';

type Outdated = Pick<RecalledMemory, 'maybeOutdatedBy'>;

/**
 * Returns a function that gives the field `maybeOutdatedBy` of a result. A suggestion has ended if one of the two
 * memories was edited, if the newer is not valid or was superseded, if the two got other times or subjects, or if a
 * caller has joined them by an edge. It is
 * not shown if the question names a version or the like that only the older memory has. Reads the newer memories at once, and only
 * if a result has a suggestion.
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
  const found = new Map((await memories.read(ids)).map(reading => [reading.memory.id, reading]));
  const superseded = await supersessions([...found.keys()]);
  return result => {
    const { memory: older } = result;
    const reading = found.get(newerIdOf(result) ?? '');
    const newer = reading?.memory;
    if (!newer || !isSuggested(older, newer) || !isValidAt(newer, nowMs) || superseded.has(newer.id)) return {};
    if (newer.timestamp < older.timestamp || haveOtherScopes(scopesOf(older), scopesOf(newer))) return {};
    const areJoined = (relations.get(older.id) ?? []).some(
      ({ type, memory }) => memory.id === newer.id && AUTHORABLE_RELATION_TYPES.includes(type),
    );
    return areJoined || namesOnly(result, reading) ? {} : { maybeOutdatedBy: newer };
  };
}

/** Whether the question names a version or the like that the older memory has and the newer lacks. */
function namesOnly({ asked, own }: Candidate, newer: Reading): boolean {
  const has = (text: TextEvidence, term: string) => hasStem(text, textHash(term)) || hasTagStem(text, term);
  return [...identifyingTerms(asked.question.text)].some(term => has(own.text, term) && !has(newer.text, term));
}

/** Undefined for a result that is marked as superseded, because its successor is known. */
function newerIdOf({ memory, supersededBy }: Candidate): string | undefined {
  return supersededBy ? undefined : suggestedId(memory);
}
