/** Collects the memories that an assistant should know at the start (docs/decisions.md, "Startup recall"). */
import { isValidAt, passesFilter } from '../domain/filter.js';
import { type Memory, PREFERENCE_TYPES } from '../domain/memory.js';
import type { StartupOutcome } from '../domain/results.js';
import { isOfOtherProjects } from '../domain/tags.js';
import type { Clock } from '../domain/time.js';
import type { Figures } from '../stores/graph-store.js';
import type { EdgeStore } from '../stores/ports/edge-store.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { SearchIndex } from '../stores/ports/search-index.js';
import { grow } from './select/fill-page.js';
import { supersessionFinder } from './select/supersessions.js';

interface StartupParts {
  graph: Pick<SearchIndex, 'list'> & Pick<MemoryStore, 'getMemories'> & Pick<EdgeStore, 'relationsWithEnds'>;
  clock: Pick<Clock, 'nowMs'>;
}

/** A selection of memories that have at least one of these exact tags. */
interface Selection {
  keys: readonly string[];
  limit: number;
}

const LESSONS: Selection = { keys: ['critical', 'lesson', 'ai-assistant'], limit: 10 };
const RULES: Selection = { keys: ['system', 'memory-recall'], limit: 5 };
/** Does not record the results as accessed, because no user is known to have asked. */
export async function startupRecall(parts: StartupParts): Promise<StartupOutcome> {
  const nowMs = parts.clock.nowMs();
  const [lessons, rules] = await Promise.all([
    mostImportant(parts.graph, LESSONS, nowMs),
    mostImportant(parts.graph, RULES, nowMs),
  ]);
  return { lessons, rules };
}

/** The most important memories of a selection that are currently valid. */
async function mostImportant(
  graph: StartupParts['graph'],
  { keys, limit }: Selection,
  nowMs: number,
): Promise<Memory[]> {
  const filter = { tags: { keys, mode: 'any', match: 'exact' }, validAtMs: nowMs } as const;
  const supersessions = supersessionFinder(graph, nowMs);
  const { found } = await grow({
    from: limit,
    read: async size => {
      const ids = await graph.list({ filter, order: 'importance', limit: size });
      const superseded = await supersessions(ids);
      const wanted = ids.filter(id => !superseded.has(id));
      const memories = await graph.getMemories(wanted);
      const found = wanted.flatMap(id => memories.get(id) ?? []).filter(memory => passesFilter(memory, filter));
      return { found, isAll: ids.length < size };
    },
    isEnough: page => page.isAll || page.found.length >= limit,
  });
  return found.slice(0, limit);
}

export interface StandingParts extends Omit<StartupParts, 'graph'> {
  graph: StartupParts['graph'] & Pick<Figures, 'importantOfTypes'>;
}

const IMPORTANCE_MIN = 0.7;
const PREFERENCES_MIN = 50;

/**
 * Returns the most important current preferences. Those with tags of other projects come last. A superseded preference
 * is replaced by its current version.
 *
 * @param projectKeys keys of the tags of the project of the conversation
 */
export async function standingPreferences(
  { graph, clock }: StandingParts,
  { projectKeys, limit }: { projectKeys: readonly string[]; limit: number },
): Promise<Memory[]> {
  const nowMs = clock.nowMs();
  const supersessions = supersessionFinder(graph, nowMs);
  const isOfOthers = ({ tags }: Memory) => isOfOtherProjects(tags, projectKeys);
  const { found } = await grow({
    from: PREFERENCES_MIN,
    read: async size => {
      const ids = await graph.importantOfTypes({
        types: PREFERENCE_TYPES,
        leastImportance: IMPORTANCE_MIN,
        limit: size,
      });
      const [memories, newer] = await Promise.all([graph.getMemories(ids), supersessions(ids)]);
      const current = ids.flatMap(id => newer.get(id)?.head ?? memories.get(id) ?? []);
      const valid = [...new Map(current.map(memory => [memory.id, memory])).values()].filter(each =>
        isValidAt(each, nowMs),
      );
      return { found: valid, isAll: ids.length < size };
    },
    isEnough: page => page.isAll || page.found.filter(each => !isOfOthers(each)).length >= limit,
  });
  return [...found.filter(each => !isOfOthers(each)), ...found.filter(isOfOthers)].slice(0, limit);
}
