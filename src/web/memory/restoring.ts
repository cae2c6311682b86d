/**
 * Requests that restore a deleted memory or undo a change. They use the memory as the page read it before the deletion
 * or the change.
 */
import type { AssociationRequest, MemoryAnswer, MemoryPatchRequest, StoreRequest } from '../../client/client.js';
import type { RelationType } from '../../domain/relation.js';

/** Types of edges that the service creates itself. */
const OF_THE_SERVICE: ReadonlySet<RelationType> = new Set(['SIMILAR_TO', 'PRECEDED_BY', 'DISCOVERED']);

/**
 * Returns a request that stores the memory again under its id. The page does not have the vector of the memory, so the
 * service makes a new vector.
 */
export function toStoreRequest(memory: MemoryAnswer): StoreRequest {
  const { id, content, type, confidence, tags, importance, metadata } = memory;
  const { timestamp, updated_at, last_accessed, t_valid, t_invalid } = memory;
  return {
    ...{ id, content, type, confidence, tags, importance, metadata, timestamp, updated_at, last_accessed },
    ...(t_valid !== undefined && { t_valid }),
    ...(t_invalid !== undefined && { t_invalid }),
  };
}

/** The relations that callers created, each in its own direction. */
export function toAssociations({ id, relations }: MemoryAnswer): AssociationRequest[] {
  return relations
    .filter(({ type }) => !OF_THE_SERVICE.has(type))
    .map(({ memory, direction, updated_at: _time, score: _score, count: _count, ...edge }) => {
      const [memory1_id, memory2_id] = direction === 'outgoing' ? [id, memory.id] : [memory.id, id];
      return { ...edge, memory1_id, memory2_id } as AssociationRequest;
    });
}

export type Edit = Pick<MemoryPatchRequest, 'content' | 'type' | 'tags' | 'importance' | 't_valid' | 't_invalid'>;

/** The fields of an edit that differ from the memory. */
export function changedFields(memory: MemoryAnswer, edit: Edit): Edit {
  const present: Edit = { ...memory, t_valid: memory.t_valid ?? null, t_invalid: memory.t_invalid ?? null };
  const names = Object.keys(edit) as (keyof Edit)[];
  return Object.fromEntries(
    names.filter(name => JSON.stringify(edit[name]) !== JSON.stringify(present[name])).map(name => [name, edit[name]]),
  );
}

/** The change that restores the previous values of the changed fields. */
export function undoOf(memory: MemoryAnswer, changed: Edit): Edit {
  const former: Edit = { ...memory, t_valid: memory.t_valid ?? null, t_invalid: memory.t_invalid ?? null };
  return Object.fromEntries((Object.keys(changed) as (keyof Edit)[]).map(name => [name, former[name]]));
}

/** Metadata keys that the service sets in a memory when another memory replaces it. */
const SUPERSESSION_NOTES = ['deprecated', 'superseded_by', 'supersede_relation', 'supersede_reason'];

/**
 * The metadata change that undoes a supersession. The given memory was read before the supersession. Each key of
 * SUPERSESSION_NOTES gets the value that it had then, or is removed.
 */
export function withoutSupersession({ metadata }: MemoryAnswer): MemoryAnswer['metadata'] {
  return Object.fromEntries(SUPERSESSION_NOTES.map(name => [name, metadata[name] ?? null]));
}
