/** Finds the project in which the client of a session works (docs/decisions.md, "One name for a project"). */
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { NamedProject } from '../domain/tags.js';
import { RootsListChangedNotificationSchema } from '../packages/mcp-sdk.js';
import { projectOf } from '../project/project.js';

/**
 * Never rejects.
 *
 * @param during the request of the client that is being answered
 */
export type ProjectFinder = (during: RequestId) => Promise<NamedProject | undefined>;

/** A client that does not answer must not delay a store for longer. */
const ROOTS_WITHIN_MS = 500;

/**
 * Asks the client for its roots once, and again after they have changed. If the client has none, the project is that of
 * the working folder, but only in a repository, because many programs start their servers in a folder of their own.
 *
 * @param workingFolder undefined if the client does not start this process
 */
export function createProjectFinder(server: Server, workingFolder: string | undefined): ProjectFinder {
  let found: Promise<NamedProject | undefined> | undefined;
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    found = undefined;
  });
  return during => {
    found ??= rootsOf(server, during).then(roots =>
      roots.length > 0 ? commonProject(roots) : projectAround(workingFolder),
    );
    return found;
  };
}

/** Returns the addresses of the roots. The list is empty if the client does not name any in time. */
async function rootsOf(server: Server, relatedRequestId: RequestId): Promise<string[]> {
  if (!server.getClientCapabilities()?.roots) return [];
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_WITHIN_MS, relatedRequestId });
    return roots.map(({ uri }) => uri);
  } catch {
    return [];
  }
}

/** Returns the project of all the roots. Undefined if they have several, or are not folders of this machine. */
async function commonProject(roots: readonly string[]): Promise<NamedProject | undefined> {
  const projects = await Promise.all(roots.map(projectAt));
  const [first] = projects;
  if (!first || projects.some(project => project?.name !== first.name)) return undefined;
  const formerNames = new Set(projects.flatMap(project => project?.formerNames ?? []));
  return { name: first.name, formerNames: [...formerNames] };
}

async function projectAt(uri: string): Promise<NamedProject | undefined> {
  try {
    const folder = fileURLToPath(uri);
    return (await stat(folder)).isDirectory() ? await projectOf(folder) : undefined;
  } catch {
    return undefined;
  }
}

async function projectAround(folder: string | undefined): Promise<NamedProject | undefined> {
  const project = folder === undefined ? undefined : await projectOf(folder);
  return project?.root === undefined ? undefined : project;
}
