/** Requests that store memories, one at a time or in a batch, and requests that change them. */

import { z } from 'zod';
import { atIndex, invalidField, MemoryError } from '../domain/errors.js';
import type { InputLimits } from '../domain/input.js';
import { isPlainObject } from '../domain/json.js';
import { assertValidityBounds, DEFAULT_IMPORTANCE, type MemoryPatch, type NewMemory } from '../domain/memory.js';
import { SUPERSEDE_RELATIONS, type Supersession } from '../domain/relation.js';
import { inSteps } from '../event-loop.js';
import {
  choice,
  content,
  embedding,
  flag,
  memoryId,
  memoryType,
  metadata,
  removableTime,
  tagList,
  text,
  time,
  unitNumber,
} from './fields.js';
import { listFromJson, objectFromJson, optional, perLimits, readObject, replacement, withDefault } from './input.js';
import { PROPERTY_MAX_LENGTH } from './relations.js';

/** Descriptions of the fields of a new memory. */
const SAID = {
  type: 'Derived from the content by default',
  confidence: 'Confidence of the type, 0-1; 0.9 by default for a given type',
  importance: '0-1: 0.9 critical, 0.7 important, 0.5 standard (default), below that minor',
  timestamp: "When it happened: ISO 8601, or words such as 'yesterday'; now by default",
  updated_at: 'When the memory was last changed, in the form of timestamp; defaults to timestamp',
  last_accessed: 'When the memory was last used, in the form of timestamp; defaults to timestamp',
  t_valid: 'Valid from, in the form of timestamp',
  t_invalid: 'Valid until, in the form of timestamp',
};

/** Descriptions of the fields of a change. Fields that are left out stay unchanged. */
const CHANGED = {
  type: 'The new type',
  confidence: 'Confidence of the type, 0-1',
  importance: '0-1',
  timestamp: "When it happened: ISO 8601, or words such as 'yesterday'",
  updated_at: 'When the memory was last changed, in the form of timestamp; now by default',
  last_accessed: 'When the memory was last used, in the form of timestamp',
  t_valid: 'Valid from, in the form of timestamp; null removes it',
  t_invalid: 'Valid until, in the form of timestamp; null removes it',
};

export const newMemory = perLimits(limits =>
  z.object({
    content: content(limits.contentMaxLength).describe(
      'What to remember, in sentences that stand alone; 150-300 characters are ideal',
    ),
    type: optional(memoryType).describe(SAID.type),
    confidence: optional(unitNumber).describe(SAID.confidence),
    tags: optional(tagList(limits.tags)).describe('Labels; levels are separated by : or /, such as project:engraph'),
    importance: optional(unitNumber).describe(SAID.importance).meta({ default: DEFAULT_IMPORTANCE }),
    timestamp: optional(time).describe(SAID.timestamp),
    updated_at: optional(time).describe(SAID.updated_at),
    last_accessed: optional(time).describe(SAID.last_accessed),
    metadata: withDefault(metadata(limits.metadata), {}).describe('Any JSON, such as a source or file names'),
    t_valid: optional(time).describe(SAID.t_valid),
    t_invalid: optional(time).describe(SAID.t_invalid),
    embedding: optional(embedding(limits.vectorSize)).describe(
      'Your own vector, with exactly VECTOR_SIZE numbers. By default Engraph makes the vector',
    ),
    id: optional(memoryId).describe(
      'Your own UUID for the memory; by default Engraph makes the id. A request repeated with the same id and content stores the memory once',
    ),
  }),
);

export const memoryToStore = perLimits(limits =>
  newMemory(limits).extend({
    supersedes_memory_id: optional(memoryId).describe(
      'Id of the memory that this one replaces; its type, importance and tags are kept unless given',
    ),
    supersede_relation: optional(choice(SUPERSEDE_RELATIONS)).describe(
      'INVALIDATED_BY (default): the old one was wrong or is no longer true; EVOLVED_INTO: it developed into this one',
    ),
    supersede_reason: optional(text(PROPERTY_MAX_LENGTH)).describe('Why the new memory replaces the old one'),
  }),
);

