/** Finds the memories that a hook may give to an assistant. */
import type { SessionStart, TriedMemory } from '../domain/hooks.js';
import type { Memory } from '../domain/memory.js';
import type { RecallOutcome, RecallQuery } from '../domain/recall.js';
import type { StartupOutcome } from '../domain/results.js';
import { isOfOtherProjects, keysOfProject, type NamedProject, projectTag } from '../domain/tags.js';
import { isStopWord } from '../domain/text/language.js';
import { words } from '../domain/text/words.js';
import { projectOf } from '../project/project.js';
import { type ChosenMemory, judge } from './choice.js';

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
/** Maximum number of memories for every conversation at its start, and of memories of its project. */
const AT_START_MAX = 5;

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
        preferences({ projectKeys, limit: AT_START_MAX }),
        startup(),
        project ? projectMemories(recall, project) : [],
      ]);
      const general = distinct(mostImportant([...preferred, ...lessons, ...rules], projectKeys)).slice(0, AT_START_MAX);
      const both = distinct([...general, ...ofProject]);
      return both.slice(0, general.length + AT_START_MAX).map(memory => ({
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
  const { results } = await recall({ tags: [projectTag(name)], limit: LOOKED_AT + AT_START_MAX });
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

/** Maximum number of queries. A long prompt names several subjects, so each sentence becomes a query of its own. */
const QUESTIONS_MAX = 6;
/** Maximum length in characters. Longer sentences are cut. */
const QUESTION_MAX_LENGTH = 300;
/** A prompt with at most this number of words becomes one query. */
const WHOLE_MAX_WORDS = 25;
/** Minimum number of words that are not stop words. "Do it like this." has only one such word. */
const MEANINGFUL_MIN = 2;
const SENTENCE_END = /(?<=[.?!;:])\s+|\n+/;

/** @returns at least one query, in the order of the text */
function questionsIn(text: string): string[] {
  const whole = text.replaceAll(/\s+/g, ' ').trim().slice(0, QUESTION_MAX_LENGTH);
  if (words(text).length <= WHOLE_MAX_WORDS) return [whole];
  const sentences = text
    .split(SENTENCE_END)
    .map(sentence => sentence.trim().slice(0, QUESTION_MAX_LENGTH))
    .filter(sentence => meaningOf(sentence) >= MEANINGFUL_MIN);
  if (sentences.length === 0) return [whole];
  const longest = new Set([...sentences].sort((a, b) => meaningOf(b) - meaningOf(a)).slice(0, QUESTIONS_MAX));
  return sentences.filter(sentence => longest.has(sentence)).slice(0, QUESTIONS_MAX);
}

function meaningOf(sentence: string): number {
  return words(sentence).filter(word => !isStopWord(word)).length;
}
