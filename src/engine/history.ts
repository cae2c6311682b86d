/** Reads the former versions of a memory, and takes edits back. */
import { memoryNotFound } from '../domain/errors.js';
import { changeBackTo, type MemoryHistory, type VersionFields } from '../domain/history.js';
import type { Memory } from '../domain/memory.js';
import type { MemoryStore, StoredHistory } from '../stores/ports/memory-store.js';
import type { NodeStore } from '../stores/ports/node-store.js';
import { readHistory } from './stored-history.js';
import { editOne, type WriteParts } from './write.js';

export interface HistoryParts {
  graph: Pick<MemoryStore, 'getMemories'> & Pick<NodeStore, 'getNode'>;
}

/** @throws MemoryError `not_found` when no memory has the id */
export async function historyOf({ graph }: HistoryParts, id: string): Promise<MemoryHistory> {
  const [memories, node] = await Promise.all([graph.getMemories([id]), graph.getNode('MemoryHistory', id)]);
  if (!memories.has(id)) throw memoryNotFound(id);
  return readHistory(node);
}

/** The versions, the newest first. */
export function formerVersions(stored: StoredHistory): VersionFields[] {
  return readHistory(stored).versions.map(({ fields }) => fields);
}

/**
 * Takes back the edit that replaced a version, and all later edits. Restoring is an edit too, so the present state is
 * kept as a version.
 *
 * @throws MemoryError `not_found` when the memory or the version does not exist
 */
export async function restoreVersion(parts: WriteParts & HistoryParts, id: string, number: number): Promise<Memory> {
  // The content of a version never changes, so its vector can be made before the edit.
  const { content } = changeBackTo(await historyOf(parts, id), number, id);
  return editOne(parts, { id, content, patchFor: history => changeBackTo(history, number, id) });
}
