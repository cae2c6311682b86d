/** Results as they are answered (decisions D21). */
import type { RecallResult } from '../domain/answers.js';
import type { Memory } from '../domain/memory.js';
import { shownMetadata } from '../domain/metadata.js';
import type { RelationEntry } from '../domain/relation.js';
import type { Scored } from './candidate.js';
import { explain, round } from './explain.js';

export function toResult(scored: Scored, relations: RelationEntry[], isExplained: boolean): RecallResult {
  const { candidate, score, duplicates, entity, from, replaces, isOutsideTagScope } = scored;
  return {
    ...plainResult(candidate.memory, score, relations),
    source: candidate.foundBy.includes('vector') ? 'qdrant' : 'graph',
    ...(duplicates && { deduped_from: duplicates }),
    ...(entity !== undefined && { expanded_from_entity: entity }),
    ...(from && { from }),
    ...(replaces && { state_replaces: replaces.id }),
    ...(isOutsideTagScope && { outside_tag_scope: true }),
    ...(isExplained && { explanation: explain(scored) }),
  };
}

/** A memory listed by tag: its score is its importance (decisions D10). */
export function toTagResult(memory: Memory, relations: RelationEntry[]): RecallResult {
  const zero = {
    vector: 0,
    keyword: 0,
    exact: 0,
    confidence: 0,
    recency: 0,
    tag: 0,
    relation: 0,
    relevance: 0,
    context: 0,
  };
  const components = { ...zero, importance: memory.importance };
  const score = { total: memory.importance, components, matchType: 'tag', matchScore: memory.importance } as const;
  return plainResult(memory, score, relations);
}

function plainResult(memory: Memory, score: Scored['score'], relations: RelationEntry[]): RecallResult {
  const total = round(score.total);
  return {
    id: memory.id,
    memory: {
      memory_id: memory.id,
      id: memory.id,
      content: memory.content,
      tags: memory.tags,
      importance: memory.importance,
      created_at: memory.timestamp,
      timestamp: memory.timestamp,
      updated_at: memory.updated_at,
      last_accessed: memory.last_accessed,
      type: memory.type,
      confidence: memory.confidence,
      ...shownMetadata(memory.metadata),
      ...(memory.summary !== undefined && { summary: memory.summary }),
    },
    score: total,
    final_score: total,
    match_score: round(score.matchScore),
    match_type: score.matchType,
    source: 'graph',
    score_components: mapValues(score.components, round),
    relations,
  };
}

function mapValues<Key extends string>(
  record: Record<Key, number>,
  map: (value: number) => number,
): Record<Key, number> {
  return Object.fromEntries(Object.entries<number>(record).map(([key, value]) => [key, map(value)])) as Record<
    Key,
    number
  >;
}
