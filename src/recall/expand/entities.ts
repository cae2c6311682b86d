/** Finds memories about the same people and things as the question, through entity tags and in two hops. */
import { ENTITY_KINDS, entitySlug, slugOf } from '../../domain/entity.js';
import type { Memory } from '../../domain/memory.js';
import { tagKey } from '../../domain/tags.js';
import { isStopWord } from '../../domain/text/language.js';
import { stems } from '../../domain/text/terms.js';
import { words } from '../../domain/text/words.js';
import { inSteps } from '../../event-loop.js';
import { type Candidate, compareScores, idsShown, type Pool, type RetrievedQuery } from '../pool.js';
import { toCandidates } from '../score/candidates.js';
import { grow } from '../select/fill-page.js';
import { type Admitted, admit, type ExpansionRules } from './admission.js';

/** Number of results whose own entities are starting points, in addition to the entities of the question. */
const SEEDS_CONSIDERED = 3;
const ENTITIES_PER_HOP = 5;
/**
 * Maximum number of memories that are added for one entity, because a very common entity leads to unrelated memories.
 */
const MEMORIES_PER_ENTITY = 10;
/** Relation evidence of a memory that the first or the second hop adds. */
const EVIDENCE_BY_HOP = [0.5, 0.25] as const;

export interface EntityExpansion {
  results: Candidate[];
  /** Tag keys of the followed entities. */
  entityKeys: string[];
}

interface Reached {
  end: Admitted;
  key: string;
  evidence: number;
}

export async function expandEntities(
  pool: Pool,
  seeds: readonly Candidate[],
  request: ExpansionRules,
): Promise<EntityExpansion> {
  if (request.limit <= 0) return { results: [], entityKeys: [] };
  const { context, limit, onDrop } = request;
  const text = context.plan.queries.map(query => query.text).join(' ');
  const known = idsShown(seeds);
  const ofQuery = [...(await entitiesNamed(text, request)), ...(await entitiesOfCandidates(text, pool.considered))];
  const ofSeeds = seeds.slice(0, SEEDS_CONSIDERED).flatMap(({ memory }) => entityKeys(memory));
  let frontier = [...new Set([...ofQuery, ...ofSeeds])].slice(0, ENTITIES_PER_HOP);
  const followed = new Set<string>();
  const reached: Reached[] = [];
  for (const evidence of EVIDENCE_BY_HOP) {
    const fresh: Memory[] = [];
    for (const key of frontier) followed.add(key);
    for (const [key, ends] of await memoriesOf(frontier, known, request)) {
      for (const end of ends) {
        const { memory } = end.analyzed;
        if (known.has(memory.id)) continue;
        known.add(memory.id);
        fresh.push(memory);
        reached.push({ end, key, evidence });
      }
    }
    frontier = [...new Set(fresh.flatMap(entityKeys))].filter(key => !followed.has(key)).slice(0, ENTITIES_PER_HOP);
  }
  const ranked = (await viaEntities(pool, reached, request)).sort(compareScores);
  for (const candidate of ranked.slice(limit)) {
    onDrop({ id: candidate.memory.id, step: 'expand', reason: { reason: 'behindOtherEntities' }, candidate });
  }
  return { results: ranked.slice(0, limit), entityKeys: [...followed] };
}

/**
 * Returns the tag keys of entities of the candidates. An entity counts only if the question contains every word of its
 * name, in any inflection.
 */
async function entitiesOfCandidates(text: string, candidates: readonly Candidate[]): Promise<string[]> {
  const queryStems = new Set(stems(text));
  const keys = new Set<string>();
  for (const { memory } of candidates) for (const key of entityKeys(memory)) keys.add(key);
  const found: string[] = [];
  for await (const key of inSteps(keys)) {
    const named = stems(entitySlug(key)?.replaceAll('-', ' ') ?? '');
    if (named.length > 0 && named.every(stem => queryStems.has(stem))) found.push(key);
  }
  return found;
}

