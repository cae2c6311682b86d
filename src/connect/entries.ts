/**
 * Finds our server in the files of all clients. An entry in a project may come from somebody else, so its command is
 * run only if `engraph connect` has written exactly this entry. Also finds out whether Codex runs our hooks: the
 * person must trust each of them once.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { CLIENTS, type ConnectedClient, launchIn } from './clients.js';
import { readConfigFile, type UserSystem } from './config-file.js';
import type { WrittenEntries } from './connections.js';
import { ConnectError, isJsonObject, isSame, valueAt } from './format.js';
import { formatOf } from './formats.js';
import type { Launch } from './launch.js';
import { mayHoldEntry } from './removal.js';
import { projectFileOf, serverPath, userFileOf } from './targets.js';

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
 * @returns the files of hooks in which fewer hooks are trusted than were written
 */
export async function untrustedHookFiles(connections: readonly WrittenEntries[]): Promise<string[]> {
  const ofCodex = connections.filter(({ client, format }) => client === 'codex' && format === 'hooks');
  const checked = await Promise.all(
    ofCodex.map(async ({ file, pieces }) => ((await trustedIn(file)) < pieces.length ? [file] : [])),
  );
  return checked.flat();
}

async function trustedIn(file: string): Promise<number> {
  try {
    const states = valueAt(parse(await readFile(join(dirname(file), 'config.toml'), 'utf8')), ['hooks', 'state']);
    const entries = Object.entries(isJsonObject(states) ? states : {});
    return entries.filter(([key, state]) => key.startsWith(`${file}:`) && isJsonObject(state) && state.trusted_hash)
      .length;
  } catch {
    return 0;
  }
}
