/** Renders memories that are connected by edges. */
import type { RelatedMemory, RelatedOutcome } from '../../domain/results.js';
import type { RelatedAnswer } from '../answers/related.js';

export function renderRelated({ query, memories }: RelatedOutcome): RelatedAnswer {
  return {
    status: 'success',
    memory_id: query.id,
    count: memories.length,
    related_memories: memories.map(renderRelatedMemory),
    relationship_types: [...query.types],
    max_depth: query.maxDepth,
    limit: query.limit,
  };
}

function renderRelatedMemory({ memory, depth, relation }: RelatedMemory): RelatedAnswer['related_memories'][number] {
  const { id, content, type, importance, confidence, tags, timestamp, summary } = memory;
  const fields = { id, content, type, importance, confidence, tags: [...tags], timestamp, depth, relation };
  return { ...fields, ...(summary !== undefined && { summary }) };
}
