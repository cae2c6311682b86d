/** Renders single memories and batches. */
import type { Memory, MemoryDraft } from '../../domain/memory.js';
import type { MemoryWithRelations, SimilarMemory, StoredMemories, StoredMemory } from '../../domain/results.js';
import { beginningOf } from '../../domain/text.js';
import { toIso } from '../../domain/time.js';
import type { ChangeAnswer, MemoryAnswer, StoreAnswer, StoreManyAnswer } from '../answers/memory.js';
import { roundMs, roundScore } from './numbers.js';

/** Number of characters shown of a similar memory, enough to recognise it. */
const SIMILAR_SHOWN_LENGTH = 300;

/** @param similar undefined when the caller has not asked for similar memories */
export function renderStored(stored: StoredMemory, similar?: readonly SimilarMemory[]): StoreAnswer {
  const { memory, vector, isVectorSupplied, shortened, supersededId, storedAtMs, durationMs } = stored;
  return {
    status: 'success',
    memory_id: memory.id,
    type: memory.type,
    confidence: memory.confidence,
    enrichment: 'queued',
    embedding: vector,
    embedding_status: vector === 'stored' && isVectorSupplied ? 'provided' : vector,
    qdrant: vector,
    stored_at: toIso(storedAtMs),
    timestamp: memory.timestamp,
    updated_at: memory.updated_at,
    last_accessed: memory.last_accessed,
    tags: [...memory.tags],
    metadata: memory.metadata,
    ...(shortened && {
      summarized: true,
      original_length: shortened.fromLength,
      summarized_length: shortened.toLength,
    }),
    ...(supersededId !== undefined && { superseded_memory_id: supersededId }),
    ...(similar && { similar: similar.map(renderSimilar) }),
    query_time_ms: roundMs(durationMs),
  };
}

function renderSimilar({ memory, similarity }: SimilarMemory): NonNullable<StoreAnswer['similar']>[number] {
  const beginning = beginningOf(memory.content, SIMILAR_SHOWN_LENGTH);
  const isCut = beginning !== memory.content;
  return {
    memory_id: memory.id,
    content: beginning,
    ...(isCut && { content_truncated: true }),
    similarity: roundScore(similarity),
  };
}

export function renderStoredMany({ memories, vectors, durationMs }: StoredMemories): StoreManyAnswer {
  return {
    status: 'success',
    stored: memories.length,
    memory_ids: memories.map(({ id }) => id),
    qdrant: vectors === 'stored' ? 'ok' : vectors,
    enrichment: 'queued',
    query_time_ms: roundMs(durationMs),
  };
}

export function renderMemory({ memory, relations }: MemoryWithRelations): MemoryAnswer {
  return { status: 'success', ...whole(memory), relations };
}

/** Returns all fields of the memory, with its lists copied. */
export function whole(memory: Memory): MemoryDraft & { tags: string[]; tag_prefixes: string[] } {
  return { ...memory, tags: [...memory.tags], tag_prefixes: [...memory.tag_prefixes] };
}

/** @param id of the changed or deleted memory */
export function renderChange(id: string): ChangeAnswer {
  return { status: 'success', memory_id: id };
}
