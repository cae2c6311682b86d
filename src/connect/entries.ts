/**
 * Finds our server in the files of all clients. An entry in a project may come from somebody else, so its command is
 * run only if `engraph connect` has written exactly this entry. Also finds out whether Codex runs our hooks: the
 * person must trust each of them once.
 */
import { readFile } from 'node:fs/promises';
import { parse } from 'smol-toml';
import { CLIENTS, type ConnectedClient, launchIn } from './clients.js';
import { readConfigFile, type UserSystem } from './config-file.js';
import type { WrittenEntries } from './connections.js';
import { ConnectError, isJsonObject, isSame, valueAt } from './format.js';
import { formatOf } from './formats.js';
import type { Launch } from './launch.js';
import { mayHoldEntry } from './removal.js';
import { hooksFileOf, projectFileOf, serverPath, userFileOf } from './targets.js';

export interface FoundEntry {
  /** Name of the client. */
  client: string;
  file: string;
  /** The command that the client starts. Undefined for an entry without a command, such as a server at a URL. */
  launch?: Launch;
  isSwitchedOff: boolean;
  /** Whether somebody other than the user may have written the entry. */
  isForeign: boolean;
  /** Reason why the file cannot be read. */
  problem?: string;
}

export async function findEntries(here: UserSystem, connections: readonly WrittenEntries[]): Promise<FoundEntry[]> {
  const places: Place[] = CLIENTS.flatMap(client => {
    const userFile = userFileOf(client, here);
    const projectFile = projectFileOf(client, here);
    const isOther = projectFile !== undefined && projectFile !== userFile;
    return [
      { client, file: userFile, isForProject: false },
      ...(isOther ? [{ client, file: projectFile, isForProject: true }] : []),
    ];
  });
  const found = await Promise.all(places.map(place => findEntry(place, connections)));
  return found.filter(each => each !== undefined);
}

interface Place {
  client: ConnectedClient;
  file: string;
  isForProject: boolean;
}

async function findEntry(
  { client, file, isForProject }: Place,
  connections: readonly WrittenEntries[],
): Promise<FoundEntry | undefined> {
  const known = { client: client.name, file, isSwitchedOff: false, isForeign: false };
  let text = '';
  try {
    const { path, content } = await readConfigFile(file);
    text = content?.text ?? '';
    const root = formatOf(client.format).parse(text);
    const value = valueAt(root, serverPath(client, root));
    if (value === undefined) return undefined;
    const isOurs = connections.some(
      each => each.file === path && each.pieces.some(piece => isSame(piece.value, value)),
    );
    const isSwitchedOff = isJsonObject(value) && (value.disabled === true || value.enabled === false);
    const launch = launchIn(value);
    return { ...known, isSwitchedOff, isForeign: isForProject && !isOurs, ...(launch && { launch }) };
  } catch (error) {
    // Report a file that cannot be parsed only if it mentions engraph.
    if (!(error instanceof ConnectError) || !mayHoldEntry(text)) return undefined;
    return { ...known, problem: error.message };
  }
}

/**
 * Codex keeps the trust in config.toml, as `hooks.state."<file of hooks>:<event>:<group>:<index>".trusted_hash`. It was read
 * with Codex 0.171.
 *
 * @returns the file of hooks, if fewer hooks are trusted in it than were written
 */
export async function untrustedHooksFile(
  here: UserSystem,
  connections: readonly WrittenEntries[],
): Promise<string | undefined> {
  const codex = CLIENTS.find(({ name }) => name === 'codex');
  const given = codex && hooksFileOf(codex, here);
  if (codex === undefined || given === undefined) return undefined;
  const { path } = await readConfigFile(given);
  const pieces = connections.find(({ file, format }) => file === path && format === 'hooks')?.pieces ?? [];
  const trustedCount = await trustedIn(userFileOf(codex, here), [given, path]);
  return trustedCount < pieces.length ? given : undefined;
}

/** @param names the path that Codex opens, and that of the file itself if it is a symbolic link */
async function trustedIn(configFile: string, names: readonly string[]): Promise<number> {
  try {
    const states = valueAt(parse(await readFile(configFile, 'utf8')), ['hooks', 'state']);
    const entries = Object.entries(isJsonObject(states) ? states : {});
    const isOfFile = (key: string) => names.some(name => key.startsWith(`${name}:`));
    return entries.filter(([key, state]) => isOfFile(key) && isJsonObject(state) && state.trusted_hash).length;
  } catch {
    return 0;
  }
}
