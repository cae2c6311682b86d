/** From results along their edges to further memories: one bounded read, every type, both directions (decisions D24). */
import { type MemoryFilter, passesFilter } from '../domain/filter.js';
import type { Relation } from '../domain/relation.js';
import type { GraphStore } from '../stores/graph-store.js';
import { idsShown, type Scored } from './candidate.js';
import { compareScores } from './order.js';
import type { ScoreRules } from './score.js';
import { scoreFound } from './search.js';
import { findSupersessions } from './state.js';

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

/** Part of an edge's strength that counts however weak its seed is. */
const SEED_INDEPENDENT_SHARE = 0.5;

export async function expandRelations(
  seeds: readonly Scored[],
  request: ExpansionRules & { relationLimit: number; minStrength: number },
): Promise<Scored[]> {
  const { graph, relationLimit, minStrength } = request;
  if (seeds.length === 0) return [];
  const ids = seeds.map(({ candidate }) => candidate.memory.id);
  const edges = await graph.relationsOf({ ids, limit: relationLimit, minStrength });
  const paths = strongestPaths(seeds, edges);
  const memories = await graph.getMemories([...paths.keys()]);
  const expanded = [...paths].flatMap(([id, { relation, evidence, seedId }]) => {
    const memory = memories.get(id);
    if (!memory) return [];
    const scored = scoreFound(memory, { foundBy: ['relation'], relation: evidence }, request.scoring);
    const score = { ...scored.score, matchType: 'relation', matchScore: evidence } as const;
    return [{ ...scored, score, from: { id: seedId, type: relation.type, strength: relation.strength } }];
  });
  return admit(expanded, request);
}

/** What passes the rules of expansion, best first, at most as many as allowed. */
export async function admit(expanded: readonly Scored[], rules: ExpansionRules): Promise<Scored[]> {
  const passing = expanded.filter(
    ({ candidate: { memory } }) => memory.importance >= rules.minImportance && passesFilter(memory, rules.filter),
  );
  const ids = passing.map(({ candidate }) => candidate.memory.id);
  const superseded = rules.isCurrentOnly
    ? await findSupersessions(rules.graph, ids, rules.scoring.nowMs)
    : new Map<string, unknown>();
  return passing
    .filter(({ candidate }) => !superseded.has(candidate.memory.id))
    .sort(compareScores)
    .slice(0, rules.limit);
}

interface Path {
  relation: Relation;
  seedId: string;
  /** 0..1 */
  evidence: number;
}

/** The best way to each memory that is not shown yet: a strong edge from a good result. */
function strongestPaths(seeds: readonly Scored[], edges: ReadonlyMap<string, readonly Relation[]>): Map<string, Path> {
  const shown = idsShown(seeds);
  const best = seeds[0]?.score.total || 1;
  const paths = new Map<string, Path>();
  for (const { candidate, score } of seeds) {
    const seedId = candidate.memory.id;
    const seedShare = Math.min(1, Math.max(0, score.total / best));
    for (const relation of edges.get(seedId) ?? []) {
      const otherId = relation.from === seedId ? relation.to : relation.from;
      if (shown.has(otherId)) continue;
      const evidence = relation.strength * (SEED_INDEPENDENT_SHARE + (1 - SEED_INDEPENDENT_SHARE) * seedShare);
      if (evidence > (paths.get(otherId)?.evidence ?? -1)) paths.set(otherId, { relation, seedId, evidence });
    }
  }
  return paths;
}
