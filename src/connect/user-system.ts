/** The platform, the folders of the user and the environment, which determine where files are. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

export interface UserSystem {
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Folder in which desktop programs keep their settings. */
  configHome: string;
  /** Folder of packages from the Windows store. */
  packages: string;
  /** Working directory of the command. */
  cwd: string;
  join: (...parts: string[]) => string;
  exists: (path: string) => boolean;
}

export type Outside = Pick<UserSystem, 'environment'> & Partial<UserSystem>;

export function userSystem(outside: Outside): UserSystem {
  const { environment, platform = process.platform, home = homedir() } = outside;
  const { join } = platform === 'win32' ? win32 : posix;
  const local = environment.LOCALAPPDATA || join(home, 'AppData', 'Local');
  const configHomes: Partial<Record<NodeJS.Platform, string>> = {
    win32: environment.APPDATA || join(home, 'AppData', 'Roaming'),
    darwin: join(home, 'Library', 'Application Support'),
  };
  return {
    platform,
    home,
    configHome: configHomes[platform] ?? (environment.XDG_CONFIG_HOME || join(home, '.config')),
    packages: join(local, 'Packages'),
    cwd: process.cwd(),
    join,
    exists: existsSync,
    ...outside,
  };
}

/** Whether the PATH has a program of this name. */
export function hasProgram({ environment, platform, join, exists }: UserSystem, program: string): boolean {
  const isWindows = platform === 'win32';
  const folders = (environment.PATH ?? environment.Path ?? '').split(isWindows ? ';' : ':').filter(Boolean);
  const names = isWindows ? [`${program}.cmd`, `${program}.exe`] : [program];
  return folders.some(folder => names.some(name => exists(join(folder, name))));
}
