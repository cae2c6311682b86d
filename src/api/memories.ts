/**
 * Single memories and batches: storing, reading, changing and deleting them, showing their edits, and taking edits
 * back.
 */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidField, MemoryError } from '../domain/errors.js';
import type { MemoryHistory } from '../domain/history.js';
import type { InputLimits } from '../domain/input.js';
import type { Memory, MemoryDraft } from '../domain/memory.js';
import type { MayReplace, MemoryWithRelations, StoredMemories, StoredMemory } from '../domain/results.js';
import { beginningOf } from '../domain/text/characters.js';
import { toIso } from '../domain/time.js';
import {
  memoryFields,
  queryTimeMs,
  recordFields,
  relationEntryAnswer,
  roundThousandths,
  success,
  wholeNumber,
} from './answer-fields.js';
import { ordinal } from './fields.js';
import { readObject } from './input.js';
import {
  memoryBatch,
  memoryPatch,
  memoryToStore,
  readMemoryBatch,
  readMemoryPatch,
  toNewMemory,
} from './memory-requests.js';
import { memoryIdIn, type Operation, routeOf } from './operation.js';

export function memoryOperations(limits: InputLimits): Operation[] {
  const stored = memoryToStore(limits);
  const patch = memoryPatch(limits);
  return [
    {
      ...routeOf('store'),
      access: 'token',
      tag: 'memories',
      summary: 'Store a memory',
      body: stored,
      answers: { 201: storeAnswer },
      failures: ['invalid', 'not_found', 'conflict'],
      takesIdempotencyKey: true,
      run: async (engine, { body, idempotencyKey }) => {
        const { memory, supersession } = toNewMemory(readObject(stored, body, 'A memory'));
        const [named = memory] = withIds([memory], idempotencyKey);
        const outcome = await engine.store(named, supersession);
        return renderStored(outcome, await engine.mayReplace([outcome.memory]));
      },
    },
    {
      ...routeOf('storeMany'),
      access: 'token',
      tag: 'memories',
      summary: 'Store many memories; all are stored or none',
      body: memoryBatch(limits),
      answers: { 201: storeManyAnswer },
      failures: ['invalid', 'conflict'],
      takesIdempotencyKey: true,
      run: async (engine, { body, idempotencyKey }) => {
        const memories = withIds(await readMemoryBatch(body, limits), idempotencyKey);
        const outcome = await engine.storeMany(memories);
        return renderStoredMany(outcome, await engine.mayReplace(outcome.memories));
      },
    },
    {
      ...routeOf('get'),
      access: 'token',
      tag: 'memories',
      summary: 'Read one memory with its relations',
      answers: { 200: memoryAnswer },
      failures: ['invalid', 'not_found'],
      run: async (engine, request) => renderMemory(await engine.get(memoryIdIn(request))),
    },
    {
      ...routeOf('update'),
      access: 'token',
      tag: 'memories',
      summary: 'Change some fields of a memory',
      body: patch,
      answers: { 200: updateAnswer },
      failures: ['invalid', 'not_found'],
      run: async (engine, request) => {
        const id = memoryIdIn(request);
        const update = async () => {
          const patch = readMemoryPatch(request.body, limits);
          const memory = await engine.update(id, patch);
          return { memory, isNew: patch.content !== undefined };
        };
        const { memory, isNew } = await whereThere(update, () => engine.get(id));
        return renderUpdate(memory.id, isNew ? await engine.mayReplace([memory]) : []);
      },
    },
    {
      ...routeOf('remove'),
      access: 'token',
      tag: 'memories',
      summary: 'Delete a memory with its relations and vector',
      answers: { 200: changeAnswer },
      failures: ['invalid', 'not_found'],
      run: async (engine, request) => {
        const id = memoryIdIn(request);
        await engine.remove(id);
        return renderChange(id);
      },
    },
  ];
}

/** The specification requires that a missing memory is reported before an invalid field. */
async function whereThere<Value>(change: () => Promise<Value>, assertPresent: () => Promise<unknown>): Promise<Value> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'invalid') await assertPresent();
    throw error;
  }
}

const replaceable = z.strictObject({
  memory_id: memoryFields.id,
  content: z.string().describe('Content of the older memory, or the beginning of a long content'),
  why: z.string().describe('What the two memories have in common'),
});

const mayReplace = z
  .array(replaceable)
  .optional()
  .describe('Up to three older memories that this memory may replace; absent if there are none');

