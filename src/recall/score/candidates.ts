/** Builds and scores candidates. All candidates of a recall are made here. */
import type { FoundBy, ScoreComponents } from '../../domain/recall-results.js';
import { inSteps } from '../../event-loop.js';
import type { RecallContext } from '../context.js';
import type { Candidate, RetrievedQuestion } from '../pool.js';
import { measuredSimilarities } from '../retrieve/similarities.js';
import { ownEvidence } from './own-evidence.js';
import { scoreOf } from './score.js';
import type { Reading } from './text-cache.js';

export interface Origin {
  read: Reading;
  foundBy: readonly FoundBy[];
  /** Strength of the edge or entity that connects the memory to a result, 0..1. */
  relation?: number;
}

/**
 * Scores a candidate by its current evidence. Changes the candidate itself, so the caller must pass a candidate that it
 * has just created.
 */
export function scored(context: RecallContext, candidate: Candidate): Candidate {
  candidate.score = scoreOf(context, candidate);
  return candidate;
}

const NO_LENDERS = () => [];
const UNSCORED = { total: 0, components: {} as ScoreComponents };

/** Builds candidates, and scores them by their own evidence. */
export async function toCandidates(
  context: RecallContext,
  asked: RetrievedQuestion,
  origins: readonly Origin[],
): Promise<Candidate[]> {
  const compared = origins.filter(({ read }) => isCompared(context, asked, read)).map(({ read }) => read.memory);
  const similarityOf = await measuredSimilarities(context, asked, compared);
  const candidates: Candidate[] = [];
  for await (const { read, foundBy, relation = 0 } of inSteps(origins)) {
    const { memory } = read;
    const candidate = scored(context, {
      memory,
      reading: read,
      asked,
      foundBy: [...foundBy],
      own: ownEvidence(asked.compareWords(read), similarityOf(memory)),
      lent: 0,
      lenders: NO_LENDERS,
      bonus: 0,
      relation,
      score: UNSCORED,
    });
    candidates.push(candidate);
  }
  return candidates;
}

/**
 * Whether the vector of a memory is compared. A listing by time reads many memories that match nothing, so of these only
 * the hits of the vector search are compared.
 */
function isCompared({ plan }: RecallContext, asked: RetrievedQuestion, read: Reading): boolean {
  if (plan.order === 'score' || asked.nearest?.byId.has(read.memory.id)) return true;
  const { coverage, tag } = asked.compareWords(read);
  return coverage > 0 || tag > 0;
}
