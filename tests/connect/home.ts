/** A home folder in which clients keep their files, for the tests of `engraph connect`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CLIENTS, type ConnectedClient } from '../../src/connect/clients.js';
import { userSystem } from '../../src/connect/config-file.js';
import { type Action, attemptEach, type ConnectResult } from '../../src/connect/connect.js';
import { WrittenEntryList } from '../../src/connect/connections.js';
import { targetsToClear } from '../../src/connect/removal.js';
import { type ConnectRequest, type Target, targetsOf } from '../../src/connect/targets.js';
import { temporaryFolder } from '../cli/spawned-engraph.js';
import { folderContents } from '../support/folder-contents.js';

export const LAUNCH = { command: '/usr/bin/node', args: ['/opt/engraph/bin/engraph.js'], env: {} };

export function clientNamed(name: string): ConnectedClient {
  const client = CLIENTS.find(each => each.name === name);
  if (client === undefined) throw new Error(`There is no client ${name}`);
  return client;
}

type RunOptions = Partial<ConnectRequest> & { isForced?: boolean; isDry?: boolean };

export async function makeHome() {
  const folder = await temporaryFolder();
  const here = userSystem({ environment: {}, platform: 'linux', home: folder, cwd: join(folder, 'project') });
  const connections = new WrittenEntryList(join(folder, '.local/share/engraph/connections.json'));
  const runAll = async (action: Action, targets: readonly Target[], more: RunOptions): Promise<ConnectResult[]> => {
    const { isForced = false, isDry = false } = more;
    const results: ConnectResult[] = [];
    for (const target of targets) results.push(await attemptEach(target, { action, connections, isForced, isDry }));
    return results;
  };
  const requestOf = ({ launch = LAUNCH, isForProject = false, withHooks = false }: RunOptions): ConnectRequest => {
    return { launch, isForProject, withHooks };
  };
  return {
    folder,
    here,
    connections,
    path: (name: string) => join(folder, name),
    write: async (name: string, content: string | Buffer) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    },
    read: (name: string) => readFile(join(folder, name), 'utf8'),
    /** The result for the file of the server's entry. */
    run: async (action: Action, name: string, more: RunOptions = {}): Promise<ConnectResult> => {
      const targets = targetsOf(clientNamed(name), here, requestOf(more));
      const [first] = await runAll(action, targets.slice(0, 1), more);
      if (first === undefined) throw new Error(`${name} keeps nothing in projects`);
      return first;
    },
    /** The results for all files of the client. */
    connect: (name: string, more: RunOptions = {}) =>
      runAll('connect', targetsOf(clientNamed(name), here, requestOf(more)), more),
    clear: async (name: string, more: RunOptions = {}) => {
      const request = { ...requestOf(more), named: [clientNamed(name)] };
      return runAll('remove', await targetsToClear(await connections.all(), here, request), more);
    },
    /** Everything in the home folder: the content and mode of each file, and the target of each link. */
    snapshot: () => folderContents(folder),
  };
}