/** The fields of a change. An empty list removes the tags, and null removes a validity bound. */
export const memoryPatch = perLimits(limits =>
  z.object({
    content: optional(content(limits.contentMaxLength)).describe('Replaces the content'),
    type: optional(memoryType).describe(CHANGED.type),
    confidence: optional(unitNumber).describe(CHANGED.confidence),
    tags: replacement(tagList(limits.tags)).describe('Replaces all tags; [] removes them'),
    importance: optional(unitNumber).describe(CHANGED.importance),
    timestamp: optional(time).describe(CHANGED.timestamp),
    updated_at: optional(time).describe(CHANGED.updated_at),
    last_accessed: optional(time).describe(CHANGED.last_accessed),
    metadata: optional(metadata(limits.metadata)).describe('Merged by key; null removes a key'),
    archived: optional(flag).describe('true hides the memory from recall'),
    t_valid: removableTime.describe(CHANGED.t_valid),
    t_invalid: removableTime.describe(CHANGED.t_invalid),
  }),
);

/** Memories to store together, also accepted as a plain array. */
export function memoryBatch(limits: InputLimits) {
  const memories = z
    .array(newMemory(limits))
    .min(1)
    .max(limits.batchMaxSize)
    .describe('Memories to store; all are stored, or none');
  return z.union([z.object({ memories }), memories]);
}

/** The input type for callers of the TypeScript client. Fields with a default may be left out. */
export type StoreRequest = Partial<MemoryToStore> & { content: string };
export type NewMemoryRequest = Partial<z.output<ReturnType<typeof newMemory>>> & { content: string };
export type MemoryPatchRequest = z.output<ReturnType<typeof memoryPatch>>;

type MemoryToStore = z.output<ReturnType<typeof memoryToStore>>;

interface MemoryWithWishes {
  memory: NewMemory;
  supersession?: Supersession;
}

/** @throws MemoryError `invalid` naming the first invalid field */
export function toNewMemory(given: MemoryToStore): MemoryWithWishes {
  const { supersedes_memory_id: oldId, supersede_relation, supersede_reason: reason, ...memory } = given;
  assertValidityBounds(memory);
  if (oldId === undefined) return { memory };
  const type = supersede_relation ?? SUPERSEDE_RELATIONS[0];
  return { memory, supersession: { oldId, type, ...(reason && { reason }) } };
}

/**
 * Parses one memory. Unknown keys are ignored.
 *
 * @throws MemoryError `invalid` naming the first invalid field
 */
export function readNewMemory(input: unknown, limits: InputLimits): NewMemory {
  const memory = readObject(newMemory(limits), input, 'A memory');
  assertValidityBounds(memory);
  return memory;
}

/**
 * Parses a change. Unknown keys, and `id`, are ignored.
 *
 * @throws MemoryError `invalid` naming the first invalid field
 */
export function readMemoryPatch(input: unknown, limits: InputLimits): MemoryPatch {
  const given = objectFromJson(input);
  // Refuse `protected` instead of ignoring it, because the caller would rely on a protection that does not exist.
  if (isPlainObject(given) && 'protected' in given) throw invalidField('protected', 'cannot be changed');
  const patch = toMemoryPatch(readObject(memoryPatch(limits), given, 'A change'));
  // A caller who sends nothing but a blank content expects that it takes effect.
  const isOnlyBlank = Object.keys(patch).length === 0 && isPlainObject(given) && given.content !== undefined;
  if (isOnlyBlank) throw invalidField('content', 'must not be blank');
  return patch;
}

/** Keeps only the fields that were given. */
export function toMemoryPatch(given: z.output<ReturnType<typeof memoryPatch>>): MemoryPatch {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/**
 * Parses a batch: a JSON array, or an object with a `memories` array. One invalid element fails the whole batch. Yields
 * to the event loop from time to time.
 *
 * @throws MemoryError `invalid` with the index of the first invalid element, `too_large` for too many elements
 */
export async function readMemoryBatch(input: unknown, limits: InputLimits): Promise<NewMemory[]> {
  const given = objectFromJson(input);
  const items = listFromJson(isPlainObject(given) ? given.memories : given);
  if (!Array.isArray(items) || items.length === 0) {
    throw invalidField('memories', 'must be a non-empty array of memories');
  }
  if (items.length > limits.batchMaxSize) {
    throw new MemoryError('too_large', `Batch size limit is ${limits.batchMaxSize} memories per request`, {
      field: 'memories',
      hint: 'Split the batch.',
    });
  }
  const memories: NewMemory[] = [];
  for await (const [index, item] of inSteps(items.entries())) memories.push(readItem(item, index, limits));
  return memories;
}

function readItem(item: unknown, index: number, limits: InputLimits): NewMemory {
  try {
    return readNewMemory(item, limits);
  } catch (error) {
    throw atIndex(index, error);
  }
}
