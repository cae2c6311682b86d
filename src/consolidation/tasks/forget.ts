/**
 * The task Forget archives and later deletes memories that have lost nearly all relevance, unless something protects
 * them.
 */
import type { ArchiveChange, DeleteChange } from '../../domain/consolidation.js';
import type { Json } from '../../domain/json.js';
import { MS_PER_DAY } from '../../domain/time.js';
import type { PlanContext, PlannedPage } from '../planner.js';
import { undoneChanges } from '../run-records.js';
import { type AgedMemory, agedMemories, numbersOf } from './decay.js';

export async function* planForget(context: PlanContext): AsyncGenerator<PlannedPage> {
  const { archiveThreshold, deleteThreshold } = context.settings;
  if (archiveThreshold === 0 && deleteThreshold === 0) return;
  const broughtBack = await undoneForgottenIds(context);
  for await (const page of agedMemories(context)) {
    const changes = page.flatMap(aged => (broughtBack.has(aged.memory.id) ? [] : (forgetting(aged, context) ?? [])));
    yield { changes, count: changes.length };
  }
}

/** Returns the ids of the memories that a run had forgotten, if that run was undone less than a grace period ago. */
async function undoneForgottenIds(context: PlanContext): Promise<Set<string>> {
  const afterMs = context.nowMs - context.settings.gracePeriodDays * MS_PER_DAY;
  const ids = new Set<string>();
  for await (const change of undoneChanges(context, { task: 'forget', afterMs })) {
    if (change.kind === 'archive' || change.kind === 'delete') ids.add(change.id);
  }
  return ids;
}

/** Leaves out memories that were changed or deleted during planning, which may take long. */
export async function* stillDue(
  graph: PlanContext['graph'],
  pages: readonly PlannedPage[],
): AsyncGenerator<PlannedPage> {
  for (const { changes } of pages) {
    const planned = changes.filter(change => change.kind === 'archive' || change.kind === 'delete');
    const memories = await graph.getMemories(planned.map(({ id }) => id));
    const due = planned.filter(({ id, updatedAt }) => memories.get(id)?.updated_at === updatedAt);
    yield { changes: due, count: due.length };
  }
}

function forgetting(aged: AgedMemory, context: PlanContext): ArchiveChange | DeleteChange | undefined {
  if (isProtected(aged, context)) return undefined;
  const { archiveThreshold, deleteThreshold } = context.settings;
  const { memory, relevance } = aged;
  const below = (threshold: number, name: string) => ({
    id: memory.id,
    updatedAt: memory.updated_at,
    reason: `relevance ${shortBelow(relevance, threshold)} lies below the ${name} threshold ${threshold}`,
    numbers: { ...numbersOf(aged), threshold },
  });
  if (relevance < deleteThreshold) return { kind: 'delete', ...below(deleteThreshold, 'delete') };
  if (relevance < archiveThreshold && !memory.archived) {
    return { kind: 'archive', ...below(archiveThreshold, 'archive') };
  }
  return undefined;
}

/**
 * Formats a relevance with three decimals, or with more decimals if three would not show a value below the threshold.
 */
function shortBelow(relevance: number, threshold: number): string {
  const short = relevance.toFixed(3);
  return Number(short) < threshold ? short : String(relevance);
}

/** Memories with at least this importance are never forgotten. */
const PROTECTED_IMPORTANCE = 0.7;

/** Applies the rules of docs/consolidation.md, "What protects a memory from being forgotten?". */
function isProtected({ memory, isExempt }: AgedMemory, { settings, nowMs }: PlanContext): boolean {
  const { type, importance, metadata, t_valid } = memory;
  if (isExempt || settings.protectedTypes.includes(type) || importance >= PROTECTED_IMPORTANCE) return true;
  if (isTruthyMark(metadata.protected)) return true;
  const graceMs = settings.gracePeriodDays * MS_PER_DAY;
  const isWithinGrace = (instant: string) => nowMs - Date.parse(instant) < graceMs;
  if ([memory.timestamp, memory.updated_at, memory.last_accessed].some(isWithinGrace)) return true;
  return t_valid !== undefined && Date.parse(t_valid) > nowMs;
}

const NO = new Set<Json | undefined>([undefined, null, false, 0, '', 'false', 'no']);

/**
 * Any value of `metadata.protected` protects the memory, unless the value clearly means "no". Keeping a memory
 * needlessly does less harm than deleting it.
 */
function isTruthyMark(mark: Json | undefined): boolean {
  return !NO.has(typeof mark === 'string' ? mark.trim().toLowerCase() : mark);
}
