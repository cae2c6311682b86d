/** Determines the files from which to remove our entries. */
import { CLIENTS, type ConnectedClient } from './clients.js';
import { readConfigFile, type UserSystem } from './config-file.js';
import type { WrittenEntries } from './connections.js';
import { ConnectError, type Piece, valueAt } from './format.js';
import { formatOf } from './formats.js';
import {
  type ConnectRequest,
  filesOf,
  type Holding,
  hooksTargetOf,
  inOneFile,
  SERVER_NAME,
  type Target,
  targetOf,
} from './targets.js';

export interface RemovalRequest extends ConnectRequest {
  /** The clients to disconnect; all clients if the list is empty. */
  named: readonly ConnectedClient[];
}

/**
 * Returns the listed files of the clients, and their usual files that have an entry without being listed. A named
 * client that has neither gets its usual file, so that the user is told that it has no entry.
 */
export async function targetsToClear(
  connections: readonly WrittenEntries[],
  here: UserSystem,
  request: RemovalRequest,
): Promise<Target[]> {
  const { named } = request;
  const clients = named.length > 0 ? named : CLIENTS;
  const meant = connections.filter(each => isMeant(each, here, request));
  const listed = listedTargets(meant).filter(({ client }) => clients.includes(client));
  const usual = clients.flatMap(client => usualTargets(client, here, request));
  const unlisted = (await enteredOf(usual)).filter(({ file }) => !listed.some(each => each.file === file));
  const found = [...listed, ...unlisted];
  const others = named.filter(client => !found.some(each => each.client === client));
  return [...found, ...others.flatMap(client => targetOf(client, here, request) ?? [])];
}

/** The listed files of projects that still have an entry. */
export async function targetsInProjects(connections: readonly WrittenEntries[]): Promise<Target[]> {
  return enteredOf(listedTargets(connections.filter(({ isForProject }) => isForProject)));
}

function isMeant({ file, isForProject }: WrittenEntries, here: UserSystem, request: ConnectRequest): boolean {
  if (isForProject !== request.isForProject) return false;
  return !isForProject || file.startsWith(here.join(here.cwd, '/'));
}

function listedTargets(connections: readonly WrittenEntries[]): Target[] {
  // A created folder is recorded with the first file that was written into it, and can be removed only when it is
  // empty. So the files with the outermost folders come last.
  const depthOf = ({ folders: [outermost] }: WrittenEntries) => outermost?.length ?? Number.POSITIVE_INFINITY;
  const ordered = connections.toSorted((one, other) => Math.sign(depthOf(other) - depthOf(one)) || 0);
  return ordered.flatMap(({ client: name, file, format, isForProject, pieces }) => {
    const client = CLIENTS.find(each => each.name === name);
    const holds = holdingOf(format, pieces);
    return client === undefined ? [] : [{ client, file, format, holds, isForProject, pieces: () => pieces }];
  });
}

function holdingOf(format: WrittenEntries['format'], pieces: readonly Piece[]): Holding {
  if (format === 'rules') return 'rules';
  if (format === 'script') return 'hooks';
  const hooks = pieces.filter(({ path: [key] }) => key === 'hooks');
  if (hooks.length === 0) return 'server';
  return hooks.length < pieces.length ? 'server, hooks' : 'hooks';
}

/** All files in which `connect` may have written an entry of the client. */
function usualTargets(client: ConnectedClient, here: UserSystem, request: ConnectRequest): Target[] {
  const target = targetOf(client, here, request);
  const servers = target === undefined ? [] : filesOf(client, here, request).map(file => ({ ...target, file }));
  const hooks = request.isForProject ? undefined : hooksTargetOf(client, here, request);
  if (hooks === undefined) return servers;
  const isShared = servers.some(({ file }) => file === hooks.file);
  return isShared ? servers.map(server => inOneFile(server, hooks)) : [...servers, hooks];
}

async function enteredOf(targets: readonly Target[]): Promise<Target[]> {
  const found = await Promise.all(targets.map(findEntered));
  return found.filter(each => each !== undefined);
}

/**
 * Returns the target if its file has an entry of the target. The path of the returned target is that of the file
 * itself, even if the given path is a symbolic link. If the file cannot be read or parsed but may have an entry,
 * returns the target as it is.
 *
 * @returns undefined for all other files
 */
async function findEntered(target: Target): Promise<Target | undefined> {
  const { path, text, root } = await readTarget(target);
  if (root === undefined) return mayHoldEntry(text) ? target : undefined;
  return holdsEntry(root, target) ? { ...target, file: path } : undefined;
}

/** Whether the file of a target has an entry of the target. False for a file that cannot be read or parsed. */
export async function hasEntry(target: Target): Promise<boolean> {
  const { root } = await readTarget(target);
  return root !== undefined && holdsEntry(root, target);
}

function holdsEntry(root: unknown, { pieces }: Target): boolean {
  return pieces(root).some(({ path }) => valueAt(root, path) !== undefined);
}

/** Has no root if the file cannot be parsed, and no text if it cannot even be read. */
async function readTarget({ file, format }: Target): Promise<{ path: string; text: string; root?: unknown }> {
  let text = '';
  try {
    const { path, content } = await readConfigFile(file);
    text = content?.text ?? '';
    return { path, text, root: formatOf(format).parse(text) };
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    return { path: file, text };
  }
}

/** Whether a file that cannot be parsed may have an entry of ours. The text is empty if it cannot even be read. */
export function mayHoldEntry(text: string): boolean {
  return text === '' || text.includes(SERVER_NAME);
}
