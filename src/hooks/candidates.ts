/** Finds the memories that a hook may give to an assistant. */

import type { TriedMemory } from '../domain/hooks.js';
import type { RecallQuery } from '../domain/recall-query.js';
import type { RecallOutcome } from '../domain/recall-results.js';
import type { StartupOutcome } from '../domain/results.js';
import { type ChosenMemory, judge } from './choice.js';
import { questionsIn } from './questions.js';

export interface CandidateParts {
  /** Runs a recall without recording accesses, because no user asked for these memories. */
  recall(query: Partial<RecallQuery>): Promise<RecallOutcome>;
  startup(): Promise<StartupOutcome>;
}

export interface Candidates {
  /** Every memory that was considered for a prompt, with the verdict on it, the most evidence first. */
  forPrompt(said: string, folder: string | undefined): Promise<TriedMemory[]>;
  /** Memories of the project in the folder, and lessons and rules for every conversation. */
  atStart(folder: string | undefined): Promise<ChosenMemory[]>;
}

/** Number of recall results to choose from. */
const LOOKED_AT = 10;
const PROJECT_MAX = 5;

export function createCandidates({ recall, startup }: CandidateParts): Candidates {
  return {
    forPrompt: async (said, folder) => {
      const [query, ...queries] = questionsIn(said);
      const tag = projectTag(folder);
      const { results } = await recall({
        ...(query !== undefined && { query }),
        ...(queries.length > 0 && { queries }),
        limit: LOOKED_AT,
        ...(tag !== undefined && { hints: { context_tags: [tag], context_types: [], priority_ids: [] } }),
      });
      return judge(results);
    },
    atStart: async folder => {
      const [ofProject, { lessons, rules }] = await Promise.all([projectMemories(recall, folder), startup()]);
      const general = [...lessons, ...rules].map(memory => ({
        memory,
        id: memory.id,
        reason: 'for_every_session' as const,
      }));
      return [...new Map([...general, ...ofProject].map(chosen => [chosen.id, chosen])).values()];
    },
  };
}

/** The memories of the project, most important first. */
async function projectMemories(recall: CandidateParts['recall'], folder: string | undefined): Promise<ChosenMemory[]> {
  const tag = projectTag(folder);
  if (tag === undefined) return [];
  const { results } = await recall({ tags: [tag], limit: PROJECT_MAX });
  return results
    .filter(({ supersededBy, invalidity }) => !supersededBy && !invalidity)
    .map(({ memory }) => ({ memory, id: memory.id, reason: 'of_project' }));
}

/** The tag of the project. The MCP instructions ask assistants to give this tag to memories about a project. */
function projectTag(folder: string | undefined): string | undefined {
  const name = folder?.split(/[\\/]/).findLast(part => part !== '');
  return name === undefined ? undefined : `project:${name.toLowerCase()}`;
}
