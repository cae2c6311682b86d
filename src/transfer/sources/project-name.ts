/** Finds the name of the project to which a folder belongs. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readBounded } from '../folder.js';
import { headOf } from '../head.js';

export interface Repository {
  root: string;
  name: string;
}

const GIT_FILE_MAX_BYTES = 1_048_576;
const SESSIONS_LOOKED_AT = 5;
const WORKING_FOLDER = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/g;
const GIT_LINK = 'gitdir:';
const REMOTE = /^\[remote "([^"]*)"\]\s*$/;
const URL = /^\s*url\s*=\s*(\S+)\s*$/;
/** The beginning of an encoded path that is above all projects: a home folder, and usual folders for code. */
const ABOVE_PROJECTS =
  /^(?:[A-Za-z]-)?-(?:(?:home|Users)-[^-]+|root)(?:-(?:code|dev|src|projects?|repos?|workspaces?|work|git|github|Documents|Desktop|Developer))*-/i;

/** Returns the repository that contains a folder: its root, and the name of its remote or else of its root folder. */
export async function repositoryOf(folder: string): Promise<Repository | undefined> {
  for (let root = resolve(folder); ; root = dirname(root)) {
    const config = await gitConfigOf(root);
    if (config) return { root, name: plain(nameInRemote(config.text) ?? basename(config.mainRoot)) };
    if (dirname(root) === root) return undefined;
  }
}

/** Returns the name of the project that was worked on in a folder, which may no longer exist. */
export async function projectNameOf(folder: string): Promise<string> {
  return (await repositoryOf(folder))?.name ?? plain(folder.split(/[\\/]/).findLast(part => part !== '') ?? folder);
}

/**
 * Returns the name of the project of a folder in `~/.claude/projects`. The name of that folder is the path of the project
 * with hyphens in place of all other characters. The path itself is in the session files.
 */
export async function projectOfClaudeFolder(folder: string): Promise<string> {
  const encoded = basename(folder);
  const worked = (await workedInFolder(folder)) ?? (await existingFolder(encoded));
  if (worked !== undefined) return projectNameOf(worked);
  return encoded.replace(ABOVE_PROJECTS, '').replace(/^-+/, '');
}

/** A name that is one level of a tag. */
function plain(name: string): string {
  return name.replace(/[:/\\,\s]+/g, '-');
}

function encode(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-');
}

async function workedInFolder(folder: string): Promise<string | undefined> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.jsonl'));
  const found: string[] = [];
  for (const name of names.slice(0, SESSIONS_LOOKED_AT)) {
    const head = await headOf(join(folder, name), 'utf8').catch(() => '');
    for (const [, text = ''] of head.matchAll(WORKING_FOLDER)) found.push(JSON.parse(text) as string);
  }
  return found.find(path => encode(path) === basename(folder)) ?? found[0];
}

/** Finds a folder on this machine whose encoded path is `encoded`. */
async function existingFolder(encoded: string, from = '/'): Promise<string | undefined> {
  if (encoded === '') return from;
  const names = encoded.startsWith('-') ? await readdir(from).catch(() => []) : [];
  for (const name of names) {
    const part = `-${encode(name)}`;
    if (encoded !== part && !encoded.startsWith(`${part}-`)) continue;
    const folder = join(from, name);
    if (!(await isFolder(folder))) continue;
    const found = await existingFolder(encoded.slice(part.length), folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
}

/** Returns the text of a repository's configuration. In a linked worktree, `.git` is a file that leads to it. */
async function gitConfigOf(root: string): Promise<{ text: string; mainRoot: string } | undefined> {
  const git = join(root, '.git');
  if (await isFolder(git)) return { text: (await textOf(join(git, 'config'))) ?? '', mainRoot: root };
  const link = (await textOf(git)) ?? '';
  if (!link.startsWith(GIT_LINK)) return undefined;
  const own = resolve(root, link.slice(GIT_LINK.length).trim());
  const common = await textOf(join(own, 'commondir'));
  const main = common === undefined ? own : resolve(own, common.trim());
  return { text: (await textOf(join(main, 'config'))) ?? '', mainRoot: common === undefined ? root : dirname(main) };
}

async function textOf(path: string): Promise<string | undefined> {
  return readBounded(path, GIT_FILE_MAX_BYTES).then(
    ({ bytes }) => bytes.toString('utf8'),
    () => undefined,
  );
}

/** Returns the name of the repository in the address of the remote `origin`, or else of the first remote. */
function nameInRemote(config: string): string | undefined {
  const names = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split('\n')) {
    if (line.trimStart().startsWith('[')) remote = REMOTE.exec(line.trim())?.[1];
    const url = remote === undefined ? undefined : URL.exec(line)?.[1];
    const name = url
      ?.split(/[/:\\]/)
      .findLast(part => part !== '')
      ?.replace(/\.git$/, '');
    if (remote !== undefined && name !== undefined && !names.has(remote)) names.set(remote, name);
  }
  return names.get('origin') ?? names.values().next().value;
}
