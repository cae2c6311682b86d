/** Runs a recall: makes the plan, runs the steps, and reads the answer from the resulting pool. */
import { entitySlug } from '../domain/entity.js';
import type { Memory } from '../domain/memory.js';
import type { ExpansionOutcome, RecallOutcome, RecallQuery, ScoreThreshold } from '../domain/recall.js';
import { type Clock, MS_PER_DAY, toIso } from '../domain/time.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import { countHidden, findSuppressed } from './answer/hidden.js';
import { confidenceOf, findOutdating, relationEntries, toResult } from './answer/result.js';
import type { RecallParts } from './context.js';
import { exceedsBudget } from './select/page.js';
import { type RecallRun, runRecall } from './steps.js';

/**
 * Answers a recall. The caller records the access to the returned memories.
 *
 * @throws MemoryError `invalid` for an unreadable time expression
 */
export async function recall(parts: RecallParts, query: RecallQuery): Promise<RecallOutcome> {
  const startedMs = parts.clock.elapsedMs();
  const run = await runRecall(parts, query);
  const { context, pool } = run;
  const { plan } = context;
  const ids = pool.kept.map(({ memory }) => memory.id);
  const hidden = await countHidden(run);
  const suppressed = await findSuppressed(run);
  const relations = await relationEntries(parts.graph, ids, plan.relationLimit);
  const outdating = await findOutdating(context, pool.kept, relations);
  const isExplained = query.explain === true;
  return {
    query,
    results: pool.kept.map(candidate => ({
      ...toResult(candidate, context, isExplained),
      relations: relations.get(candidate.memory.id) ?? [],
      ...outdating(candidate),
    })),
    duplicatesRemoved: countDuplicates(run),
    sort: plan.sort,
    confidence: confidenceOf(run),
    isVectorSearchEnabled: pool.queries.some(query => query.isVectorSearchEnabled),
    isCurrentOnly: plan.isCurrentOnly,
    window: plan.window,
    suppressed,
    ...(hidden && { hidden }),
    ...(query.expansion && { expansion: expansionOf(run) }),
    ...((plan.minScore > 0 || plan.usesAdaptiveFloor) && { threshold: thresholdOf(run) }),
    hasRecencyBias: plan.hasRecencyBias,
    omittedCount: pool.dropped.filter(({ step }) => step === 'budget').length,
    isBudgetExceeded: exceedsBudget(context, pool),
    durationMs: parts.clock.elapsedMs() - startedMs,
  };
}

/** Number of dropped memories that have a duplicate in the answer. */
function countDuplicates({ pool }: RecallRun): number {
  const shown = new Set(pool.kept.map(({ memory }) => memory.id));
  return pool.dropped.filter(({ reason }) => reason.reason === 'duplicate' && shown.has(reason.twinId)).length;
}

function expansionOf({ context: { plan }, pool }: RecallRun): ExpansionOutcome {
  return {
    seedCount: pool.seeds.length,
    relationLimit: plan.relationLimit,
    limit: plan.expansionLimit,
    entities: [...new Set(pool.entityKeys.map(key => entitySlug(key) ?? key))],
  };
}

function thresholdOf({ context: { plan }, pool }: RecallRun): ScoreThreshold {
  const filteredCount = pool.dropped.filter(({ reason }) => reason.reason === 'belowThreshold').length;
  return { minScore: plan.minScore, ...(pool.floor !== undefined && { floor: pool.floor }), filteredCount };
}

/** Delay of a write. A crash within the delay may lose an access. The memory then counts as slightly less recent. */
const FLUSH_DELAY_MS = 1_000;
/**
 * Minimum time between two recorded accesses of a memory. A memory that is returned for several queries in a row is
 * recorded once, because recency counts in days.
 */
const GAP_MS = MS_PER_DAY;

export interface AccessRecorder {
  /** Records an access to each memory, unless an access to it was recorded less than a day ago. */
  record(memories: readonly Pick<Memory, 'id' | 'last_accessed'>[]): void;
  flush(): Promise<void>;
}

export function createAccessRecorder(
  graph: Pick<MemoryStore, 'annotate'>,
  clock: Clock,
  onFailure: (error: unknown) => void,
): AccessRecorder {
  const pending = new Set<string>();
  let cancel: (() => void) | undefined;

  const flush = async () => {
    cancel?.();
    cancel = undefined;
    const ids = [...pending];
    pending.clear();
    try {
      const lastAccessed = toIso(clock.nowMs());
      if (ids.length > 0) await graph.annotate(ids.map(id => ({ id, lastAccessed })));
    } catch (error) {
      onFailure(error);
    }
  };

  return {
    record: memories => {
      const latestMs = clock.nowMs() - GAP_MS;
      const due = memories.filter(({ last_accessed }) => Date.parse(last_accessed) <= latestMs);
      if (due.length === 0) return;
      for (const { id } of due) pending.add(id);
      cancel ??= clock.schedule(FLUSH_DELAY_MS, () => void flush());
    },
    flush,
  };
}
