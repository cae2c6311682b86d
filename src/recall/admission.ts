/** What expansion may add: memories that pass its rules, each as what holds of it now. */
import { type MemoryFilter, passesFilter } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import type { Replaced } from '../domain/recall-results.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { ScoreRules } from './score.js';
import { supersessionFinder } from './state.js';

export interface ExpansionRules {
  graph: GraphStore;
  scoring: ScoreRules;
  /** What an expanded memory must pass. */
  filter: MemoryFilter;
  isCurrentOnly: boolean;
  minImportance: number;
  /** Most memories to add. */
  limit: number;
}

export interface Admitted {
  memory: Memory;
  /** The memory that led here and whose place it takes. */
  replaces?: Replaced;
}

/** By the id that was looked up: the memory itself or what has superseded it, where that passes the rules. */
export async function admit(ids: readonly string[], rules: ExpansionRules): Promise<Map<string, Admitted>> {
  const { graph, filter, isCurrentOnly, minImportance, scoring } = rules;
  const memories = await graph.getMemories(ids);
  const supersessions = isCurrentOnly ? await supersessionFinder(graph, scoring.nowMs)(ids) : undefined;
  const admitted = new Map<string, Admitted>();
  for (const [id, itself] of memories) {
    const supersession = supersessions?.get(id);
    const memory = supersession?.head ?? itself;
    if (memory.importance < minImportance || !passesFilter(memory, filter)) continue;
    admitted.set(id, { memory, ...(supersession && { replaces: { id, type: supersession.type } }) });
  }
  return admitted;
}
