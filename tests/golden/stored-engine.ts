/** A test engine that stores any of the golden sets. */

import { readNewMemory } from '../../src/api/memory-requests.js';
import { readRecall } from '../../src/api/recall-request.js';
import { openTestEngine } from '../support/test-engine.js';
import type { GoldenMemories } from './memories.js';
import { type Asked, createNames, edgesOf, inputsOf } from './stored-memories.js';

export async function openStored(memories: GoldenMemories): Promise<Asked & { close(): Promise<void> }> {
  const { engine, close } = await openTestEngine({ VECTOR_SIZE: '1024' });
  await engine.storeMany(inputsOf(memories).map(input => readNewMemory(input, engine.limits)));
  for (const edge of edgesOf(memories)) await engine.associate(edge);
  await engine.idle();
  return {
    ask: parameters => engine.recall(readRecall(parameters, engine.limits)),
    nameOf: createNames(memories).nameOf,
    close,
  };
}
