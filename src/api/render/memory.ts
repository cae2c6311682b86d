/** Renders single memories and batches. */
import type { Memory, MemoryDraft } from '../../domain/memory.js';
import type { MayReplace, MemoryWithRelations, StoredMemories, StoredMemory } from '../../domain/results.js';
import { beginningOf } from '../../domain/text/length.js';
import { toIso } from '../../domain/time.js';
import type { ChangeAnswer, MemoryAnswer, StoreAnswer, StoreManyAnswer, UpdateAnswer } from '../answers/memory.js';
import { roundMs } from './numbers.js';

/** Number of characters shown of another memory, enough to recognise it. */
const PREVIEW_LENGTH = 200;

export function renderStored(stored: StoredMemory, mayReplace: readonly MayReplace[]): StoreAnswer {
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
    ...replaceable(mayReplace),
    query_time_ms: roundMs(durationMs),
  };
}

export function renderStoredMany(
  { memories, vectors, durationMs }: StoredMemories,
  mayReplace: readonly MayReplace[],
): StoreManyAnswer {
  return {
    status: 'success',
    stored: memories.length,
    memory_ids: memories.map(({ id }) => id),
    qdrant: vectors === 'stored' ? 'ok' : vectors,
    enrichment: 'queued',
    ...(mayReplace.length > 0 && {
      may_replace: mayReplace.map(each => ({ ...renderReplaceable(each), newer_id: each.newerId })),
    }),
    query_time_ms: roundMs(durationMs),
  };
}

/** Returns no field if there are no memories. */
function replaceable(found: readonly MayReplace[]): Pick<UpdateAnswer, 'may_replace'> {
  return found.length > 0 ? { may_replace: found.map(renderReplaceable) } : {};
}

function renderReplaceable({ memory, why }: MayReplace): NonNullable<UpdateAnswer['may_replace']>[number] {
  return { memory_id: memory.id, content: previewOf(memory), why };
}

/** The content, or the beginning of a long content. */
export function previewOf({ content }: Memory): string {
  const beginning = beginningOf(content, PREVIEW_LENGTH);
  return beginning === content ? content : `${beginning}…`;
}

export function renderMemory({ memory, relations }: MemoryWithRelations): MemoryAnswer {
  return { status: 'success', ...whole(memory), relations };
}

/** Returns all fields of the memory that answers have, with its lists copied. */
export function whole(memory: Memory): MemoryDraft & { tags: string[]; tag_prefixes: string[] } {
  const { maybe_outdated_by: _suggestion, ...shown } = memory;
  return { ...shown, tags: [...memory.tags], tag_prefixes: [...memory.tag_prefixes] };
}

/** @param id of the changed or deleted memory */
export function renderChange(id: string): ChangeAnswer {
  return { status: 'success', memory_id: id };
}

export function renderUpdate(id: string, mayReplace: readonly MayReplace[]): UpdateAnswer {
  return { ...renderChange(id), ...replaceable(mayReplace) };
}
