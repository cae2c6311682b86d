/** Which command a client is told to start: one that will still be there tomorrow, and that a desktop program finds. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A command as clients start it. */
export interface Launch {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Where this process runs from. */
export interface Running {
  /** The program that runs Node, and the script that it was given. */
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

/** Folders that package runners fill and empty as they like. */
const CACHES = /[/\\](?:_npx|dlx|dlx-[^/\\]+|bunx-[^/\\]+)[/\\]/;

/** Paths that change with an update, and the links beside them that do not. */
const STABLE_PATHS: readonly [RegExp, string][] = [
  [/^(.*)\/Cellar\/([^/]+)\/[^/]+\//, '$1/opt/$2/'],
  [/^\/snap\/([^/]+)\/\d+\//, '/snap/$1/current/'],
  [/([/\\])(?:node_modules[/\\])?\.pnpm[/\\][^/\\]+[/\\]node_modules[/\\]engraph[/\\]/, '$1node_modules$1engraph$1'],
];

/**
 * Absolute paths, because programs that are started from a desktop often know no PATH. Out of the cache of `npx` nothing
 * can be named that stays, so that `npx` is asked again.
 */
export function launchOf({ node, script, platform, exists }: Running): Pick<Launch, 'command' | 'args'> {
  if (CACHES.test(script)) {
    const npx = ['npx', '-y', 'engraph'];
    // Without a shell Windows starts no scripts, and npx is one.
    const [command = '', ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
    return { command, args };
  }
  return { command: stable(node, exists), args: [stable(script, exists)] };
}

/** For a file that others read on their machines: they have the command, but hardly at the same place. */
export const SHARED_LAUNCH: Pick<Launch, 'command' | 'args'> = { command: 'engraph', args: [] };

function stable(path: string, exists: Running['exists']): string {
  const candidates = STABLE_PATHS.map(([pattern, replacement]) => path.replace(pattern, replacement));
  return candidates.find(candidate => candidate !== path && exists(candidate)) ?? path;
}
