/**
 * Lets a new memory replace an old one, and takes back the note in the old one when the new one is deleted
 * (docs/decisions.md, "Superseding").
 */

import { ownTags } from '../domain/entity.js';
import { invalidField, MemoryError } from '../domain/errors.js';
import { applyPatch, type Memory, type NewMemory } from '../domain/memory.js';
import { ALL_EDGES, SUPERSESSION_TYPES, type Supersession } from '../domain/relation.js';
import { type Clock, toIso } from '../domain/time.js';
import type { EdgeStore } from '../stores/ports/edge-store.js';
import type { MemoryStore, NewRecord, SaveOutcome } from '../stores/ports/memory-store.js';
import type { NewRecords } from './write.js';

export interface SupersedeParts {
  graph: MemoryStore & Pick<EdgeStore, 'relationsOf'>;
  clock: Clock;
}

const SUPERSESSION_STRENGTH = 0.9;

/** Copies from the superseded memory the values that the caller omitted (docs/decisions.md, "Superseding"). */
export async function withKept(
  { graph }: SupersedeParts,
  input: NewMemory,
  { oldId }: Supersession,
): Promise<NewMemory> {
  const old = (await graph.getMemories([oldId])).get(oldId);
  if (!old) throw supersededNotFound(oldId);
  const { type, confidence } = old;
  return {
    ...input,
    tags: input.tags ?? ownTags(old),
    importance: input.importance ?? old.importance,
    ...(input.type === undefined && { type, confidence: input.confidence ?? confidence }),
  };
}

/**
 * Writes a new memory that supersedes an old memory. Only the edge makes the old memory outdated, so the old memory is
 * valid again if the new one is deleted. A note in the metadata of the old memory names the new memory too, for readers
 * that do not read the edge.
 */
export async function supersede(
  { graph, clock }: SupersedeParts,
  made: NewRecords,
  { oldId, type, reason }: Supersession,
): Promise<SaveOutcome[]> {
  const records: NewRecord[] = [];
  for await (const part of made) records.push(...part);
  const nowMs = clock.nowMs();
  const [record, another] = records;
  if (!record || another) throw new Error('a supersession must have exactly one new memory');
  if (record.memory.id === oldId) throw invalidField('supersedes_memory_id', 'must not be the id of the new memory');
  const note = {
    superseded_by: record.memory.id,
    supersede_relation: type,
    ...(reason && { supersede_reason: reason }),
  };
  const outcome = await graph.supersede({
    record,
    supersededId: oldId,
    change: current => {
      const { maybe_outdated_by: _ended, ...answered } = applyPatch(
        current,
        { metadata: { deprecated: true, ...note } },
        nowMs,
      );
      return { memory: answered, work: [] };
    },
    relation: {
      from: oldId,
      to: record.memory.id,
      type,
      strength: SUPERSESSION_STRENGTH,
      properties: reason ? { reason } : {},
      updated_at: toIso(nowMs),
    },
  });
  if (!outcome) throw supersededNotFound(oldId);
  return [outcome];
}

/**
 * Removes the notes that name these memories, because they are about to be deleted. With their edges deleted too, the
 * memories that they had replaced are valid again.
 */
export async function endNotes({ graph, clock }: SupersedeParts, ids: readonly string[]): Promise<void> {
  const leaving = new Set(ids);
  const edges = await graph.relationsOf({ ids, limit: ALL_EDGES, types: SUPERSESSION_TYPES });
  const replaced = new Set([...edges.values()].flat().map(({ from }) => from));
  for (const id of replaced) {
    if (leaving.has(id)) continue;
    await graph.updateMemory(id, current => {
      const isNoted = leaving.has(String(current.metadata.superseded_by));
      return { memory: isNoted ? withoutNote(current, toIso(clock.nowMs())) : current, work: [] };
    });
  }
}

function withoutNote(memory: Memory, updated_at: string): Memory {
  const { deprecated, superseded_by, supersede_relation, supersede_reason, ...metadata } = memory.metadata;
  return { ...memory, metadata, updated_at };
}

function supersededNotFound(id: string): MemoryError {
  return new MemoryError('not_found', `The memory to supersede does not exist: ${id}`, {
    field: 'supersedes_memory_id',
  });
}
