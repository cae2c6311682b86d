/**
 * All memories with a tag: listing them, and deleting them. Projects: a recall finds their memories under former names
 * too.
 */
import { z } from 'zod';
import { MemoryError } from '../domain/errors.js';
import { shownMetadata } from '../domain/metadata.js';
import { TAG_PAGE_MAX, type TagPage } from '../domain/recall.js';
import type { ListedMemory, TagPageOutcome, TagRemoval } from '../domain/results.js';
import type { NamedProject, ProjectAlias } from '../domain/tags.js';
import type { Engine } from '../engine/engine.js';
import {
  cutMetadataFields,
  queryTimeMs,
  recordFields,
  roundScore,
  roundThousandths,
  success,
  wholeNumber,
} from './answer-fields.js';
import { content, count, flag, stringList } from './fields.js';
import { optional, type RawInput, readObject } from './input.js';
import { whole } from './memories.js';
import { type Operation, routeOf } from './operation.js';
import { invalidityName, type ListedResult, listedResult, renderRecalledMemory } from './recall-result.js';

const TAG_PAGE_DEFAULT = 20;

const tags = stringList
  .refine(given => given.length > 0, 'is required: name at least one tag')
  .describe('Exact tags; a memory must have at least one of them');

const tagSelection = z.object({ tags });

const tagPage = z.object({
  tags,
  limit: optional(count({ max: TAG_PAGE_MAX })).describe(
    `Maximum number of memories per page, ${TAG_PAGE_DEFAULT} by default`,
  ),
  offset: optional(count({ min: 0, max: Number.MAX_SAFE_INTEGER })).describe('Number of memories to skip'),
  include_total: optional(flag).describe('Whether the answer contains the total number of memories on all pages'),
});

export type TagPageParameters = z.output<typeof tagPage>;

function toTagPage({ tags, limit = TAG_PAGE_DEFAULT, offset = 0, include_total }: TagPageParameters): TagPage {
  return { tags, limit, offset, ...(include_total && { counts: true }) };
}

/**
 * The page lists the memories twice: `results` has the form of recall results, and `memories` has plain records for
 * AutoMem clients (docs/decisions.md, "Listing by tag").
 */
const tagPageAnswer = z.strictObject({
  status: success,
  tags: z.array(z.string()).describe('Requested tags; each memory has at least one of them'),
  count: wholeNumber.describe('Number of memories on this page'),
  limit: wholeNumber.describe('Maximum number of memories per page'),
  offset: wholeNumber.describe('Number of memories before this page'),
  has_more: z.boolean().describe('Whether there is a next page'),
  total: wholeNumber.optional().describe('Number of memories on all pages; only with include_total'),
  results: z.array(listedResult).describe('Most important first'),
  memories: z
    .array(z.strictObject({ ...recordFields, ...cutMetadataFields }))
    .describe('The same memories as plain records'),
  query_time_ms: queryTimeMs,
});
export type TagPageAnswer = z.infer<typeof tagPageAnswer>;

const tagRemovalAnswer = z.strictObject({
  status: success,
  tags: z.array(z.string()).describe('Requested tags'),
  deleted_count: wholeNumber.describe('Number of deleted memories'),
});
export type TagRemovalAnswer = z.infer<typeof tagRemovalAnswer>;

export const tagOperations: readonly Operation[] = [
  {
    ...routeOf('listByTag'),
    access: 'token',
    tag: 'memories',
    summary: 'List the memories that have any of the tags, most important first',
    query: tagPage,
    answers: { 200: tagPageAnswer },
    failures: ['invalid'],
    run: async (engine, { query }) => {
      const page = readObject(tagPage, await withWholeTags(engine, query), 'The query');
      return renderTagPage(await engine.listByTag(toTagPage(page)));
    },
  },
  {
    ...routeOf('removeByTag'),
    access: 'token',
    tag: 'memories',
    summary: 'Delete every memory that has any of the tags',
    query: tagSelection,
    answers: { 200: tagRemovalAnswer },
    failures: ['invalid'],
    run: async (engine, { query }) => {
      const { tags } = readObject(tagSelection, await withCertainTags(engine, query), 'The query');
      return renderTagRemoval(await engine.removeByTag(tags));
    },
  },
];

function renderTagPage({ page, memories, hasMore, total, durationMs }: TagPageOutcome): TagPageAnswer {
  return {
    status: 'success',
    tags: page.tags,
    count: memories.length,
    limit: page.limit,
    offset: page.offset,
    has_more: hasMore,
    ...(total !== undefined && { total }),
    results: memories.map(renderListed),
    memories: memories.map(({ memory }) => ({ ...whole(memory), ...shownMetadata(memory.metadata) })),
    query_time_ms: roundThousandths(durationMs),
  };
}

function renderTagRemoval({ tags, deletedCount }: TagRemoval): TagRemovalAnswer {
  return { status: 'success', tags, deleted_count: deletedCount };
}

