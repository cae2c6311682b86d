/** Reading by id and by tag, with relations; the access is noted behind the answer. */
import type { MemoryAnswer, TagPageAnswer } from '../domain/answers.js';
import { memoryNotFound } from '../domain/errors.js';
import { shownMetadata } from '../domain/metadata.js';
import type { TagPage } from '../domain/recall-query.js';
import { tagKeys } from '../domain/tags.js';
import type { Clock } from '../domain/time.js';
import type { AccessRecorder } from '../recall/access-recorder.js';
import { relationEntries } from '../recall/relations.js';
import { toTagResult } from '../recall/result.js';
import type { GraphStore } from '../stores/graph-store.js';
import { elapsed } from './write.js';

export interface ReadParts {
  graph: GraphStore;
  clock: Clock;
  accesses: Pick<AccessRecorder, 'record'>;
  /** Relations attached to each memory. */
  relationLimit: number;
}

/** @throws MemoryError `not_found` */
export async function readOne({ graph, accesses, relationLimit }: ReadParts, id: string): Promise<MemoryAnswer> {
  const [memory] = (await graph.getMemories([id])).values();
  if (!memory) throw memoryNotFound(id);
  const relations = await relationEntries(graph, [id], relationLimit);
  accesses.record([id]);
  return { status: 'success', ...memory, relations: relations.get(id) ?? [] };
}

export async function readByTag(parts: ReadParts, { tags, limit, offset }: TagPage): Promise<TagPageAnswer> {
  const { graph, clock, accesses, relationLimit } = parts;
  const startedMs = clock.elapsedMs();
  const page = await graph.listByTags({ keys: tagKeys(tags), limit: limit + 1, offset });
  const memories = page.slice(0, limit);
  const ids = memories.map(({ id }) => id);
  const relations = await relationEntries(graph, ids, relationLimit);
  accesses.record(ids);
  return {
    status: 'success',
    tags,
    count: memories.length,
    limit,
    offset,
    has_more: page.length > limit,
    results: memories.map(memory => toTagResult(memory, relations.get(memory.id) ?? [])),
    memories: memories.map(memory => ({ ...memory, ...shownMetadata(memory.metadata) })),
    query_time_ms: elapsed(clock, startedMs),
  };
}
