/** Candidates as results. */
import type { RecalledMemory, ScoredMemory } from '../../domain/recall-results.js';
import type { RecallContext } from '../context.js';
import type { Candidate } from '../pool.js';
import { isEvidence } from '../score/own-evidence.js';
import { explain } from './explain.js';

export function toResult(
  candidate: Candidate,
  context: RecallContext,
  isExplained: boolean,
): Omit<RecalledMemory, 'relations'> {
  const { duplicates, entity, from, replaces, supersededBy, invalidity, maybeOutdatedBy, isOutsideTagScope } =
    candidate;
  return {
    ...toScoredMemory(candidate),
    hasOwnEvidence: context.plan.isListing || isEvidence(candidate.own),
    ...(duplicates && { duplicateIds: duplicates }),
    ...(entity !== undefined && { expandedFromEntity: entity }),
    ...(from && { from }),
    ...(replaces && { replaces }),
    ...(supersededBy && { supersededBy }),
    ...(invalidity && { invalidity }),
    ...(maybeOutdatedBy !== undefined && { maybeOutdatedBy }),
    ...(isOutsideTagScope && { isOutsideTags: true }),
    ...(isExplained && { explanation: explain(candidate, context) }),
  };
}

export function toScoredMemory({ memory, score, foundBy }: Candidate): ScoredMemory {
  const { total, components, matchType, matchScore } = score;
  return { memory, score: total, matchType, matchScore, components, foundBy };
}
