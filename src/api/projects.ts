/** Projects: a recall finds their memories under former names too. */
import { z } from 'zod';
import type { NamedProject, ProjectAlias } from '../domain/tags.js';
import { success, wholeNumber } from './answer-fields.js';
import { content, list } from './fields.js';
import { optional, readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';

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
const formerNames = optional(list).describe('Names under which memories of the project may have been stored before');

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
