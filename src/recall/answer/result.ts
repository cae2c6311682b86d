/** Converts candidates to results. */
import type { RecalledMemory, ScoredMemory } from '../../domain/recall-results.js';
import type { RecallContext } from '../context.js';
import type { Candidate } from '../pool.js';
import { isEvidence } from '../score/own-evidence.js';
import { explain } from './explain.js';
import { matchOf } from './match.js';

export function toResult(
  candidate: Candidate,
  context: RecallContext,
  isExplained: boolean,
): Omit<RecalledMemory, 'relations'> {
  const { duplicates, entity, from, heirOf, replaces, supersededBy, invalidity, isOutsideTagScope } = candidate;
  // A successor also answers with the words of the memory that it supersedes.
  const { own } = heirOf ?? candidate;
  return {
    ...toScoredMemory(candidate, context),
    hasOwnEvidence: isEvidence(own),
    closeness: own.closeness,
    coverage: own.coverage,
    matchedTerms: own.presence.filter(presence => presence > 0).length,
    ...(duplicates && { duplicateIds: duplicates }),
    ...(entity !== undefined && { expandedFromEntity: entity }),
    ...(from && { from }),
    ...(replaces && { replaces }),
    ...(heirOf && { inheritedFrom: heirOf.memory.id }),
    ...(supersededBy && { supersededBy }),
    ...(invalidity && { invalidity }),
    ...(isOutsideTagScope && { isOutsideTags: true }),
    ...(isExplained && { explanation: explain(candidate, context) }),
  };
}

export function toScoredMemory(candidate: Candidate, context: RecallContext): ScoredMemory {
  const { memory, score, foundBy } = candidate;
  return { memory, score: score.total, ...matchOf(context, candidate), components: score.components, foundBy };
}
