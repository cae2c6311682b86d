/** From a question to memories about the same people and things: entity tags, two hops (decisions D24). */

import type { Memory } from '../domain/memory.js';
import { tagKey } from '../domain/tags.js';
import { stems } from '../domain/text.js';
import { idsShown, type Scored } from './candidate.js';
import { admit, type ExpansionRules } from './expand-relations.js';
import { scoreFound } from './search.js';

/** Results whose own entities are starting points beside those of the question. */
const SEEDS_CONSIDERED = 3;
const ENTITIES_PER_HOP = 5;
/** An entity that everything is about leads nowhere in particular: so many of its memories at most. */
const MEMORIES_PER_ENTITY = 10;
/** What a hop is worth as relation evidence. */
const EVIDENCE_BY_HOP = [0.5, 0.25] as const;
/** `entity:<type>:<slug>` */
const ENTITY_KEY = /^entity:[^:]+:(.+)$/;

export interface EntityExpansion {
  results: Scored[];
  /** Slugs of the entities that led on. */
  entitiesFound: string[];
}

/** @param candidates everything the question found: where its entities are looked up */
export async function expandEntities(
  seeds: readonly Scored[],
  candidates: readonly Scored[],
  request: ExpansionRules & { text: string },
): Promise<EntityExpansion> {
  const known = idsShown(seeds);
  const asked = entitiesAsked(request.text, candidates);
  const ofSeeds = seeds.slice(0, SEEDS_CONSIDERED).flatMap(({ candidate }) => entityKeys(candidate.memory));
  let frontier = [...new Set([...asked, ...ofSeeds])].slice(0, ENTITIES_PER_HOP);
  const followed = new Set<string>();
  const found: Scored[] = [];
  for (const evidence of EVIDENCE_BY_HOP) {
    const reached: Memory[] = [];
    for (const key of frontier) followed.add(key);
    for (const { key, memory } of await memoriesOf(frontier, request)) {
      if (known.has(memory.id)) continue;
      known.add(memory.id);
      reached.push(memory);
      found.push(viaEntity(memory, key, evidence, request));
    }
    frontier = [...new Set(reached.flatMap(entityKeys))].filter(key => !followed.has(key)).slice(0, ENTITIES_PER_HOP);
  }
  return { results: await admit(found, request), entitiesFound: [...followed].map(slugOf) };
}

/** Entity tags of the candidates whose every word stands in the question. */
function entitiesAsked(text: string, candidates: readonly Scored[]): string[] {
  const asked = new Set(stems(text));
  const keys = new Set(candidates.flatMap(({ candidate }) => entityKeys(candidate.memory)));
  return [...keys].filter(key => {
    const named = stems(slugOf(key).replaceAll('-', ' '));
    return named.length > 0 && named.every(stem => asked.has(stem));
  });
}

/** The most important memories of each entity, in the order of the entities. */
async function memoriesOf(
  keys: readonly string[],
  { graph, filter }: ExpansionRules,
): Promise<{ key: string; memory: Memory }[]> {
  const { tags: _anyTags, ...rest } = filter;
  const idsByKey = await Promise.all(
    keys.map(key => {
      const within = { ...rest, tags: { keys: [key], mode: 'any', match: 'exact' } } as const;
      return graph.list({ filter: within, order: 'importance', limit: MEMORIES_PER_ENTITY });
    }),
  );
  const memories = await graph.getMemories([...new Set(idsByKey.flat())]);
  return keys.flatMap((key, index) =>
    (idsByKey[index] ?? []).flatMap(id => {
      const memory = memories.get(id);
      return memory ? [{ key, memory }] : [];
    }),
  );
}

function viaEntity(memory: Memory, key: string, evidence: number, { scoring }: ExpansionRules): Scored {
  const scored = scoreFound(memory, { foundBy: ['entity'], relation: evidence }, scoring);
  return { ...scored, score: { ...scored.score, matchType: 'entity', matchScore: evidence }, entity: slugOf(key) };
}

function entityKeys(memory: Memory): string[] {
  return memory.tags.map(tagKey).filter(key => ENTITY_KEY.test(key));
}

function slugOf(key: string): string {
  return ENTITY_KEY.exec(key)?.[1] ?? key;
}
