/** Renders pages of memories with a tag, and the result of deleting memories by tag. */
import { shownMetadata } from '../../domain/metadata.js';
import type { ListedMemory, TagPageOutcome, TagRemoval } from '../../domain/results.js';
import type { ListedResult } from '../answers/result.js';
import type { TagPageAnswer, TagRemovalAnswer } from '../answers/tag-page.js';
import { whole } from './memory.js';
import { roundMs, roundScore } from './numbers.js';
import { invalidityName, renderRecalledMemory } from './result.js';

export function renderTagPage({ page, memories, hasMore, total, durationMs }: TagPageOutcome): TagPageAnswer {
  return {
    status: 'success',
    tags: page.tags,
    count: memories.length,
    limit: page.limit,
    offset: page.offset,
    has_more: hasMore,
    ...(total !== undefined && { total }),
    results: memories.map(renderListed),
    memories: memories.map(({ memory }) => ({ ...whole(memory), ...shownMetadata(memory.metadata) })),
    query_time_ms: roundMs(durationMs),
  };
}

export function renderTagRemoval({ tags, deletedCount }: TagRemoval): TagRemovalAnswer {
  return { status: 'success', tags, deleted_count: deletedCount };
}

/** A listing computes no scores, so it shows the importance as the score (docs/decisions.md, "Listing by tag"). */
function renderListed({ memory, relations, supersededById, invalidity }: ListedMemory): ListedResult {
  const importance = roundScore(memory.importance);
  return {
    id: memory.id,
    memory: renderRecalledMemory(memory),
    score: importance,
    final_score: importance,
    match_score: importance,
    match_type: 'tag',
    source: 'graph',
    score_components: {
      vector: 0,
      keyword: 0,
      exact: 0,
      confidence: 0,
      recency: 0,
      tag: 0,
      relation: 0,
      relevance: 0,
      lexical: 0,
      meaning: 0,
      neighbour: 0,
      context: 0,
      newer: 0,
      inherited: 0,
      importance,
    },
    relations,
    ...(supersededById !== undefined && { superseded_by: supersededById }),
    ...(invalidity && { not_current: invalidityName(invalidity) }),
  };
}
