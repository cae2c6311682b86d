/** Forget: what has lost nearly all relevance is archived, then deleted, unless something protects it. */
import type { ArchiveChange, DeleteChange } from '../../domain/consolidation.js';
import type { ConsolidationSettings } from '../../domain/settings.js';
import type { PlanContext, PlannedPage } from '../planner.js';
import { type AgedMemory, agedMemories, numbersOf } from './aged-memories.js';

export async function* planForget(context: PlanContext): AsyncGenerator<PlannedPage> {
  const { archiveThreshold, deleteThreshold } = context.settings;
  if (archiveThreshold === 0 && deleteThreshold === 0) return;
  for await (const page of agedMemories(context)) {
    const changes = page.flatMap(aged => forgetting(aged, context.settings) ?? []);
    yield { changes, count: changes.length };
  }
}

function forgetting(aged: AgedMemory, settings: ConsolidationSettings): ArchiveChange | DeleteChange | undefined {
  if (protectionOf(aged, settings) !== undefined) return undefined;
  const { archiveThreshold, deleteThreshold } = settings;
  const { memory, relevance } = aged;
  const below = (threshold: number, name: string) => ({
    id: memory.id,
    reason: `relevance ${relevance.toFixed(3)} lies below the ${name} threshold ${threshold}`,
    numbers: { ...numbersOf(aged), threshold },
  });
  if (relevance < deleteThreshold) return { kind: 'delete', ...below(deleteThreshold, 'delete') };
  if (relevance < archiveThreshold && !memory.archived) {
    return { kind: 'archive', ...below(archiveThreshold, 'archive') };
  }
  return undefined;
}

/** Why a memory is never forgotten, in words; undefined when nothing protects it. */
export function protectionOf(
  { memory, ageDays, isKept }: Pick<AgedMemory, 'memory' | 'ageDays' | 'isKept'>,
  settings: ConsolidationSettings,
): string | undefined {
  const { type, importance, metadata } = memory;
  if (metadata.protected === true) return 'its metadata says protected';
  if (settings.protectedTypes.some(name => name.toLowerCase() === type.toLowerCase())) return `its type is ${type}`;
  if (importance >= settings.importanceProtectionThreshold) return `its importance is ${importance}`;
  if (isKept) return `its importance of ${importance} keeps its relevance`;
  if (ageDays < settings.gracePeriodDays) return `it is only ${Math.floor(ageDays)} days old`;
  return undefined;
}
