/**
 * Builds the records of new memories, with the type and the names found in their content, and with the vector if it can
 * be made at once.
 */
import { randomUUID } from 'node:crypto';
import { partsOf } from '../domain/collections.js';
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

/** Number of records in a part. Building a record takes time, because its text and its tags are analyzed. */
const RECORDS_PER_PART = 5;

/** Builds the records in the order of the inputs, a few at a time. */
export async function* newRecords(
  parts: RecordParts,
  inputs: readonly NewMemory[],
): AsyncGenerator<readonly NewRecord[]> {
  const nowMs = parts.clock.nowMs();
  for await (const some of inSteps(partsOf(inputs, RECORDS_PER_PART))) {
    const records = await withVectorsMade(
      parts,
      some.map(input => newRecord(parts, input, nowMs)),
    );
    yield parts.projection.isInGraph ? records.map(record => withModel(record, parts.embedder)) : records;
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

async function withVectorsMade(parts: RecordParts, records: NewRecord[]): Promise<NewRecord[]> {
  const without = records.filter(({ vector }) => !vector);
  const made = await vectorsNow(
    parts,
    without.map(({ memory }) => memory.content),
  );
  const vectors = new Map(without.map((record, index) => [record, made[index]]));
  return records.map(record => {
    const vector = vectors.get(record);
    return vector ? { ...record, vector } : record;
  });
}

/**
 * Returns the vectors of the texts if they can be made and written without waiting for a server, otherwise an empty
 * list.
 */
async function vectorsNow({ embedder, vectors }: RecordParts, texts: readonly string[]): Promise<Float32Array[]> {
  const isAtOnce = embedder.isImmediate && vectors.isInProcess && texts.length > 0;
  return isAtOnce ? embedder.embed(texts, 'document') : [];
}

/** @returns undefined when the vector cannot be made at once, or no text is given */
export async function vectorNow(parts: RecordParts, text: string | undefined): Promise<Float32Array | undefined> {
  const [vector] = await vectorsNow(parts, text === undefined ? [] : [text]);
  return vector;
}

/**
 * Adds the model of the vector to a record. The graph writes the vector with the record, so the record is not queued
 * for embedding.
 */
function withModel(record: NewRecord, embedder: Embedder): NewRecord {
  if (!record.vector) return record;
  return { ...record, memory: { ...record.memory, embedded_by: modelOf(record, embedder) }, work: EMBEDDED_WORK };
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
