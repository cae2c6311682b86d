/** Reads where the memory is. A hook reads only this, because a host runs it at each prompt. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError, type Environment, type SettingReader, settingReader } from './setting-reader.js';

export interface MemoryPlace {
  /** The service that holds the memory. It is used instead of the memory in the data folder. */
  remote: RemoteSettings | undefined;
  dataDir: string;
  /** Whether to refuse all writes. */
  isReadOnly: boolean;
}

export interface RemoteSettings {
  /** The address of the service, without a trailing slash. */
  url: string;
  token: string | undefined;
  /** The admin token of this process. It is forwarded only for a caller that presents the same token. */
  adminToken: string | undefined;
}

/** Values of command line flags. They override the environment. */
export interface Flags {
  host?: string;
  port?: string;
  'data-dir'?: string;
  'accept-loss'?: boolean;
}

/** @throws ConfigError */
export function loadPlace(env: Environment, flags: Flags = {}): MemoryPlace {
  const read = settingReader(env);
  return {
    dataDir: folderAt(flags['data-dir'] ?? read.text('ENGRAPH_DATA_DIR') ?? defaultDataDir(env)),
    remote: readRemote(read),
    isReadOnly: read.flag('ENGRAPH_READ_ONLY', false),
  };
}

function readRemote(read: SettingReader): RemoteSettings | undefined {
  const url = read.url('ENGRAPH_URL');
  if (url === undefined) return undefined;
  if (/[?#]/.test(url)) {
    throw new ConfigError('ENGRAPH_URL must end with its path, without a query (?) or a fragment (#)');
  }
  return { url, token: read.secret('ENGRAPH_TOKEN'), adminToken: read.secret('ADMIN_API_TOKEN') };
}

/**
 * Makes the path of a folder absolute. A leading `~` is the home folder: no shell has replaced it in `--data-dir=~/x` or in
 * the configuration of a client.
 */
export function folderAt(path: string): string {
  return resolve(path.replace(/^~(?=[/\\]|$)/, () => homedir()));
}

/** The default data folder: the user's folder for application data on this platform. */
export function defaultDataDir(env: Environment): string {
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'engraph');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'engraph');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'engraph');
}

/**
 * The default data folder without `XDG_DATA_HOME`. Many clients do not pass on this variable, so what their hooks and every
 * shell have to find is here.
 */
export function fixedDataDir(env: Environment): string {
  return defaultDataDir({ ...env, XDG_DATA_HOME: undefined });
}
