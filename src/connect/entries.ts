/** Finds our server in the files of all clients, whoever wrote it there. */
import { CLIENTS, launchIn } from './clients.js';
import { readConfigFile } from './config-file.js';
import { ConnectError } from './connect-error.js';
import { isObject, valueAt } from './format.js';
import { formatOf } from './formats.js';
import type { Launch } from './launch.js';
import type { Surroundings } from './surroundings.js';
import { projectFileOf, SERVER_NAME, serverPath, userFileOf } from './targets.js';

export interface FoundEntry {
  /** Name of the client. */
  client: string;
  file: string;
  /** What the client starts. Undefined where it starts nothing, such as for a server at an address. */
  launch?: Launch;
  isSwitchedOff: boolean;
  /** Why the file cannot be read. */
  problem?: string;
}

export async function findEntries(here: Surroundings): Promise<FoundEntry[]> {
  const places = CLIENTS.flatMap(client => {
    const files = [userFileOf(client, here), projectFileOf(client, here)];
    return [...new Set(files)].flatMap(file => (file === undefined ? [] : [{ client, file }]));
  });
  const found = await Promise.all(
    places.map(async ({ client, file }): Promise<FoundEntry | undefined> => {
      const known = { client: client.name, file, isSwitchedOff: false };
      let text = '';
      try {
        text = (await readConfigFile(file)).content?.text ?? '';
        const root = formatOf(client.format).parse(text);
        const entry = valueAt(root, serverPath(client, root));
        if (entry === undefined) return undefined;
        const isSwitchedOff = isObject(entry) && (entry.disabled === true || entry.enabled === false);
        const launch = launchIn(entry);
        return { ...known, isSwitchedOff, ...(launch && { launch }) };
      } catch (error) {
        // A file that cannot be read is none of our business unless it speaks of us.
        if (!(error instanceof ConnectError) || (text !== '' && !text.includes(SERVER_NAME))) return undefined;
        return { ...known, problem: error.message };
      }
    }),
  );
  return found.filter(each => each !== undefined);
}
