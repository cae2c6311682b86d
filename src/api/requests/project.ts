/** The name of a project and its former names, in requests. */
import { z } from 'zod';
import type { NamedProject } from '../../domain/project.js';
import { content, list } from '../fields.js';
import { optional } from '../input.js';

/** Maximum length of `owner/name`, in characters. */
const NAME_MAX_LENGTH = 201;

const name = content(NAME_MAX_LENGTH).describe('Name of the project: owner/name of its repository, or a name');
const formerNames = optional(list).describe('Names under which memories of the project may have been stored before');

/** Fields of a request whose project is optional. */
export const projectFields = { project: optional(name), former_projects: formerNames };

export const projectRequest = z.object({ project: name, former_projects: formerNames });
export type ProjectParameters = z.output<typeof projectRequest>;

export function toNamedProject({ project, former_projects: formerNames = [] }: ProjectParameters): NamedProject {
  return { name: project, formerNames };
}
