/** Finds the preferences of a person that hold in every conversation (docs/decisions.md, "What hooks give at a start"). */
import { isValidAt } from '../domain/filter.js';
import type { Memory } from '../domain/memory.js';
import { PREFERENCE_TYPES } from '../domain/memory-type.js';
import { isOfOtherProjects } from '../domain/project.js';
import type { Figures } from '../stores/graph-store.js';
import { grow } from './retrieve/grow.js';
import { supersessionFinder } from './select/supersessions.js';
import type { StartupParts } from './startup.js';

export interface StandingParts extends Omit<StartupParts, 'graph'> {
  graph: StartupParts['graph'] & Pick<Figures, 'importantOfTypes'>;
}

const IMPORTANCE_MIN = 0.7;
const LOOKED_AT_MIN = 50;
const LOOKED_AT_MAX = 1_000;

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
    from: LOOKED_AT_MIN,
    max: LOOKED_AT_MAX,
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
