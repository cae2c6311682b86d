/** From results along their edges to further memories: every type, both directions (decisions D24). */
import type { Relation } from '../domain/relation.js';
import { type Admitted, admit, type ExpansionRules } from './admission.js';
import { idsShown, type Scored } from './candidate.js';
import { compareScores } from './order.js';
import { scoreFound } from './search.js';
import { createPacer } from './turns.js';

/** Part of an edge's strength that counts however weak its seed is. */
const SEED_INDEPENDENT_SHARE = 0.5;
/** Edges read beyond those followed: some lead to what is shown. */
const MARGIN = 3;
/** How many more edges are read when what the first lead to is not admitted, and how often. */
const GROWTH = 4;
const ROUNDS_MAX = 4;

export interface RelationExpansion extends ExpansionRules {
  /** Most edges followed from one seed. */
  relationLimit: number;
  minStrength: number;
}

export async function expandRelations(seeds: readonly Scored[], request: RelationExpansion): Promise<Scored[]> {
  const steps = await stepsFrom(seeds, request);
  const pace = createPacer();
  const expanded: Scored[] = [];
  for (const { step, evidence, seedId } of strongestPaths(seeds, steps).values()) {
    const { relation, admitted } = step;
    await pace(admitted.memory.content.length);
    const scored = scoreFound(admitted.memory, { foundBy: ['relation'], relation: evidence }, request.scoring);
    expanded.push({
      ...scored,
      score: { ...scored.score, matchType: 'relation', matchScore: evidence },
      from: { id: seedId, type: relation.type, strength: relation.strength },
      ...(admitted.replaces && { replaces: admitted.replaces }),
    });
  }
  return expanded.sort(compareScores).slice(0, request.limit);
}

/** An edge and what it leads to. */
interface Step {
  relation: Relation;
  admitted: Admitted;
}

/** The best edges of each seed that lead to something new. Edges to what is not admitted take no place of others. */
async function stepsFrom(seeds: readonly Scored[], request: RelationExpansion): Promise<Map<string, Step[]>> {
  const { graph, relationLimit, minStrength } = request;
  const ids = seeds.map(({ candidate }) => candidate.memory.id);
  const shown = idsShown(seeds);
  const steps = new Map<string, Step[]>();
  let unfinished = ids;
  for (let round = 0; round < ROUNDS_MAX && unfinished.length > 0; round++) {
    const limit = (relationLimit + MARGIN) * GROWTH ** round;
    const edges = await graph.relationsOf({ ids: unfinished, limit, minStrength });
    const ends = [...edges].flatMap(([id, relations]) => relations.map(relation => otherEnd(relation, id)));
    const admitted = await admit(
      [...new Set(ends)].filter(id => !shown.has(id)),
      request,
    );
    for (const [id, relations] of edges) {
      // The best edge to each: versions of one memory are one.
      const distinct = new Map<string, Step>();
      for (const relation of relations) {
        const end = admitted.get(otherEnd(relation, id));
        if (!end || shown.has(end.memory.id) || distinct.has(end.memory.id)) continue;
        distinct.set(end.memory.id, { relation, admitted: end });
      }
      steps.set(id, [...distinct.values()].slice(0, relationLimit));
    }
    unfinished = unfinished.filter(
      id => (steps.get(id)?.length ?? 0) < relationLimit && (edges.get(id)?.length ?? 0) >= limit,
    );
  }
  return steps;
}

function otherEnd({ from, to }: Relation, id: string): string {
  return from === id ? to : from;
}

interface Path {
  step: Step;
  seedId: string;
  /** 0..1 */
  evidence: number;
}

/** The best way to each memory: a strong edge from a good result. */
function strongestPaths(seeds: readonly Scored[], steps: ReadonlyMap<string, readonly Step[]>): Map<string, Path> {
  const best = seeds[0]?.score.total || 1;
  const paths = new Map<string, Path>();
  for (const { candidate, score } of seeds) {
    const seedId = candidate.memory.id;
    const seedShare = Math.min(1, Math.max(0, score.total / best));
    for (const step of steps.get(seedId) ?? []) {
      const { id } = step.admitted.memory;
      const evidence = step.relation.strength * (SEED_INDEPENDENT_SHARE + (1 - SEED_INDEPENDENT_SHARE) * seedShare);
      if (evidence > (paths.get(id)?.evidence ?? -1)) paths.set(id, { step, seedId, evidence });
    }
  }
  return paths;
}
