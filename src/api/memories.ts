/** Single memories and batches: storing, reading, changing and deleting them. */

import { MemoryError } from '../domain/errors.js';
import type { InputLimits } from '../domain/input-limits.js';
import { changeAnswer, memoryAnswer, storeAnswer, storeManyAnswer, updateAnswer } from './answers/memory.js';
import { withIds } from './idempotency-key.js';
import { readObject } from './input.js';
import { memoryIdIn, type Operation, routeOf } from './operation.js';
import { renderChange, renderMemory, renderStored, renderStoredMany, renderUpdate } from './render/memory.js';
import {
  memoryBatch,
  memoryPatch,
  memoryToStore,
  readMemoryBatch,
  readMemoryPatch,
  toNewMemory,
} from './requests/memory.js';

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
