/** From a question to memories about the same people and things: entity tags, two hops (decisions D24). */
import { entitySlug } from '../domain/entity.js';
import type { Memory } from '../domain/memory.js';
import { tagKey } from '../domain/tags.js';
import { stems } from '../domain/text.js';
import { type Admitted, admit, type ExpansionRules } from './admission.js';
import { idsShown, type Scored } from './candidate.js';
import { entitiesNamed } from './entities-named.js';
import { compareScores } from './order.js';
import { scoreFound } from './search.js';
import { createPacer } from './turns.js';

/** Results whose own entities are starting points beside those of the question. */
const SEEDS_CONSIDERED = 3;
const ENTITIES_PER_HOP = 5;
/** An entity that everything is about leads nowhere in particular: so many of its memories at most. */
const MEMORIES_PER_ENTITY = 10;
/** How many more are read when those are shown already or not admitted, and how often. */
const GROWTH = 4;
const ROUNDS_MAX = 4;
/** What a hop is worth as relation evidence. */
const EVIDENCE_BY_HOP = [0.5, 0.25] as const;

export interface EntityExpansion {
  results: Scored[];
  /** Tag keys of the entities that were followed. */
  entityKeys: string[];
}

/** @param candidates everything the question found: where its entities are looked up too */
export async function expandEntities(
  seeds: readonly Scored[],
  candidates: readonly Scored[],
  request: ExpansionRules & { text: string },
): Promise<EntityExpansion> {
  if (request.limit <= 0) return { results: [], entityKeys: [] };
  const known = idsShown(seeds);
  const asked = [...(await entitiesNamed(request.text, request)), ...entitiesOfCandidates(request.text, candidates)];
  const ofSeeds = seeds.slice(0, SEEDS_CONSIDERED).flatMap(({ candidate }) => entityKeys(candidate.memory));
  let frontier = [...new Set([...asked, ...ofSeeds])].slice(0, ENTITIES_PER_HOP);
  const followed = new Set<string>();
  const found: Scored[] = [];
  const pace = createPacer();
  for (const evidence of EVIDENCE_BY_HOP) {
    const reached: Memory[] = [];
    for (const key of frontier) followed.add(key);
    for (const [key, ends] of await memoriesOf(frontier, known, request)) {
      for (const end of ends) {
        if (known.has(end.memory.id)) continue;
        known.add(end.memory.id);
        reached.push(end.memory);
        await pace(end.memory.content.length);
        found.push(viaEntity(end, key, evidence, request));
      }
    }
    frontier = [...new Set(reached.flatMap(entityKeys))].filter(key => !followed.has(key)).slice(0, ENTITIES_PER_HOP);
  }
  const results = found.sort(compareScores).slice(0, request.limit);
  return { results, entityKeys: [...followed] };
}

/** Entity tags of the candidates whose every word stands in the question, in whatever form. */
function entitiesOfCandidates(text: string, candidates: readonly Scored[]): string[] {
  const asked = new Set(stems(text));
  const keys = new Set(candidates.flatMap(({ candidate }) => entityKeys(candidate.memory)));
  return [...keys].filter(key => {
    const named = stems(entitySlug(key)?.replaceAll('-', ' ') ?? '');
    return named.length > 0 && named.every(stem => asked.has(stem));
  });
}

/** The most important memories of each entity that are new and may be shown. */
async function memoriesOf(
  keys: readonly string[],
  known: ReadonlySet<string>,
  rules: ExpansionRules,
): Promise<Map<string, Admitted[]>> {
  const { tags: _anyTags, ...rest } = rules.filter;
  const found = new Map<string, Admitted[]>(keys.map(key => [key, []]));
  let unfinished = [...keys];
  for (let round = 0; round < ROUNDS_MAX && unfinished.length > 0; round++) {
    // Those that are shown, which the entities come from, take no place.
    const limit = (MEMORIES_PER_ENTITY + SEEDS_CONSIDERED) * GROWTH ** round;
    const lists = await Promise.all(
      unfinished.map(key => {
        const filter = { ...rest, tags: { keys: [key], mode: 'any', match: 'exact' } } as const;
        return rules.graph.list({ filter, order: 'importance', limit });
      }),
    );
    const admitted = await admit(
      [...new Set(lists.flat())].filter(id => !known.has(id)),
      rules,
    );
    for (const [index, key] of unfinished.entries()) {
      const ends = (lists[index] ?? []).flatMap(id => admitted.get(id) ?? []);
      // Versions of one memory are one.
      const distinct = new Map(ends.map(end => [end.memory.id, end]));
      for (const id of known) distinct.delete(id);
      found.set(key, [...distinct.values()].slice(0, MEMORIES_PER_ENTITY));
    }
    unfinished = unfinished.filter(
      (key, index) => (found.get(key)?.length ?? 0) < MEMORIES_PER_ENTITY && (lists[index]?.length ?? 0) >= limit,
    );
  }
  return found;
}

function viaEntity({ memory, replaces }: Admitted, key: string, evidence: number, rules: ExpansionRules): Scored {
  const scored = scoreFound(memory, { foundBy: ['entity'], relation: evidence }, rules.scoring);
  return {
    ...scored,
    score: { ...scored.score, matchType: 'entity', matchScore: evidence },
    entity: entitySlug(key) ?? key,
    ...(replaces && { replaces }),
  };
}

function entityKeys(memory: Memory): string[] {
  return memory.tags.map(tagKey).filter(key => entitySlug(key) !== undefined);
}
