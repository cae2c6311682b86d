/** Candidates as results. */
import type { RecalledMemory, ScoredMemory } from '../domain/recall-results.js';
import type { RelationEntry } from '../domain/relation.js';
import type { Scored } from './candidate.js';
import { explain } from './explain.js';

export function toResult(scored: Scored, relations: RelationEntry[], isExplained: boolean): RecalledMemory {
  const { duplicates, entity, from, replaces, supersededBy, invalidity, isOutsideTagScope } = scored;
  return {
    ...toScoredMemory(scored),
    relations,
    ...(duplicates && { duplicateIds: duplicates }),
    ...(entity !== undefined && { expandedFromEntity: entity }),
    ...(from && { from }),
    ...(replaces && { replaces }),
    ...(supersededBy && { supersededBy }),
    ...(invalidity && { invalidity }),
    ...(isOutsideTagScope && { isOutsideTags: true }),
    ...(isExplained && { explanation: explain(scored) }),
  };
}

export function toScoredMemory({ candidate, score }: Scored): ScoredMemory {
  const { total, components, matchType, matchScore } = score;
  return { memory: candidate.memory, score: total, matchType, matchScore, components, foundBy: candidate.foundBy };
}
