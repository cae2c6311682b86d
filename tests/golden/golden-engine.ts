/** An engine that has stored the golden memories, and short ways to ask it. */
import { parseNewMemory } from '../../src/domain/memory.js';
import { parseRecallQuery, type RawParameters } from '../../src/domain/recall-query.js';
import type { RecallOutcome } from '../../src/domain/recall-results.js';
import { openTestEngine } from '../support/test-engine.js';
import { goldenId, goldenName, MEMORIES } from './memories.js';

export interface GoldenEngine {
  ask(parameters: RawParameters): Promise<RecallOutcome>;
  /** Names of the results, best first. */
  recall(parameters: RawParameters): Promise<string[]>;
  close(): Promise<void>;
}

export async function openGoldenEngine(): Promise<GoldenEngine> {
  const { engine, close } = await openTestEngine({ VECTOR_SIZE: '1024' });
  await engine.storeMany(
    Object.entries(MEMORIES).map(([name, { at, from, until, invalidatedBy: _, ...fields }]) =>
      parseNewMemory(
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
  const ask = (parameters: RawParameters) => engine.recall(parseRecallQuery(parameters, engine.limits));
  return {
    ask,
    recall: async parameters => (await ask(parameters)).results.map(({ memory }) => goldenName(memory.id)),
    close,
  };
}
