/** Reads memories by id and by tag, with their relations. */
import { memoryNotFound } from '../domain/errors.js';
import { invalidityAt, type MemoryFilter, passesFilter } from '../domain/filter.js';
import { type MemoryHistory, type MemoryVersion, NO_HISTORY, type VersionFields } from '../domain/history.js';
import { isPlainObject } from '../domain/json.js';
import type { Memory } from '../domain/memory.js';
import type { TagPage } from '../domain/recall.js';
import type { ListedMemory, MemoryWithRelations, TagPageOutcome } from '../domain/results.js';
import { tagKeys } from '../domain/tags.js';
import type { Clock } from '../domain/time.js';
import { entriesIn } from '../recall/answer/result.js';
import { linksAmong, supersessionFinder } from '../recall/select/supersessions.js';
import type { EdgeStore } from '../stores/ports/edge-store.js';
import type { MemoryStore, StoredHistory } from '../stores/ports/memory-store.js';
import type { NodeStore } from '../stores/ports/node-store.js';
import type { SearchIndex } from '../stores/ports/search-index.js';

export interface ReadParts {
  graph: EdgeStore & Pick<SearchIndex, 'list'> & Pick<MemoryStore, 'countMemories'>;
  clock: Clock;
  /** Maximum number of relations attached to each memory. */
  relationLimit: number;
}

/** @throws MemoryError `not_found` */
export async function readOne({ graph, relationLimit }: ReadParts, id: string): Promise<MemoryWithRelations> {
  const found = await graph.relationsWithEnds({ ids: [id], limit: relationLimit, isWithMemories: true });
  const memory = found.memories.get(id);
  if (!memory) throw memoryNotFound(id);
  return { memory, relations: entriesIn(found).get(id) ?? [] };
}

/** The filter for memories with a tag that equals one of the keys. */
export function havingAny(keys: readonly string[]): MemoryFilter {
  return { tags: { keys, mode: 'any', match: 'exact' } };
}

export async function readByTag(parts: ReadParts, asked: TagPage): Promise<TagPageOutcome> {
  const { graph, clock, relationLimit } = parts;
  const startedMs = clock.elapsedMs();
  const { tags, limit, offset, counts } = asked;
  const keys = tagKeys(tags);
  const filter = havingAny(keys);
  const listedIds = await graph.list({ filter, order: 'importance', limit: limit + 1, offset });
  const page = listedIds.slice(0, limit);
  const attached = await graph.relationsWithEnds({ ids: page, limit: relationLimit, isWithMemories: true });
  // Another program may have removed the tag since the memory was indexed.
  const memories = page.flatMap(id => attached.memories.get(id) ?? []).filter(memory => passesFilter(memory, filter));
  const ids = memories.map(({ id }) => id);
  const nowMs = clock.nowMs();
  const total = counts ? await graph.countMemories({ tagKeys: keys }) : undefined;
  const relations = entriesIn(attached);
  const supersessions = await supersessionFinder(graph, nowMs, linksAmong(attached, relationLimit))(ids);
  const listed = (memory: Memory): ListedMemory => {
    const successor = supersessions.get(memory.id)?.head;
    const invalidity = invalidityAt(memory, nowMs);
    return {
      memory,
      relations: relations.get(memory.id) ?? [],
      ...(successor && { supersededById: successor.id }),
      ...(invalidity && { invalidity }),
    };
  };
  return {
    page: asked,
    memories: memories.map(listed),
    hasMore: listedIds.length > limit,
    ...(total !== undefined && { total }),
    durationMs: clock.elapsedMs() - startedMs,
  };
}

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
