/** What expansion may add: memories that pass its rules, each as what is current of it now. */
import { type MemoryFilter, passesFilter } from '../../domain/filter.js';
import type { Replaced } from '../../domain/recall-results.js';
import type { DropReason } from '../../domain/why-not.js';
import type { RecallContext } from '../context.js';
import { failedFilter } from '../plan/failed-filter.js';
import type { Dropped } from '../pool.js';
import type { Reading } from '../score/text-cache.js';

export interface ExpansionRules {
  context: RecallContext;
  /** What an expanded memory must pass. */
  filter: MemoryFilter;
  minImportance: number;
  /** Most memories to add. */
  limit: number;
  /** Told of what was found and may not be added. */
  onDrop(dropped: Dropped): void;
}

export interface Admitted {
  read: Reading;
  /** The memory that led here and whose place it takes. */
  replaces?: Replaced;
}

/** By the id that was looked up: the memory itself or what has superseded it, where that passes the rules. */
export async function admit(ids: readonly string[], rules: ExpansionRules): Promise<Map<string, Admitted>> {
  const { memories, plan } = rules.context;
  const [found, supersessions] = await Promise.all([
    memories.read(ids),
    plan.isCurrentOnly ? rules.context.supersessions(ids) : undefined,
  ]);
  const heads = await memories.read([...(supersessions?.values() ?? [])].map(({ head }) => head.id));
  const headById = new Map(heads.map(read => [read.memory.id, read]));
  const admitted = new Map<string, Admitted>();
  for (const itself of found) {
    const { id } = itself.memory;
    const supersession = supersessions?.get(id);
    const read = (supersession && headById.get(supersession.head.id)) ?? itself;
    const reason = refusal(read, rules);
    if (reason) rules.onDrop({ id: read.memory.id, step: 'expand', reason });
    else admitted.set(id, { read, ...(supersession && { replaces: { id, type: supersession.type } }) });
  }
  return admitted;
}

function refusal({ memory }: Reading, { filter, minImportance }: ExpansionRules): DropReason | undefined {
  if (!passesFilter(memory, filter)) return failedFilter(memory, filter);
  return memory.importance < minImportance ? { reason: 'lowImportance' } : undefined;
}
