/** The candidates of one question, each read once: as soon as something has found it. */
import { type MemoryFilter, passesFilter } from '../domain/filter.js';
import type { FoundBy } from '../domain/recall-results.js';
import type { GraphStore } from '../stores/graph-store.js';
import { type Candidate, toCandidate } from './candidate.js';
import type { QueryEvidence } from './evidence.js';
import { createPacer } from './turns.js';

export interface CandidatePool {
  /** By id. */
  candidates: ReadonlyMap<string, Candidate>;
  /** Notes what has found these memories and reads those that are new. */
  add(foundBy: FoundBy, ids: readonly string[]): Promise<void>;
}

export function createPool(question: {
  graph: GraphStore;
  filter: MemoryFilter;
  evidence: QueryEvidence;
}): CandidatePool {
  const { graph, filter, evidence } = question;
  const candidates = new Map<string, Candidate>();
  const pace = createPacer();
  return {
    candidates,
    add: async (foundBy, ids) => {
      const unknown: string[] = [];
      for (const id of new Set(ids)) {
        const known = candidates.get(id);
        if (known) known.foundBy.push(foundBy);
        else unknown.push(id);
      }
      if (unknown.length === 0) return;
      for (const [id, memory] of await graph.getMemories(unknown)) {
        // The graph has the last word over what an index may still believe.
        if (!passesFilter(memory, filter)) continue;
        await pace(memory.content.length);
        candidates.set(id, toCandidate(memory, evidence, { foundBy: [foundBy] }));
      }
    },
  };
}
