/** Requests that bring a deleted memory back, and that undo a change, from the memory as it was read before. */
import type { AssociationRequest, MemoryAnswer, MemoryPatchRequest, StoreRequest } from '../../client/client.js';
import type { RelationType } from '../../domain/relation.js';

/** The service makes these edges itself. */
const OF_THE_SERVICE: ReadonlySet<RelationType> = new Set(['SIMILAR_TO', 'PRECEDED_BY', 'DISCOVERED']);

/** The same memory under the same id. A vector that its sender supplied is not known here; the service makes one. */
export function toStoreRequest(memory: MemoryAnswer): StoreRequest {
  const { id, content, type, confidence, tags, importance, metadata } = memory;
  const { timestamp, updated_at, last_accessed, t_valid, t_invalid } = memory;
  return {
    ...{ id, content, type, confidence, tags, importance, metadata, timestamp, updated_at, last_accessed },
    ...(t_valid !== undefined && { t_valid }),
    ...(t_invalid !== undefined && { t_invalid }),
  };
}

/** The relations that somebody made, each with its own direction. */
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

/** The change that gives the changed fields their former values. */
export function undoOf(memory: MemoryAnswer, changed: Edit): Edit {
  const former: Edit = { ...memory, t_valid: memory.t_valid ?? null, t_invalid: memory.t_invalid ?? null };
  return Object.fromEntries((Object.keys(changed) as (keyof Edit)[]).map(name => [name, former[name]]));
}

/** What the service notes in the metadata of a memory that is replaced. */
const SUPERSESSION_NOTES = ['deprecated', 'superseded_by', 'supersede_relation', 'supersede_reason'];

/** The change of metadata that undoes a supersession. Each note gets back its value in `metadata`, as it was before. */
export function withoutSupersession({ metadata }: MemoryAnswer): MemoryAnswer['metadata'] {
  return Object.fromEntries(SUPERSESSION_NOTES.map(name => [name, metadata[name] ?? null]));
}
