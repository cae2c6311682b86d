/** Expands results along their edges, over all relation types and in both directions. */

import type { MemoryFilter } from '../../domain/filter.js';
import type { DropReason, Replaced } from '../../domain/recall.js';
import { otherEnd, otherEnds, type Relation } from '../../domain/relation.js';
import { grow, type RecallContext } from '../context.js';
import { failedFilterOf } from '../plan.js';
import {
  byQuery,
  type Candidate,
  compareScores,
  type Dropped,
  idsShown,
  type Pool,
  type RetrievedQuery,
} from '../pool.js';
import { BOUNDS } from '../ranking-constants.js';
import { type Origin, toCandidates } from '../score/score.js';
import type { AnalyzedMemory } from '../score/text.js';

export interface RelationExpansion extends ExpansionRules {
  /** Maximum number of edges followed from one seed. */
  relationLimit: number;
  minStrength: number;
}

export async function expandRelations(
  pool: Pool,
  seeds: readonly Candidate[],
  request: RelationExpansion,
): Promise<Candidate[]> {
  const { limit, onDrop } = request;
  const paths = [...strongestPaths(seeds, await stepsFrom(seeds, request)).values()];
  const expanded: Candidate[] = [];
  const withQuery = paths.map(path => ({ ...path, query: path.seed.query }));
  for (const [query, ofQuery] of byQuery(pool, withQuery)) {
    expanded.push(...(await atTheEndsOf(ofQuery, query, request)));
  }
  const ranked = expanded.sort(compareScores);
  for (const candidate of ranked.slice(limit)) {
    onDrop({ id: candidate.memory.id, step: 'expand', reason: { reason: 'behindOtherEdges' }, candidate });
  }
  return ranked.slice(0, limit);
}

/** The candidates at the ends of the paths. Each is scored by the query that found the start of its path. */
async function atTheEndsOf(
  paths: readonly Path[],
  query: RetrievedQuery,
  { context }: RelationExpansion,
): Promise<Candidate[]> {
  const origins = paths.map(
    ({ step, evidence }): Origin => ({ analyzed: step.admitted.analyzed, foundBy: ['relation'], relation: evidence }),
  );
  const candidates = await toCandidates(context, query, origins);
  return candidates.map((candidate, index): Candidate => {
    const { step, seed } = paths[index] as Path;
    const { replaces } = step.admitted;
    return {
      ...candidate,
      from: { id: seed.memory.id, type: step.relation.type, strength: step.relation.strength },
      ...(replaces && { replaces }),
    };
  });
}

/** An edge, and the memory that the edge leads to. */
interface Crossing {
  relation: Relation;
  admitted: Admitted;
}

/**
 * The best edges of each seed that lead to new memories. Edges to memories that are not admitted do not count towards
 * the limit.
 */
async function stepsFrom(seeds: readonly Candidate[], request: RelationExpansion): Promise<Map<string, Crossing[]>> {
  const { relationLimit, minStrength } = request;
  const { graph } = request.context;
  const shown = idsShown(seeds);
  const steps = new Map<string, Crossing[]>();
  let unfinished = seeds.map(({ memory }) => memory.id);
  await grow({
    from: 1,
    read: async factor => {
      const limit = relationLimit * factor;
      const edges = await graph.relationsOf({ ids: unfinished, limit, minStrength });
      const admitted = await admit(
        otherEnds(edges).filter(id => !shown.has(id)),
        request,
      );
      for (const [id, relations] of edges) steps.set(id, followed(id, relations, { admitted, shown, request }));
      unfinished = unfinished.filter(
        id => (steps.get(id)?.length ?? 0) < relationLimit && (edges.get(id)?.length ?? 0) >= limit,
      );
    },
    isEnough: () => unfinished.length === 0,
  });
  return steps;
}

interface Ends {
  admitted: ReadonlyMap<string, Admitted>;
  shown: ReadonlySet<string>;
  request: RelationExpansion;
}

/** The best edge to each memory. Several versions of one memory count as one. */
function followed(id: string, relations: readonly Relation[], { admitted, shown, request }: Ends): Crossing[] {
  const distinct = new Map<string, Crossing>();
  for (const relation of relations) {
    const end = admitted.get(otherEnd(relation, id));
    const endId = end?.analyzed.memory.id ?? '';
    if (!end || shown.has(endId) || distinct.has(endId)) continue;
    distinct.set(endId, { relation, admitted: end });
  }
  const ends = [...distinct];
  for (const [endId] of ends.slice(request.relationLimit)) {
    request.onDrop({ id: endId, step: 'expand', reason: { reason: 'behindOtherEdges' } });
  }
  return ends.slice(0, request.relationLimit).map(([, step]) => step);
}

interface Path {
  step: Crossing;
  seed: Candidate;
  /** 0..1 */
  evidence: number;
}

/** The best path to each memory. A stronger edge and a higher score of the seed make a path better. */
function strongestPaths(
  seeds: readonly Candidate[],
  steps: ReadonlyMap<string, readonly Crossing[]>,
): Map<string, Path> {
  const best = seeds[0]?.score.total || 1;
  const paths = new Map<string, Path>();
  for (const seed of seeds) {
    const seedShare = Math.min(1, Math.max(0, seed.score.total / best));
    for (const step of steps.get(seed.memory.id) ?? []) {
      const { id } = step.admitted.analyzed.memory;
      const evidence =
        step.relation.strength * (BOUNDS.seedIndependentShare + (1 - BOUNDS.seedIndependentShare) * seedShare);
      if (evidence > (paths.get(id)?.evidence ?? -1)) paths.set(id, { step, seed, evidence });
    }
  }
  return paths;
}

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
