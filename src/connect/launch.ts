/** Chooses the command that a client starts. The command must survive updates, and desktop programs must find it. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A command with its arguments and environment. */
export interface Launch {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** The installation that this process runs from. */
export interface Running {
  /** Paths of the Node binary and of the script. */
  node: string;
  script: string;
  platform: NodeJS.Platform;
  exists: (path: string) => boolean;
}

export function runningNow(): Running {
  return {
    node: process.execPath,
    script: fileURLToPath(new URL('../../bin/engraph.js', import.meta.url)),
    platform: process.platform,
    exists: existsSync,
  };
}

/** Caches of package runners, which may be emptied at any time. */
const CACHES = /[/\\](?:_npx|dlx|dlx-[^/\\]+|bunx-[^/\\]+)[/\\]/;

/** Paths that change with an update, and the stable links that lead to the same programs. */
const STABLE_PATHS: readonly [RegExp, string][] = [
  [/^(.*)\/Cellar\/([^/]+)\/[^/]+\//, '$1/opt/$2/'],
  [/^\/snap\/([^/]+)\/\d+\//, '/snap/$1/current/'],
  [/([/\\])(?:node_modules[/\\])?\.pnpm[/\\][^/\\]+[/\\]node_modules[/\\]engraph[/\\]/, '$1node_modules$1engraph$1'],
];

/**
 * Uses absolute paths, because desktop programs often have no PATH. Paths in the cache of a package runner do not last,
 * so an installation in such a cache is started by `npx`.
 */
export function launchOf({ node, script, platform, exists }: Running): Pick<Launch, 'command' | 'args'> {
  if (CACHES.test(script)) {
    const npx = ['npx', '-y', 'engraph'];
    // Start npx through a shell on Windows, where npx is a script.
    const [command = '', ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
    return { command, args };
  }
  return { command: stable(node, exists), args: [stable(script, exists)] };
}

/** The command for files of a project. It contains no path, because other users have engraph at another path. */
export const SHARED_LAUNCH: Pick<Launch, 'command' | 'args'> = { command: 'engraph', args: [] };

function stable(path: string, exists: Running['exists']): string {
  const candidates = STABLE_PATHS.map(([pattern, replacement]) => path.replace(pattern, replacement));
  return candidates.find(candidate => candidate !== path && exists(candidate)) ?? path;
}
