/** Determines the files to change and the entries for each of them. */
import { CLIENTS, type Client } from './clients.js';
import type { Connection } from './connections.js';
import { isObject, type Piece, valueAt } from './format.js';
import type { FormatName } from './formats.js';
import { hookPieces } from './host-hooks.js';
import { type Launch, SHARED_LAUNCH } from './launch.js';
import { RULES } from './rules.js';
import { rulesPiece } from './rules-format.js';
import { hasProgram, type Surroundings } from './surroundings.js';

/** The key of our server in the files of clients. */
export const SERVER_NAME = 'engraph';

/** One file of one client, and the entries that belong in the file. */
export interface Target {
  client: Client;
  file: string;
  format: FormatName;
  isForProject: boolean;
  /** The entries for the file, given its current content. */
  pieces: (root: unknown) => readonly Piece[];
}

export interface ConnectRequest {
  launch: Launch;
  /** Whether to change files of the project in the working directory instead of the user's files. */
  isForProject: boolean;
  /** Whether to write hooks too, or rules if the client has no suitable hooks. */
  withHooks: boolean;
}

export function isInstalled(client: Client, here: Surroundings): boolean {
  const places = [...client.traces(here), ...client.files(here)];
  return places.some(here.exists) || client.programs.some(program => hasProgram(here, program));
}

export function installedClients(here: Surroundings): Client[] {
  return CLIENTS.filter(client => isInstalled(client, here));
}

/** @returns undefined if the request is for a project and the client has no configuration in projects */
export function targetOf(client: Client, here: Surroundings, request: ConnectRequest): Target | undefined {
  const { isForProject } = request;
  const file = isForProject ? projectFileOf(client, here) : userFileOf(client, here);
  if (file === undefined) return undefined;
  const entry = client.entry(launchFor(client, request));
  return {
    client,
    file,
    format: client.format,
    isForProject,
    pieces: root => [{ path: serverPath(client, root), value: entry }],
  };
}

/** Adds ENGRAPH_HOOKS, because the server offers its tool for hooks only with this setting. */
function launchFor({ hooksFile }: Client, { launch, isForProject, withHooks }: ConnectRequest): Launch {
  if (isForProject) return { ...launch, ...SHARED_LAUNCH };
  return withHooks && hooksFile ? { ...launch, env: { ...launch.env, ENGRAPH_HOOKS: 'true' } } : launch;
}

/** The user's file of hooks or rules; undefined if the client reads neither. */
export function hooksTargetOf(client: Client, here: Surroundings): Target | undefined {
  const { hooksFile, rulesFile } = client;
  const common = { client, isForProject: false };
  if (hooksFile) return { ...common, file: hooksFile(here), format: 'hooks', pieces: () => hookPieces(SERVER_NAME) };
  if (rulesFile) return { ...common, file: rulesFile(here), format: 'rules', pieces: () => [rulesPiece(RULES)] };
  return undefined;
}

export function userFileOf(client: Client, here: Surroundings): string {
  const files = client.files(here);
  return files.find(here.exists) ?? files[0] ?? '';
}

export function projectFileOf({ projectFiles = [] }: Client, here: Surroundings): string | undefined {
  const files = projectFiles.map(file => here.join(here.cwd, file));
  return files.find(here.exists) ?? files[0];
}

/** The key path of our server in a file of the client. */
export function serverPath({ serverPaths }: Client, root: unknown): readonly string[] {
  const found = serverPaths.find(path => {
    const servers = valueAt(root, path);
    // Skip an object with a `type`: it is one server, and its name only happens to equal the last key of `path`.
    return isObject(servers) && typeof servers.type !== 'string';
  });
  return [...(found ?? serverPaths.at(-1) ?? []), SERVER_NAME];
}

/**
 * Returns the files from which to remove our entries. These are the files in `connections` that match the request and
 * belong to a named client, or to any client if none is named. A named client without such a file gets its usual file.
 */
export function targetsToClear(
  named: readonly Client[],
  connections: readonly Connection[],
  here: Surroundings,
  request: ConnectRequest,
): Target[] {
  // A created folder is recorded with the first file that was written into it, and can be removed only when it is
  // empty. So files with recorded folders come last.
  const ordered = connections.toSorted((one, other) => one.folders.length - other.folders.length);
  const listed = ordered.flatMap(({ client: name, file, format, isForProject }) => {
    const client = CLIENTS.find(each => each.name === name);
    const isMeant = named.length === 0 || named.some(each => each.name === name);
    const isHere =
      isForProject === request.isForProject && (!isForProject || file.startsWith(here.join(here.cwd, '/')));
    const usual = client && targetOf(client, here, request);
    return usual !== undefined && isMeant && isHere ? [{ ...usual, file, format }] : [];
  });
  const usual = named.flatMap(client => targetOf(client, here, request) ?? []);
  const others = usual.filter(({ client }) => !listed.some(each => each.client === client));
  return [...listed, ...others];
}
