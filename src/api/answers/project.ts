/** Answers about projects. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';

export const projectsAnswer = z.strictObject({
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

export const changedProjectAnswer = z.strictObject({ status: success });
export type ChangedProjectAnswer = z.output<typeof changedProjectAnswer>;
