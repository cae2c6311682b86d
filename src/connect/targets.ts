/** Determines the files to change and the entries for each of them. */
import { type Client, entryOf, type PathTemplate } from './client.js';
import { CLIENTS } from './clients.js';
import { isObject, type Piece, valueAt } from './format.js';
import type { FormatName } from './formats.js';
import { HOOK_HOSTS } from './hook-hosts.js';
import { hookPieces } from './host-hooks.js';
import { type Launch, SHARED_LAUNCH } from './launch.js';
import { openCodePlugin } from './opencode-plugin.js';
import { pathOf } from './paths.js';
import { RULES } from './rules.js';
import { rulesPiece } from './rules-format.js';
import { scriptPiece } from './script-format.js';
import { hasProgram, type Surroundings } from './surroundings.js';

/** The key of our server in the files of clients. */
export const SERVER_NAME = 'engraph';

/** What a file holds for a client. */
export type Holding = 'server' | 'hooks' | 'server, hooks' | 'rules';

/** One file of one client, and the entries that belong in the file. */
export interface Target {
  client: Client;
  file: string;
  format: FormatName;
  holds: Holding;
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
  const places = [...client.traces, ...client.files].map(template => pathOf(template, here));
  return places.some(here.exists) || client.programs.some(program => hasProgram(here, program));
}

export function installedClients(here: Surroundings): Client[] {
  return CLIENTS.filter(client => isInstalled(client, here));
}

/** The target of the server's entry, and that of hooks or rules if they are wanted. Both may be in one file. */
export function targetsOf(client: Client, here: Surroundings, request: ConnectRequest): Target[] {
  const server = targetOf(client, here, request);
  const hooks = request.withHooks ? hooksTargetOf(client, here, request) : undefined;
  if (server === undefined || hooks === undefined) return server === undefined ? [] : [server];
  return server.file === hooks.file ? [inOneFile(server, hooks)] : [server, hooks];
}

/** The hooks' format edits the entry of the server too. */
export function inOneFile(server: Target, hooks: Target): Target {
  return { ...hooks, holds: 'server, hooks', pieces: root => [...server.pieces(root), ...hooks.pieces(root)] };
}

/** @returns undefined if the request is for a project and the client has no configuration in projects */
export function targetOf(client: Client, here: Surroundings, request: ConnectRequest): Target | undefined {
  const { isForProject } = request;
  const file = isForProject ? projectFileOf(client, here) : userFileOf(client, here);
  if (file === undefined) return undefined;
  const entry = entryOf(client, isForProject ? { ...request.launch, ...SHARED_LAUNCH } : request.launch);
  return {
    client,
    file,
    format: client.format,
    holds: 'server',
    isForProject,
    pieces: root => [{ path: serverPath(client, root), value: entry }],
  };
}

/** The user's file of hooks or rules; undefined if the client reads neither. */
export function hooksTargetOf(
  client: Client,
  here: Surroundings,
  { launch }: Pick<ConnectRequest, 'launch'>,
): Target | undefined {
  const { name, hooksFile, rulesFile } = client;
  const target = (template: PathTemplate, format: FormatName, holds: Holding, pieces: readonly Piece[]): Target => {
    return { client, isForProject: false, file: pathOf(template, here), format, holds, pieces: () => pieces };
  };
  if (rulesFile) return target(rulesFile, 'rules', 'rules', [rulesPiece(RULES)]);
  const host = HOOK_HOSTS.find(each => each.name === name);
  if (hooksFile === undefined || host?.form === undefined) return undefined;
  if (host.form !== 'script' && host.form.windows === undefined && here.platform === 'win32') return undefined;
  if (host.form === 'script') return target(hooksFile, 'script', 'hooks', [scriptPiece(openCodePlugin(launch))]);
  const format = host.form.version === undefined ? 'hooks' : 'versioned-hooks';
  return target(hooksFile, format, 'hooks', hookPieces(host, { launch, platform: here.platform }));
}

export function userFileOf(client: Client, here: Surroundings): string {
  const files = filesOf(client, here, { isForProject: false });
  return files.find(here.exists) ?? files[0] ?? '';
}

export function projectFileOf(client: Client, here: Surroundings): string | undefined {
  const files = filesOf(client, here, { isForProject: true });
  return files.find(here.exists) ?? files[0];
}

/** All files from which the client reads servers. */
export function filesOf(
  { files, projectFiles = [] }: Client,
  here: Surroundings,
  { isForProject }: Pick<ConnectRequest, 'isForProject'>,
): readonly string[] {
  return isForProject ? projectFiles.map(file => here.join(here.cwd, file)) : files.map(file => pathOf(file, here));
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
