/** Writes memories. The write to the graph is the commit. A separate vector store is written after the commit. */

import { invalidField, memoryNotFound } from '../domain/errors.js';
import { hasSamePayload, passesFilter } from '../domain/filter.js';
import { changeBackTo, historyAfter, type MemoryHistory } from '../domain/history.js';
import type { InputLimits } from '../domain/input.js';
import { applyPatch, assertStorable, type Memory, type MemoryPatch, type NewMemory } from '../domain/memory.js';
import { growthProblem } from '../domain/metadata.js';
import { TAG_PAGE_MAX } from '../domain/recall.js';
import type { Supersession } from '../domain/relation.js';
import type { StoredMemory, TagRemoval, VectorState } from '../domain/results.js';
import { tagKeys } from '../domain/tags.js';
import { characterCount } from '../domain/text/characters.js';
import { type Clock, toIso } from '../domain/time.js';
import type { Classifier } from '../enrichment/classify/classifier.js';
import { named, renamed, renamedByCaller } from '../enrichment/name-entities.js';
import { originalOf, type Shortener } from '../enrichment/shorten.js';
import { inSteps } from '../event-loop.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { EdgeStore } from '../stores/ports/edge-store.js';
import type { MemoryChange, MemoryStore, NewRecord, SaveOutcome } from '../stores/ports/memory-store.js';
import type { SearchIndex } from '../stores/ports/search-index.js';
import type { WorkKind } from '../stores/ports/work-queue.js';
import {
  assertSame,
  EMBEDDED_WORK,
  modelOf,
  newRecords,
  type RecordParts,
  UNEMBEDDED_WORK,
  vectorNow,
} from './new-records.js';
import { type HistoryParts, havingAny, historyOf, readHistory, storedHistory } from './read.js';
import { endNotes, supersede, withKept } from './supersede.js';
import type { Workers } from './workers.js';

export interface WriteParts extends RecordParts {
  graph: MemoryStore & Pick<SearchIndex, 'list'> & Pick<EdgeStore, 'relationsOf'>;
  projection: VectorProjection;
  workers: Workers;
  classifier: Pick<Classifier, 'classifyNow' | 'hasFound'>;
  shortener: Shortener;
  clock: Clock;
  limits: Pick<InputLimits, 'metadata'>;
}

/** @param supersession the memory that the new one replaces, in the same atomic write */
export async function storeOne(
  parts: WriteParts,
  input: NewMemory,
  supersession?: Supersession,
): Promise<StoredMemory> {
  const startedMs = parts.clock.elapsedMs();
  const stated = supersession ? await withKept(parts, input, supersession) : input;
  const commit = supersession && ((made: NewRecords) => supersede(parts, made, supersession));
  const shortened = await parts.shortener.shorten(stated);
  const { memories, vectors, areNew } = await save(parts, [shortened], commit).catch(error =>
    replayOf(parts, input, error),
  );
  const memory = memories[0] as Memory;
  // Skip the comparison after a supersession. The caller did not give the values that were copied from the superseded
  // memory.
  if (!areNew && !supersession) assertSame(input, memory);
  return {
    memory,
    vector: vectors,
    isVectorSupplied: input.embedding !== undefined,
    ...(memory.content !== input.content && {
      shortened: { fromLength: characterCount(input.content), toLength: characterCount(memory.content) },
    }),
    ...(supersession && { supersededId: supersession.oldId }),
    storedAtMs: parts.clock.nowMs(),
    durationMs: parts.clock.elapsedMs() - startedMs,
  };
}

/**
 * Recognises a repeated request to store a memory whose content was shortened. The stored content differs from the
 * given content, but the stored original is the same.
 */
async function replayOf({ graph }: WriteParts, input: NewMemory, error: unknown): Promise<Saved> {
  const existing = input.id === undefined ? undefined : (await graph.getMemories([input.id])).get(input.id);
  if (!existing || originalOf(existing) !== input.content) throw error;
  return { memories: [existing], vectors: hasVector(existing) ? 'stored' : 'queued', areNew: false };
}

