/** Reads memories by id and by tag, with their relations. */
import { memoryNotFound } from '../domain/errors.js';
import { invalidityAt } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { TagPage } from '../domain/recall.js';
import type { ListedMemory, MemoryWithRelations, TagPageOutcome } from '../domain/results.js';
import { tagKeys } from '../domain/tags.js';
import type { Clock } from '../domain/time.js';
import { entriesIn } from '../recall/answer/relations.js';
import { supersessionFinder } from '../recall/select/supersessions.js';
import type { EdgeStore } from '../stores/ports/edge-store.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import { memoriesByTag, type TaggedGraph } from './write.js';

export interface ReadParts {
  graph: EdgeStore & TaggedGraph & Pick<MemoryStore, 'countMemories'>;
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

export async function readByTag(parts: ReadParts, asked: TagPage): Promise<TagPageOutcome> {
  const { graph, clock, relationLimit } = parts;
  const startedMs = clock.elapsedMs();
  const { tags, limit, offset, counts } = asked;
  const keys = tagKeys(tags);
  const found = await memoriesByTag(graph, { keys, limit: limit + 1, offset });
  const memories = found.slice(0, limit);
  const ids = memories.map(({ id }) => id);
  const nowMs = clock.nowMs();
  const [attached, supersessions, total] = await Promise.all([
    graph.relationsWithEnds({ ids, limit: relationLimit }),
    supersessionFinder(graph, nowMs)(ids),
    counts ? graph.countMemories({ tagKeys: keys }) : undefined,
  ]);
  const relations = entriesIn(attached);
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
    hasMore: found.length > limit,
    ...(total !== undefined && { total }),
    durationMs: clock.elapsedMs() - startedMs,
  };
}