/** The most important memories of each entity, without memories that are known already or not admitted. */
async function memoriesOf(
  keys: readonly string[],
  known: ReadonlySet<string>,
  rules: ExpansionRules,
): Promise<Map<string, Admitted[]>> {
  const { tags: _anyTags, ...rest } = rules.filter;
  const found = new Map<string, Admitted[]>(keys.map(key => [key, []]));
  let unfinished = [...keys];
  await grow({
    from: 1,
    read: async factor => {
      const limit = MEMORIES_PER_ENTITY * factor;
      const lists = await Promise.all(
        unfinished.map(key => {
          const filter = { ...rest, tags: { keys: [key], mode: 'any', match: 'exact' } } as const;
          return rules.context.graph.list({ filter, order: 'importance', limit });
        }),
      );
      const admitted = await admit(
        [...new Set(lists.flat())].filter(id => !known.has(id)),
        rules,
      );
      for (const [index, key] of unfinished.entries()) {
        const ends = (lists[index] ?? []).flatMap(id => admitted.get(id) ?? []);
        found.set(key, distinct(ends, known).slice(0, MEMORIES_PER_ENTITY));
      }
      unfinished = unfinished.filter(
        (key, index) => (found.get(key)?.length ?? 0) < MEMORIES_PER_ENTITY && (lists[index]?.length ?? 0) >= limit,
      );
    },
    isEnough: () => unfinished.length === 0,
  });
  return found;
}

/** The distinct memories that are not known yet. Several versions of one memory count as one. */
function distinct(ends: readonly Admitted[], known: ReadonlySet<string>): Admitted[] {
  const byId = new Map(ends.map(end => [end.analyzed.memory.id, end]));
  for (const id of known) byId.delete(id);
  return [...byId.values()];
}

async function viaEntities(pool: Pool, reached: readonly Reached[], { context }: ExpansionRules): Promise<Candidate[]> {
  const candidates = await toCandidates(
    context,
    pool.queries[0] as RetrievedQuery,
    reached.map(({ end, evidence }) => ({ analyzed: end.analyzed, foundBy: ['entity'], relation: evidence })),
  );
  return candidates.map((candidate, index): Candidate => {
    const { end, key } = reached[index] as Reached;
    return {
      ...candidate,
      entity: entitySlug(key) ?? key,
      ...(end.replaces && { replaces: end.replaces }),
    };
  });
}

function entityKeys(memory: Memory): string[] {
  return memory.tags.map(tagKey).filter(key => entitySlug(key) !== undefined);
}

/** Maximum number of words in a name. A longer name is found only if a candidate has its tag. */
const WORDS_PER_NAME = 3;
/** Maximum number of words that are read. A longer question is a pasted text, and its beginning shows its subject. */
const WORDS_MAX = 24;
const WRITTEN_WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Maximum number of memories that are read for all possible names with the same number of words. */
const MEMORIES_MAX = 50;

/** @returns tag keys, the longest names first, and names of the same length in the order of the question */
async function entitiesNamed(question: string, { context: { graph }, filter }: ExpansionRules): Promise<string[]> {
  const { tags: _anyTags, ...rest } = filter;
  const keysByLength = possibleNames(question).map(names =>
    names.flatMap(name => ENTITY_KINDS.map(kind => tagKey(`entity:${kind}:${name}`))),
  );
  const lists = await Promise.all(
    keysByLength.map(keys => {
      const within = { ...rest, tags: { keys, mode: 'any', match: 'exact' } } as const;
      return keys.length === 0 ? [] : graph.list({ filter: within, order: 'importance', limit: MEMORIES_MAX });
    }),
  );
  const memories = await graph.getMemories([...new Set(lists.flat())]);
  const present = new Set([...memories.values()].flatMap(({ tags }) => tags.map(tagKey)));
  return keysByLength.flat().filter(key => present.has(key));
}

/**
 * Word sequences of the question, grouped by length. The longest come first, because a full name is more specific than
 * its parts.
 */
function possibleNames(question: string): string[][] {
  // Tags keep letters such as "ł", which `words` folds.
  const sequences = [words(question), question.match(WRITTEN_WORD) ?? []].map(all => all.slice(0, WORDS_MAX));
  return Array.from({ length: WORDS_PER_NAME }, (_, index) => WORDS_PER_NAME - index).map(length => {
    const runs = sequences
      .flatMap(all => all.map((_, start) => all.slice(start, start + length)))
      .filter(run => run.length === length);
    const isStop = (word = '') => isStopWord(word.toLowerCase());
    const named = runs.filter(run => !isStop(run[0]) && !isStop(run.at(-1)));
    return [...new Set(named.map(run => slugOf(run.join(' '))))].filter(name => name !== '');
  });
}
