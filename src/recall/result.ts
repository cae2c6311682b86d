/** Candidates as results. */
import type { RecalledMemory, ScoredMemory } from '../domain/recall-results.js';
import type { RelationEntry } from '../domain/relation.js';
import type { Scored } from './candidate.js';
import { explain } from './explain.js';

export function toResult(scored: Scored, relations: RelationEntry[], isExplained: boolean): RecalledMemory {
  const { duplicates, entity, from, replaces, isOutsideTagScope } = scored;
  return {
    ...toScoredMemory(scored),
    relations,
    ...(duplicates && { duplicateIds: duplicates }),
    ...(entity !== undefined && { expandedFromEntity: entity }),
    ...(from && { from }),
    ...(replaces && { replaces }),
    ...(isOutsideTagScope && { isOutsideTags: true }),
    ...(isExplained && { explanation: explain(scored) }),
  };
}

export function toScoredMemory({ candidate, score }: Scored): ScoredMemory {
  const { total, components, matchType, matchScore } = score;
  return { memory: candidate.memory, score: total, matchType, matchScore, components, foundBy: candidate.foundBy };
}
