/** Reads and writes the former versions of a memory. */
import { memoryNotFound } from '../domain/errors.js';
import { type MemoryHistory, type MemoryVersion, NO_HISTORY, type VersionFields } from '../domain/history.js';
import { isPlainObject } from '../domain/json.js';
import type { MemoryStore, StoredHistory } from '../stores/ports/memory-store.js';
import type { NodeStore } from '../stores/ports/node-store.js';

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

/** @param updatedAt the instant of the edit, in ISO 8601 */
export function storedHistory({ lastNumber, versions }: MemoryHistory, updatedAt: string): StoredHistory {
  return { properties: { last_version: lastNumber, versions: JSON.stringify(versions) }, updated_at: updatedAt };
}

/**
 * Leaves out values that do not have the form of a version, so that the memory can still be edited. Only another
 * program can have written such values. The next version gets a new number even if versions were left out.
 */
export function readHistory(stored: StoredHistory | undefined): MemoryHistory {
  if (!stored) return NO_HISTORY;
  const { last_version, versions } = stored.properties;
  const read = readVersions(versions);
  const highest = read[0]?.number ?? 0;
  return { lastNumber: Math.max(typeof last_version === 'number' ? last_version : 0, highest), versions: read };
}

function readVersions(text: unknown): MemoryVersion[] {
  try {
    const value: unknown = JSON.parse(String(text));
    return Array.isArray(value) ? value.filter(isVersion) : [];
  } catch {
    return [];
  }
}

function isVersion(value: unknown): value is MemoryVersion {
  if (!isPlainObject(value)) return false;
  const { number, replacedAt, changed, fields } = value;
  if (typeof number !== 'number' || typeof replacedAt !== 'string' || !Array.isArray(changed)) return false;
  if (!isPlainObject(fields)) return false;
  return typeof fields.content === 'string' && Array.isArray(fields.tags) && isPlainObject(fields.metadata);
}
