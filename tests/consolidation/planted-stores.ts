/** Opens stores that contain a corpus, and makes plans on these stores. */

import type { RawInput } from '../../src/api/input.js';
import { readNewMemory } from '../../src/api/memory-requests.js';
import type { PlanContext, Planner } from '../../src/consolidation/planner.js';
import type { Change } from '../../src/domain/consolidation.js';
import { createHashEmbedder } from '../../src/embedding/hash.js';
import { openSqlitePair } from '../../src/stores/sqlite/store.js';
import { BY_WORDS } from '../support/judges.js';
import { createManualClock } from '../support/manual-clock.js';
import { openTestEngine } from '../support/test-engine.js';

export interface Plan {
  changes: Change[];
  count: number;
}

export interface PlantedStores {
  graph: ReturnType<typeof openSqlitePair>['graph'];
  context: PlanContext;
  plan(planner: Planner, over?: Partial<PlanContext>): Promise<Plan>;
  close(): Promise<void>;
}

/** Stores and enriches the corpus with an engine, closes the engine, and opens its stores to make plans. */
export async function openPlantedStores(memories: readonly RawInput[]): Promise<PlantedStores> {
  const { engine, config, close } = await openTestEngine({ VECTOR_SIZE: '1024' });
  await engine.storeMany(memories.map(input => readNewMemory(input, engine.limits)));
  await engine.idle();
  await engine.close();
  const { graph, vectors } = openSqlitePair(config.dataDir, { dimensions: 1024, clock: createManualClock() });
  const context: PlanContext = {
    graph,
    vectors,
    models: [createHashEmbedder(1024).model],
    judge: BY_WORDS,
    settings: config.consolidation,
    nowMs: Date.parse('2026-03-01T09:00:00Z'),
    runId: 'run-1',
    random: seededRandom(7),
    wordGroup: undefined,
    onPage: async () => {},
  };
  return {
    graph,
    context,
    plan: (planner, over) => collect(planner, { ...context, ...over }),
    close: async () => {
      await vectors.close();
      await graph.close();
      await close();
    },
  };
}

async function collect(planner: Planner, context: PlanContext): Promise<Plan> {
  const plan: Plan = { changes: [], count: 0 };
  for await (const { changes, count } of planner(context)) {
    plan.changes.push(...changes);
    plan.count += count;
  }
  return plan;
}

/** A linear congruential generator (Numerical Recipes). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
