/**
 * Determines how a memory matched. If an edge led to the memory, the type is `relation`. If an entity led to it, the
 * type is `entity`. Otherwise the type is the channel that contributed most to the score. A memory that was listed, or
 * that no channel matched, has the type `tag` if the recall asks for tags, otherwise `keyword`.
 */
import type { MatchType } from '../../domain/recall-results.js';
import type { RecallContext } from '../context.js';
import type { Candidate } from '../pool.js';
import { isEvidence } from '../score/own-evidence.js';
import { contributions } from '../score/score.js';

export interface Match {
  matchType: MatchType;
  /**
   * Evidence of the channel that `matchType` names, 0..1. It is 0 if neither words, tags, meaning, edges nor entities
   * match. For a listed memory, it is the importance.
   */
  matchScore: number;
}

export function matchOf({ plan, settings }: RecallContext, candidate: Candidate): Match {
  const { memory, own, score, from, entity } = candidate;
  const { vector, keyword, tag, relation } = score.components;
  if (from) return { matchType: 'relation', matchScore: relation };
  if (entity !== undefined) return { matchType: 'entity', matchScore: relation };
  const unmatched = plan.filter.tags ? 'tag' : 'keyword';
  if (plan.isListing) return { matchType: unmatched, matchScore: memory.importance };
  if (!isEvidence(own)) return { matchType: unmatched, matchScore: 0 };
  const parts = contributions(score.components, settings.weights);
  const channels: (Match & { contribution: number })[] = [
    { matchType: 'semantic', contribution: parts.vector + parts.meaning, matchScore: vector },
    {
      matchType: 'keyword',
      contribution: parts.keyword + parts.exact + parts.lexical,
      matchScore: keyword || own.coverage,
    },
    { matchType: 'tag', contribution: parts.tag, matchScore: tag },
  ];
  const { matchType, matchScore } = channels.reduce((best, each) =>
    each.contribution > best.contribution ? each : best,
  );
  return { matchType, matchScore };
}
