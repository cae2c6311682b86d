/** Converts the history of a memory to the properties of its node, and back. */
import { type MemoryHistory, type MemoryVersion, NO_HISTORY } from '../domain/history.js';
import type { StoredHistory } from '../stores/ports/memory-store.js';

/** @param updatedAt the instant of the edit, in ISO 8601 */
export function storedHistory({ lastNumber, versions }: MemoryHistory, updatedAt: string): StoredHistory {
  return { properties: { last_version: lastNumber, versions: JSON.stringify(versions) }, updated_at: updatedAt };
}

/**
 * A text that is not a list of versions, which only another program can have written, counts as no versions: a memory
 * must stay editable. Its numbers are not used again.
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
    return Array.isArray(value) ? (value as MemoryVersion[]) : [];
  } catch {
    return [];
  }
}