const storeAnswer = z.strictObject({
  status: success,
  memory_id: memoryFields.id,
  type: memoryFields.type,
  confidence: memoryFields.confidence,
  enrichment: z.literal('queued').describe('Enrichment follows in the background'),
  embedding: z.enum(['queued', 'stored']).describe('Whether the vector of the memory is stored or still queued'),
  embedding_status: z
    .enum(['queued', 'stored', 'provided'])
    .describe('State of the vector: provided when the caller sent the vector'),
  qdrant: z.enum(['queued', 'stored', 'unavailable']).describe('State of the vector in the vector store'),
  stored_at: z.string().describe('When the memory was stored, ISO 8601 in UTC'),
  timestamp: memoryFields.timestamp,
  updated_at: memoryFields.updated_at,
  last_accessed: memoryFields.last_accessed,
  tags: memoryFields.tags,
  metadata: memoryFields.metadata,
  summarized: z.literal(true).optional().describe('The content was too long and has been shortened'),
  original_length: wholeNumber.optional().describe('Length of the content before it was shortened, in characters'),
  summarized_length: wholeNumber.optional().describe('Length of the content after it was shortened, in characters'),
  superseded_memory_id: z.string().optional().describe('Id of the memory that the new memory replaces'),
  may_replace: mayReplace,
  query_time_ms: queryTimeMs,
});
export type StoreAnswer = z.infer<typeof storeAnswer>;

const storeManyAnswer = z.strictObject({
  status: success,
  stored: wholeNumber.describe('Number of stored memories'),
  memory_ids: z.array(z.string()).describe('Ids of the stored memories, in the order of the request'),
  qdrant: z
    .enum(['ok', 'queued', 'unavailable'])
    .describe('ok: every vector is stored; queued: some vectors are still queued'),
  enrichment: z.literal('queued').describe('Enrichment follows in the background'),
  may_replace: z
    .array(replaceable.extend({ newer_id: z.string().describe('Id of the stored memory that may replace it') }))
    .optional()
    .describe('Up to three older memories that the stored memories may replace; a large batch is not compared'),
  query_time_ms: queryTimeMs,
});
export type StoreManyAnswer = z.infer<typeof storeManyAnswer>;

/** The fields of a memory, with its relations. */
export const memoryAnswer = z.strictObject({
  status: success,
  ...recordFields,
  relations: z
    .array(relationEntryAnswer)
    .describe(
      'Edges of the memory: first those created by callers, then those created by the system, strongest first in each group',
    ),
});
export type MemoryAnswer = z.infer<typeof memoryAnswer>;

const changeAnswer = z.strictObject({
  status: success,
  memory_id: z.string().describe('Id of the memory that was changed or deleted'),
});
export type ChangeAnswer = z.infer<typeof changeAnswer>;

const updateAnswer = changeAnswer.extend({ may_replace: mayReplace });
export type UpdateAnswer = z.infer<typeof updateAnswer>;

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

const KEY_MAX_LENGTH = 255;

/**
 * Adds an id to every memory that has none. The id is derived from the key and the position of the memory. Without a
 * key, the memories stay unchanged.
 *
 * @throws MemoryError `invalid` when the key is too long
 */
function withIds<Memory extends { id?: string }>(memories: readonly Memory[], key: string | undefined): Memory[] {
  if (key === undefined) return [...memories];
  if (key.length > KEY_MAX_LENGTH) {
    throw invalidField(IDEMPOTENCY_KEY_HEADER, `must have at most ${KEY_MAX_LENGTH} characters`);
  }
  return memories.map((memory, index) => ({ ...memory, id: memory.id ?? idOf(key, index) }));
}

