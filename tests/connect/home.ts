/** A home folder in which clients keep their files, for the tests of `engraph connect`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CLIENTS, type Client } from '../../src/connect/clients.js';
import { type Action, attempt } from '../../src/connect/connect.js';
import { Connections } from '../../src/connect/connections.js';
import { surroundingsOf } from '../../src/connect/surroundings.js';
import { type ConnectRequest, targetOf } from '../../src/connect/targets.js';
import { temporaryFolder } from '../cli/spawned-engraph.js';
import { folderContents } from '../support/folder-contents.js';

export const LAUNCH = { command: '/usr/bin/node', args: ['/opt/engraph/bin/engraph.js'], env: {} };

export function clientNamed(name: string): Client {
  const client = CLIENTS.find(each => each.name === name);
  if (client === undefined) throw new Error(`There is no client ${name}`);
  return client;
}

export async function makeHome() {
  const folder = await temporaryFolder();
  const here = surroundingsOf({ environment: {}, platform: 'linux', home: folder, cwd: join(folder, 'project') });
  const connections = new Connections(join(folder, '.local/share/engraph/connections.json'));
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
    run: (
      action: Action,
      name: string,
      more: Partial<ConnectRequest> & { isForced?: boolean; isDry?: boolean } = {},
    ) => {
      const { launch = LAUNCH, isForProject = false, isForced = false, isDry = false, withHooks = false } = more;
      const target = targetOf(clientNamed(name), here, { launch, isForProject, withHooks });
      if (target === undefined) throw new Error(`${name} keeps nothing in projects`);
      return attempt(target, { action, connections, isForced, isDry });
    },
    /** Everything in the home folder: the content and mode of each file, and the target of each link. */
    snapshot: () => folderContents(folder),
  };
}
