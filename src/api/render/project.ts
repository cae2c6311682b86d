/** Renders the former names of projects. */
import type { ProjectAlias } from '../../domain/project.js';
import type { ProjectsAnswer } from '../answers/project.js';

export function renderProjects(aliases: readonly ProjectAlias[]): ProjectsAnswer {
  const projects = aliases.map(({ project, formerName, memoryCount }) => ({
    project,
    former_name: formerName,
    memories: memoryCount,
  }));
  return { status: 'success', projects };
}
