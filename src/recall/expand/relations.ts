/** Expands results along their edges, over all relation types and in both directions. */
import { otherEnd, otherEnds, type Relation } from '../../domain/relation.js';
import { byQuery, type Candidate, compareScores, idsShown, type Pool, type RetrievedQuery } from '../pool.js';
import { type Origin, toCandidates } from '../score/candidates.js';
import { grow } from '../select/fill-page.js';
import { type Admitted, admit, type ExpansionRules } from './admission.js';

/** Share of an edge's strength that counts even if its seed has a low score. */
const SEED_INDEPENDENT_SHARE = 0.5;

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
      const evidence = step.relation.strength * (SEED_INDEPENDENT_SHARE + (1 - SEED_INDEPENDENT_SHARE) * seedShare);
      if (evidence > (paths.get(id)?.evidence ?? -1)) paths.set(id, { step, seed, evidence });
    }
  }
  return paths;
}
