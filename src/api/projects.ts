/** Projects: a recall finds their memories under former names too. */

import { changedProjectAnswer, projectsAnswer } from './answers/project.js';
import { readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';
import { renderProjects } from './render/project.js';
import { projectRequest, toNamedProject } from './requests/project.js';

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
