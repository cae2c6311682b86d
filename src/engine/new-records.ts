/**
 * Builds the records of new memories, with the type and the names found in their content, and with the vector if it can
 * be made at once.
 */
import { randomUUID } from 'node:crypto';
import { ownTags } from '../domain/entity.js';
import { MemoryError } from '../domain/errors.js';
import { assertStorable, createMemory, type Memory, type NewMemory, SUPPLIED_EMBEDDING } from '../domain/memory.js';
import { tagKeys } from '../domain/tags.js';
import type { Clock } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import type { Classifier } from '../enrichment/classify/classifier.js';
import { named } from '../enrichment/name-entities.js';
import { inSteps } from '../event-loop.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { NewRecord } from '../stores/ports/memory-store.js';
import type { WorkKind } from '../stores/ports/work-queue.js';
import type { VectorStore } from '../stores/vector-store.js';

export interface RecordParts {
  projection: Pick<VectorProjection, 'isInGraph'>;
  vectors: Pick<VectorStore, 'isInProcess'>;
  embedder: Embedder;
  classifier: Pick<Classifier, 'classifyNow'>;
  clock: Clock;
}

/** The kinds of work for a memory without a vector (docs/decisions.md, "Enrichment after the vector"). */
export const UNEMBEDDED_WORK: readonly WorkKind[] = ['embed', 'enrich'];
/** The kinds of work for a memory that is written together with its vector. */
export const EMBEDDED_WORK: readonly WorkKind[] = ['enrich'];

/** Builds the records in the order of the inputs. Other work runs in between, because each text is analyzed. */
export async function* newRecords(
  parts: RecordParts,
  inputs: readonly NewMemory[],
): AsyncGenerator<readonly NewRecord[]> {
  const { clock, projection, embedder } = parts;
  const nowMs = clock.nowMs();
  for await (const input of inSteps(inputs)) {
    const record = newRecord(parts, input, nowMs);
    const vector = record.vector ?? (await vectorNow(parts, record.memory.content));
    if (!vector) yield [record];
    else if (!projection.isInGraph) yield [{ ...record, vector }];
    else {
      // The graph writes the vector with the record, so the record is not queued for embedding.
      const memory = { ...record.memory, embedded_by: modelOf(record, embedder) };
      yield [{ ...record, memory, vector, work: EMBEDDED_WORK }];
    }
  }
}

/** @throws MemoryError `invalid` when the content or a tag contains a NUL character */
export function newRecord({ classifier }: Pick<RecordParts, 'classifier'>, input: NewMemory, nowMs: number): NewRecord {
  assertStorable(input);
  const memory = named(createMemory(withType(input, classifier), input.id ?? newId(nowMs), nowMs));
  const embedding = input.embedding && Float32Array.from(input.embedding);
  return { memory, ...(embedding && { embedding, vector: embedding }), work: UNEMBEDDED_WORK };
}

const TIME_DIGITS = 12;
/** Position in a UUID of the digit that names its version. */
const VERSION_AT = 14;

/**
 * Returns a UUID of version 7 (RFC 9562): the time, followed by 74 random bits. New ids are thus next to each other in
 * the indexes of the stores, and a batch changes few pages. With random ids, each memory would change a page of its own.
 */
function newId(nowMs: number): string {
  const time = nowMs.toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(VERSION_AT + 1)}`;
}

/**
 * The caller's values take precedence: a given type is kept, and a given confidence applies to the type that was found.
 */
function withType(input: NewMemory, classifier: Pick<Classifier, 'classifyNow'>): NewMemory {
  if (input.type) return input;
  const { type, confidence } = classifier.classifyNow(input.content);
  return { ...input, type, confidence: input.confidence ?? confidence };
}

/**
 * Returns the vector of a text if it can be made and written without waiting for a server.
 *
 * @param text undefined if there is none
 */
export async function vectorNow(
  { embedder, vectors }: RecordParts,
  text: string | undefined,
): Promise<Float32Array | undefined> {
  if (text === undefined || !embedder.isImmediate || !vectors.isInProcess) return undefined;
  const [vector] = await embedder.embed([text], 'document');
  return vector;
}

/** Name of the model of a new record's vector. */
export function modelOf({ embedding }: NewRecord, embedder: Embedder): string {
  return embedding ? SUPPLIED_EMBEDDING : embedder.model;
}

/**
 * Refuses a memory whose id already exists with different tags, type or importance
 * (docs/decisions.md, "Ids of the caller").
 *
 * @param index of the memory in a batch
 */
export function assertSame(input: NewMemory, stored: Memory, index?: number): void {
  const { tags, type, importance } = input;
  const holds = (names: readonly string[], others: readonly string[]) => {
    const keys = new Set(tagKeys(names));
    return tagKeys(others).every(key => keys.has(key));
  };
  // The caller may give or omit a tag that enrichment has added.
  const hasSameTags = !tags || (holds(stored.tags, tags) && holds(tags, ownTags(stored)));
  const differing = [
    ...(hasSameTags ? [] : ['tags']),
    ...(type && type !== stored.type ? ['type'] : []),
    ...(importance !== undefined && importance !== stored.importance ? ['importance'] : []),
  ];
  const [field] = differing;
  if (field === undefined) return;
  throw new MemoryError('conflict', `A memory with id ${stored.id} and different ${differing.join(', ')} exists`, {
    field,
    ...(index !== undefined && { index }),
    hint: 'To change the stored memory, use PATCH or update_memory.',
  });
}
