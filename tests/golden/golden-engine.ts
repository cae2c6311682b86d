/** An engine that has stored the golden memories, and helpers to query it. */

import type { RawInput } from '../../src/api/input.js';
import { readNewMemory } from '../../src/api/memory-requests.js';
import { readRecall } from '../../src/api/recall-request.js';
import type { RecallOutcome } from '../../src/domain/recall.js';
import type { Engine } from '../../src/engine/engine.js';
import { openTestEngine } from '../support/test-engine.js';
import { goldenId, goldenName, MEMORIES } from './memories.js';

export interface GoldenEngine {
  engine: Engine;
  ask(parameters: RawInput): Promise<RecallOutcome>;
  /** Names of the results, best first. */
  recall(parameters: RawInput): Promise<string[]>;
  close(): Promise<void>;
}

export async function openGoldenEngine(): Promise<GoldenEngine> {
  const { engine, close } = await openTestEngine({ VECTOR_SIZE: '1024' });
  await engine.storeMany(
    Object.entries(MEMORIES).map(([name, { at, from, until, invalidatedBy: _, ...fields }]) =>
      readNewMemory(
        { ...fields, id: goldenId(name), timestamp: at, last_accessed: at, t_valid: from, t_invalid: until },
        engine.limits,
      ),
    ),
  );
  for (const [name, { invalidatedBy }] of Object.entries(MEMORIES)) {
    if (invalidatedBy === undefined) continue;
    const ends = { memory1_id: goldenId(name), memory2_id: goldenId(invalidatedBy) };
    await engine.associate({ ...ends, type: 'INVALIDATED_BY', strength: 0.9, properties: {} });
  }
  await engine.idle();
  const ask = (parameters: RawInput) => engine.recall(readRecall(parameters, engine.limits));
  return {
    engine,
    ask,
    recall: async parameters => (await ask(parameters)).results.map(({ memory }) => goldenName(memory.id)),
    close,
  };
}
