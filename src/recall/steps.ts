/** Lists the steps of a recall in their order. Each step gets the pool of the step before it. */
import type { RecallQuery } from '../domain/recall.js';
import { createContext, type RecallContext, type RecallParts } from './context.js';
import { expand } from './expand/expand.js';
import { EMPTY_POOL, type Pool } from './pool.js';
import { fillFromOutside, fillPage, runSteps, type Step } from './select/fill-page.js';
import { budget, markValidity, threshold } from './select/page.js';

/**
 * The step `fillPage` runs its own list of steps, `PAGE_STEPS`. It runs them again with more candidates when the page
 * has too few results.
 */
export const STEPS: readonly Step[] = [fillPage, expand, threshold, fillFromOutside, markValidity, budget];

export interface RecallRun {
  context: RecallContext;
  pool: Pool;
}

/** @throws MemoryError `invalid` for an unreadable time expression */
export async function runRecall(parts: RecallParts, request: RecallQuery): Promise<RecallRun> {
  const context = await createContext(parts, request);
  return { context, pool: await runSteps(STEPS, context, EMPTY_POOL) };
}
