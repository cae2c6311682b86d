/** Opens the list of entries that `engraph connect` wrote. The list belongs to the user, not to one data folder. */
import { join } from 'node:path';
import { defaultDataDir, type Environment } from '../config.js';
import { Connections } from '../connect/connections.js';

export function openConnections(environment: Environment): Connections {
  return new Connections(join(defaultDataDir(environment), 'connections.json'));
}