export interface Saved {
  memories: Memory[];
  vectors: VectorState;
  /** Whether all stored memories are new. */
  areNew: boolean;
}

/** New records that arrive in parts, the first ones while later ones are still being made. */
export type NewRecords = AsyncIterable<readonly NewRecord[]>;
type Commit = (made: NewRecords) => Promise<SaveOutcome[]>;

export async function save(
  parts: WriteParts,
  inputs: readonly NewMemory[],
  commit: Commit = made => parts.graph.saveMemories(made),
): Promise<Saved> {
  const { graph, projection, embedder, workers } = parts;
  const records: NewRecord[] = [];
  const outcomes = await commit(noted(newRecords(parts, inputs), records));
  const created = records.filter((_, index) => outcomes[index] === 'created');
  const areStored = await projection.add(created, record => modelOf(record, embedder));
  for (const { work } of created) notify(workers, work);
  const memories = await asStored(graph, records, outcomes);
  const haveAll = areStored && memories.every((memory, index) => outcomes[index] === 'created' || hasVector(memory));
  return { memories, vectors: haveAll ? 'stored' : 'queued', areNew: created.length === records.length };
}

/** Passes the records on, and keeps them in the list, because the store returns only the outcomes. */
async function* noted(made: NewRecords, list: NewRecord[]): NewRecords {
  for await (const part of made) {
    list.push(...part);
    yield part;
  }
}

function hasVector({ embedded_by }: Memory): boolean {
  return embedded_by !== undefined;
}

/**
 * Notifies the enrichment worker if the memory was written with its vector, otherwise the embedding worker. The
 * embedding worker also repairs stale vectors, and then notifies the enrichment worker of memories that waited for a
 * vector.
 */
function notify({ embed, enrich }: Workers, work: readonly WorkKind[]): void {
  (work === EMBEDDED_WORK ? enrich : embed).notify();
}

/** Returns the stored memories. For a replay, returns the record that existed before. */
async function asStored(
  graph: Pick<MemoryStore, 'getMemories'>,
  records: readonly NewRecord[],
  outcomes: readonly string[],
): Promise<Memory[]> {
  const replayed = records.filter((_, index) => outcomes[index] === 'replayed').map(({ memory }) => memory.id);
  const existing = replayed.length > 0 ? await graph.getMemories(replayed) : new Map<string, Memory>();
  return records.map(({ memory }) => existing.get(memory.id) ?? memory);
}

export function updateOne(parts: WriteParts, id: string, patch: MemoryPatch): Promise<Memory> {
  return editOne(parts, { id, content: patch.content, patchFor: () => patch });
}

export interface Edit {
  id: string;
  /** The new content, if the edit changes it. */
  content: string | undefined;
  /** The change, given the history that belongs to the current record. */
  patchFor(history: MemoryHistory): MemoryPatch;
}

/** Changes a memory for a caller, and keeps the version before the change in the same write. */
async function editOne(parts: WriteParts, { id, content, patchFor }: Edit): Promise<Memory> {
  const { graph, projection, embedder, workers } = parts;
  const made = await vectorNow(parts, content);
  let vector: Float32Array | undefined;
  let work: readonly WorkKind[] = [];
  let isSamePayload = false;
  const changed = await graph.updateMemory(id, (current, stored) => {
    const history = readHistory(stored);
    const patch = patchFor(history);
    vector = patch.content === content ? made : undefined;
    const change = changeOf(parts, { current, patch, vector });
    work = change.work;
    isSamePayload = hasSamePayload(current, change.memory);
    const at = toIso(parts.clock.nowMs());
    const kept = historyAfter(history, { before: current, after: change.memory, patch, at });
    return { ...change, ...(kept && { history: storedHistory(kept, at) }) };
  });
  if (!changed) throw memoryNotFound(id);
  const isContentChanged = work.length > 0;
  // The vector and its payload are still right, so nobody has anything to do.
  if (!isContentChanged && isSamePayload) return changed;
  await (isContentChanged
    ? projection.renew(changed, vector && { vector, model: embedder.model })
    : projection.refresh(changed));
  notify(workers, work);
  return changed;
}