/** Derives a UUID of version 8 (RFC 9562) from the key and the position of the memory in its request. */
function idOf(key: string, index: number): string {
  const bytes = createHash('sha256').update(`${index}:${key}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Number of characters shown of another memory, enough to recognise it. */
const PREVIEW_LENGTH = 200;

function renderStored(stored: StoredMemory, mayReplace: readonly MayReplace[]): StoreAnswer {
  const { memory, vector, isVectorSupplied, shortened, supersededId, storedAtMs, durationMs } = stored;
  return {
    status: 'success',
    memory_id: memory.id,
    type: memory.type,
    confidence: memory.confidence,
    enrichment: 'queued',
    embedding: vector,
    embedding_status: vector === 'stored' && isVectorSupplied ? 'provided' : vector,
    qdrant: vector,
    stored_at: toIso(storedAtMs),
    timestamp: memory.timestamp,
    updated_at: memory.updated_at,
    last_accessed: memory.last_accessed,
    tags: [...memory.tags],
    metadata: memory.metadata,
    ...(shortened && {
      summarized: true,
      original_length: shortened.fromLength,
      summarized_length: shortened.toLength,
    }),
    ...(supersededId !== undefined && { superseded_memory_id: supersededId }),
    ...replaceableFields(mayReplace),
    query_time_ms: roundThousandths(durationMs),
  };
}

export function renderStoredMany(
  { memories, vectors, durationMs }: StoredMemories,
  mayReplace: readonly MayReplace[],
): StoreManyAnswer {
  return {
    status: 'success',
    stored: memories.length,
    memory_ids: memories.map(({ id }) => id),
    qdrant: vectors === 'stored' ? 'ok' : vectors,
    enrichment: 'queued',
    ...(mayReplace.length > 0 && {
      may_replace: mayReplace.map(each => ({ ...renderReplaceable(each), newer_id: each.newerId })),
    }),
    query_time_ms: roundThousandths(durationMs),
  };
}

/** Returns no field if there are no memories. */
function replaceableFields(found: readonly MayReplace[]): Pick<UpdateAnswer, 'may_replace'> {
  return found.length > 0 ? { may_replace: found.map(renderReplaceable) } : {};
}

function renderReplaceable({ memory, why }: MayReplace): NonNullable<UpdateAnswer['may_replace']>[number] {
  return { memory_id: memory.id, content: previewOf(memory), why };
}

/** The content, or the beginning of a long content. */
export function previewOf({ content }: Memory): string {
  const beginning = beginningOf(content, PREVIEW_LENGTH);
  return beginning === content ? content : `${beginning}…`;
}

export function renderMemory({ memory, relations }: MemoryWithRelations): MemoryAnswer {
  return { status: 'success', ...whole(memory), relations };
}

/** Returns all fields of the memory that answers have, with its lists copied. */
export function whole(memory: Memory): MemoryDraft & { tags: string[]; tag_prefixes: string[] } {
  const { maybe_outdated_by: _suggestion, ...shown } = memory;
  return { ...shown, tags: [...memory.tags], tag_prefixes: [...memory.tag_prefixes] };
}

/** @param id of the changed or deleted memory */
export function renderChange(id: string): ChangeAnswer {
  return { status: 'success', memory_id: id };
}

function renderUpdate(id: string, mayReplace: readonly MayReplace[]): UpdateAnswer {
  return { ...renderChange(id), ...replaceableFields(mayReplace) };
}

const versionAnswer = z.strictObject({
  version: z.int().min(1).describe('Number of the version. It counts edits from 1 and never changes'),
  replaced_at: z.string().describe('When an edit replaced this version, ISO 8601 in UTC'),
  changed: z.array(z.string()).describe('Fields that the edit changed; metadata.<key> is a metadata key'),
  content: memoryFields.content,
  type: memoryFields.type,
  confidence: memoryFields.confidence,
  tags: z.array(z.string()).describe('Tags, except tags derived by enrichment'),
  importance: memoryFields.importance,
  metadata: memoryFields.metadata,
  timestamp: memoryFields.timestamp,
  t_valid: recordFields.t_valid,
  t_invalid: recordFields.t_invalid,
  archived: recordFields.archived,
});

const historyAnswer = z.strictObject({
  status: success,
  memory_id: memoryFields.id,
  versions: z.array(versionAnswer).describe('States of the memory before each of its last ten edits, newest first'),
});
export type HistoryAnswer = z.infer<typeof historyAnswer>;

const restoreVersionRequest = z.object({
  version: ordinal.describe('Number of the version, from the history of the memory'),
});

export const historyOperations: readonly Operation[] = [
  {
    ...routeOf('history'),
    access: 'token',
    tag: 'memories',
    summary: 'List up to ten former states of a memory, newest first',
    answers: { 200: historyAnswer },
    failures: ['invalid', 'not_found'],
    run: async (engine, request) => {
      const id = memoryIdIn(request);
      return renderHistory(id, await engine.history(id));
    },
  },
  {
    ...routeOf('restoreVersion'),
    access: 'token',
    tag: 'memories',
    summary: 'Take back the edit that replaced a version, and all later edits',
    body: restoreVersionRequest,
    answers: { 200: changeAnswer },
    failures: ['invalid', 'not_found'],
    run: async (engine, request) => {
      const id = memoryIdIn(request);
      const { version } = readObject(restoreVersionRequest, request.body, 'The body');
      return renderChange((await engine.restoreVersion(id, version)).id);
    },
  },
];

function renderHistory(id: string, { versions }: MemoryHistory): HistoryAnswer {
  return {
    status: 'success',
    memory_id: id,
    versions: versions.map(({ number, replacedAt, changed, fields }) => ({
      version: number,
      replaced_at: replacedAt,
      changed: [...changed],
      ...fields,
      tags: [...fields.tags],
    })),
  };
}
