/** Finds the memories that a hook may give to an assistant. */

import type { SessionStart, TriedMemory } from '../domain/hooks.js';
import type { Memory } from '../domain/memory.js';
import { isOfOtherProjects, keysOfProject, type NamedProject, projectTag } from '../domain/project.js';
import type { RecallQuery } from '../domain/recall-query.js';
import type { RecallOutcome } from '../domain/recall-results.js';
import type { StartupOutcome } from '../domain/results.js';
import { projectOf } from '../project/project.js';
import { type ChosenMemory, judge } from './choice.js';
import { questionsIn } from './questions.js';

export interface CandidateParts {
  /** Runs a recall without recording accesses, because no user asked for these memories. */
  recall(query: Partial<RecallQuery>): Promise<RecallOutcome>;
  startup(): Promise<StartupOutcome>;
  /** The most important current preferences of the person; those of other projects come last. */
  preferences(request: { projectKeys: readonly string[]; limit: number }): Promise<Memory[]>;
  /** Makes memories under former names of the project known to recalls. */
  noteProject(project: NamedProject): Promise<void>;
  onFailure(error: unknown): void;
}

type Place = Pick<SessionStart, 'folder' | 'project'>;

export interface Candidates {
  /** Every memory that was considered for a prompt, with the verdict on it, the most evidence first. */
  forPrompt(said: string, place: Place): Promise<TriedMemory[]>;
  /** Preferences, lessons and rules for every conversation, and then memories of the project. */
  atStart(place: Place): Promise<ChosenMemory[]>;
}

/** Number of recall results to choose from. */
const LOOKED_AT = 10;
/** Maximum number of memories for every conversation, and of memories of the project. */
const GENERAL_MAX = 5;
const PROJECT_MAX = 5;

export function createCandidates(parts: CandidateParts): Candidates {
  const { recall, startup, preferences, noteProject, onFailure } = parts;
  return {
    forPrompt: async (said, place) => {
      const [query, ...queries] = questionsIn(said);
      const project = await projectIn(place);
      const { results } = await recall({
        ...(query !== undefined && { query }),
        ...(queries.length > 0 && { queries }),
        limit: LOOKED_AT,
        ...(project && { hints: { context_tags: [projectTag(project.name)], context_types: [], priority_ids: [] } }),
      });
      return judge(results);
    },
    atStart: async place => {
      const project = await projectIn(place);
      if (project) await noteProject(project).catch(onFailure);
      const projectKeys = project ? keysOfProject(project) : [];
      const [preferred, { lessons, rules }, ofProject] = await Promise.all([
        preferences({ projectKeys, limit: GENERAL_MAX }),
        startup(),
        project ? projectMemories(recall, project) : [],
      ]);
      const general = distinct(mostImportant([...preferred, ...lessons, ...rules], projectKeys)).slice(0, GENERAL_MAX);
      const both = distinct([...general, ...ofProject]);
      return both.slice(0, general.length + PROJECT_MAX).map(memory => ({
        memory,
        id: memory.id,
        reason: general.includes(memory) ? 'for_every_session' : 'of_project',
      }));
    },
  };
}

async function projectIn({ project, folder }: Place): Promise<NamedProject | undefined> {
  return project ?? (folder === undefined ? undefined : projectOf(folder));
}

/** The memories of the project, most important first. */
async function projectMemories(recall: CandidateParts['recall'], { name }: NamedProject): Promise<Memory[]> {
  const { results } = await recall({ tags: [projectTag(name)], limit: LOOKED_AT + GENERAL_MAX });
  return results.filter(({ supersededBy, invalidity }) => !supersededBy && !invalidity).map(({ memory }) => memory);
}

/** Those with tags of other projects come last. Equal memories keep their order. */
function mostImportant(memories: readonly Memory[], projectKeys: readonly string[]): Memory[] {
  const rank = ({ tags, importance }: Memory) => importance - (isOfOtherProjects(tags, projectKeys) ? 1 : 0);
  return memories.toSorted((a, b) => rank(b) - rank(a));
}

/** Leaves out memories that occur twice, or say exactly the same as an earlier one. */
function distinct(memories: readonly Memory[]): Memory[] {
  const byText = new Map<string, Memory>();
  for (const memory of memories) {
    const text = memory.content.trim().toLowerCase();
    if (!byText.has(text)) byText.set(text, memory);
  }
  return [...byText.values()];
}