/** A listing computes no scores, so it shows the importance as the score (docs/decisions.md, "Listing by tag"). */
function renderListed({ memory, relations, supersededById, invalidity }: ListedMemory): ListedResult {
  const importance = roundScore(memory.importance);
  return {
    id: memory.id,
    memory: renderRecalledMemory(memory),
    score: importance,
    final_score: importance,
    match_score: importance,
    match_type: 'tag',
    source: 'graph',
    score_components: {
      vector: 0,
      keyword: 0,
      exact: 0,
      confidence: 0,
      recency: 0,
      tag: 0,
      relation: 0,
      relevance: 0,
      lexical: 0,
      meaning: 0,
      neighbour: 0,
      context: 0,
      newer: 0,
      inherited: 0,
      importance,
    },
    relations,
    ...(supersededById !== undefined && { superseded_by: supersededById }),
    ...(invalidity && { not_current: invalidityName(invalidity) }),
  };
}

const TAG_PARAMETERS = ['tags', 'exclude_tags', 'context_tags'] as const;

/** Returns the query. A tag parameter that contains commas becomes one tag if its whole text equals a stored tag. */
export async function withWholeTags(engine: Engine, query: RawInput): Promise<RawInput> {
  const whole: Record<string, unknown> = {};
  for (const name of TAG_PARAMETERS) {
    const text = query[name];
    if (isDivisible(text) && (await isTag(engine, text))) whole[name] = [text];
  }
  return Object.keys(whole).length === 0 ? query : { ...query, ...whole };
}

/**
 * Like `withWholeTags`, for requests that cannot be undone.
 *
 * @throws MemoryError `invalid` when the whole text is a stored tag and a part of it between commas is a stored tag too
 */
async function withCertainTags(engine: Engine, query: RawInput): Promise<RawInput> {
  const read = await withWholeTags(engine, query);
  const { tags: text } = query;
  if (!isDivisible(text) || !Array.isArray(read.tags)) return read;
  const parts = text.split(',').map(part => part.trim());
  for (const part of parts) {
    if (part === '' || !(await isTag(engine, part))) continue;
    throw new MemoryError(
      'invalid',
      `'tags' can be read as the one tag '${text}' or as the tags ${parts.join(' and ')}`,
      {
        field: 'tags',
        hint: "Nothing was deleted. Repeat 'tags' for every tag. To send one tag with commas, add an empty 'tags'.",
      },
    );
  }
  return read;
}

function isDivisible(value: unknown): value is string {
  return typeof value === 'string' && value.includes(',');
}

async function isTag(engine: Engine, text: string): Promise<boolean> {
  const { memories } = await engine.listByTag({ tags: [text], limit: 1, offset: 0 });
  return memories.length > 0;
}

const projectsAnswer = z.strictObject({
  status: success,
  projects: z
    .array(
      z.strictObject({
        project: z.string().describe('Name of the project'),
        former_name: z.string().describe('Name under which memories of the project were stored before'),
        memories: wholeNumber.describe('Number of memories with the tag of the former name'),
      }),
    )
    .describe('The former names, by project'),
});
export type ProjectsAnswer = z.output<typeof projectsAnswer>;

const changedProjectAnswer = z.strictObject({ status: success });
export type ChangedProjectAnswer = z.output<typeof changedProjectAnswer>;

/** Maximum length of `owner/name`, in characters. */
const NAME_MAX_LENGTH = 201;

const name = content(NAME_MAX_LENGTH).describe('Name of the project: owner/name of its repository, or a name');
const formerNames = optional(stringList).describe(
  'Names under which memories of the project may have been stored before',
);

/** Fields of a request whose project is optional. */
export const projectFields = { project: optional(name), former_projects: formerNames };

const projectRequest = z.object({ project: name, former_projects: formerNames });
export type ProjectParameters = z.output<typeof projectRequest>;

export function toNamedProject({ project, former_projects: formerNames = [] }: ProjectParameters): NamedProject {
  return { name: project, formerNames };
}

export const projectOperations: readonly Operation[] = [
  {
    ...routeOf('projects'),
    access: 'token',
    tag: 'recall',
    summary: 'List the former names of projects under which recalls find their memories too',
    answers: { 200: projectsAnswer },
    failures: [],
    run: async engine => renderProjects(await engine.projects.list()),
  },
  {
    ...routeOf('noteProject'),
    access: 'token',
    tag: 'recall',
    summary: 'Let recalls with the tag of a project also find the memories that have the tag of a former name',
    body: projectRequest,
    answers: { 200: changedProjectAnswer },
    failures: ['invalid'],
    run: async (engine, { body }) => {
      await engine.projects.note(toNamedProject(readObject(projectRequest, body, 'The body')));
      return { status: 'success' };
    },
  },
];

function renderProjects(aliases: readonly ProjectAlias[]): ProjectsAnswer {
  const projects = aliases.map(({ project, formerName, memoryCount }) => ({
    project,
    former_name: formerName,
    memories: memoryCount,
  }));
  return { status: 'success', projects };
}
