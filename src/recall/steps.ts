/** The steps of a recall, in their order. Each sees the pool that the one before has left. */

import type { RecallQuery } from '../domain/recall-query.js';
import { createContext, type RecallContext, type RecallParts, runSteps, type Step } from './context.js';
import { expand } from './expand/expand.js';
import { EMPTY_POOL, type Pool } from './pool.js';
import { budget } from './select/budget.js';
import { fillFromOutside } from './select/fill-from-outside.js';
import { fillPage } from './select/fill-page.js';
import { tellValidity } from './select/tell-validity.js';
import { threshold } from './select/threshold.js';

/** `fillPage` is itself a list of steps, `PAGE_STEPS`, taken again with more candidates where the page is short. */
export const STEPS: readonly Step[] = [fillPage, expand, threshold, fillFromOutside, tellValidity, budget];

export interface RecallRun {
  context: RecallContext;
  pool: Pool;
}

/** @throws MemoryError `invalid` for a time expression that cannot be read */
export async function runRecall(parts: RecallParts, query: RecallQuery): Promise<RecallRun> {
  const context = await createContext(parts, query);
  return { context, pool: await runSteps(STEPS, context, EMPTY_POOL) };
}
