/**
 * Decides which memories expansion may add. A recall of current memories replaces a superseded memory by its current
 * successor.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import type { DropReason, Replaced } from '../../domain/recall.js';
import type { RecallContext } from '../context.js';
import { failedFilterOf } from '../plan.js';
import type { Dropped } from '../pool.js';
import type { AnalyzedMemory } from '../score/text.js';

export interface ExpansionRules {
  context: RecallContext;
  /** The filter that expanded memories must pass. */
  filter: MemoryFilter;
  minImportance: number;
  /** Maximum number of memories to add. */
  limit: number;
  /** Called for each memory that was found, but that a rule or a limit excludes. */
  onDrop(dropped: Dropped): void;
}

export interface Admitted {
  analyzed: AnalyzedMemory;
  /** The superseded memory that was looked up. The admitted memory replaces it. */
  replaces?: Replaced;
}

/**
 * Admits the memories that pass the rules. In the returned map, each key is an id that was looked up, and the value is
 * the memory itself or its successor.
 */
export async function admit(ids: readonly string[], rules: ExpansionRules): Promise<Map<string, Admitted>> {
  const { memories, plan } = rules.context;
  const found = await memories.read(ids);
  const supersessions = plan.isCurrentOnly ? await rules.context.supersessions(ids) : undefined;
  const heads = await memories.read([...(supersessions?.values() ?? [])].map(({ head }) => head.id));
  const headById = new Map(heads.map(head => [head.memory.id, head]));
  const admitted = new Map<string, Admitted>();
  for (const itself of found) {
    const { id } = itself.memory;
    const supersession = supersessions?.get(id);
    const analyzed = (supersession && headById.get(supersession.head.id)) ?? itself;
    const reason = refusal(analyzed, rules);
    if (reason) rules.onDrop({ id: analyzed.memory.id, step: 'expand', reason });
    else admitted.set(id, { analyzed, ...(supersession && { replaces: { id, type: supersession.type } }) });
  }
  return admitted;
}

function refusal({ memory }: AnalyzedMemory, { filter, minImportance }: ExpansionRules): DropReason | undefined {
  const filtered = failedFilterOf(filter)(memory);
  if (filtered) return filtered;
  return memory.importance < minImportance ? { reason: 'lowImportance' } : undefined;
}