interface Change {
  current: Memory;
  patch: MemoryPatch;
  /** The vector of the new content, if it can be made at once. */
  vector: Float32Array | undefined;
}

/** @throws MemoryError `invalid` when the patch would make the memory invalid */
function changeOf(parts: WriteParts, { current, patch, vector }: Change): MemoryChange {
  const { projection, embedder, clock, limits } = parts;
  assertStorable(patch);
  const applied = applyPatch(current, withReclassifiedType(parts, current, patch), clock.nowMs());
  const isNamed = patch.metadata !== undefined && 'entities' in patch.metadata;
  const memory = isNamed ? renamedByCaller(applied, current) : applied;
  const problem = patch.metadata && growthProblem(current.metadata, memory.metadata, limits.metadata);
  if (problem !== undefined) throw invalidField('metadata', problem);
  if (memory.content === current.content) return { memory, work: [] };
  const said = isNamed ? named(memory) : renamed(memory, current.content);
  if (!vector || !projection.isInGraph) return { memory: said, work: UNEMBEDDED_WORK };
  return { memory: { ...said, embedded_by: embedder.model }, vector, work: EMBEDDED_WORK };
}

/**
 * Derives the type from the new content if the old type was derived from the old content. Keeps a type from a caller.
 */
function withReclassifiedType({ classifier }: WriteParts, current: Memory, patch: MemoryPatch): MemoryPatch {
  const { content, type, confidence } = patch;
  if (content === undefined || type !== undefined || confidence !== undefined) return patch;
  return classifier.hasFound(current) ? { ...patch, ...classifier.classifyNow(content) } : patch;
}

export async function removeOne(parts: WriteParts, id: string): Promise<void> {
  const deleted = await remove(parts, [id]);
  if (deleted === 0) throw memoryNotFound(id);
}

export async function removeByTag(parts: WriteParts, tags: readonly string[]): Promise<TagRemoval> {
  let deletedCount = 0;
  for await (const ids of inSteps(firstPages(parts, tags))) deletedCount += await remove(parts, ids);
  return { tags: [...tags], deletedCount };
}

/**
 * Reads the first page of ids again and again, until the memories of all pages are deleted. Passes over pages of memories
 * from which another program has removed the tags.
 */
async function* firstPages({ graph }: WriteParts, tags: readonly string[]): AsyncGenerator<string[]> {
  const filter = havingAny(tagKeys(tags));
  for (let offset = 0; ; ) {
    const listedIds = await graph.list({ filter, order: 'importance', limit: TAG_PAGE_MAX, offset });
    if (listedIds.length === 0) return;
    const memories = await graph.getMemories(listedIds);
    const page = [...memories.values()].filter(memory => passesFilter(memory, filter)).map(({ id }) => id);
    if (page.length > 0) yield page;
    // After a deletion all offsets have changed, also by the deletions of other requests.
    offset = page.length > 0 ? 0 : offset + listedIds.length;
  }
}

/**
 * Deletes memories and their vectors. Vectors may remain when a separate vector store fails, or when a batch in flight
 * writes them afterwards. The graph notes them as stale, and the worker removes them later.
 */
async function remove(parts: WriteParts, ids: readonly string[]): Promise<number> {
  const { graph, projection, workers } = parts;
  // The notes end first, so that a request that is repeated after a failure ends them too.
  await endNotes(parts, ids);
  const deleted = await graph.deleteMemories(ids);
  await projection.remove(deleted);
  workers.embed.notify();
  return deleted.length;
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
