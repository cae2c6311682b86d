/**
 * Finds the project to which a folder belongs. The files of git are read without git, because the command that hosts run
 * with each prompt calls this function too.
 */
import { realpath } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, sep } from 'node:path';
import { type Repository, repositoryIn, textOf } from './git-files.js';
import { firstRemote, nameInAddress, remoteAddress } from './remote.js';

export interface Project {
  /** In lower case: `owner/name` of the remote repository, or the name of a folder. */
  name: string;
  /**
   * Names under which memories of the project may have been stored before: the names of the root folder and of the
   * worktree, and the name of the remote repository without its owner. `name` is not one of them.
   */
  formerNames: readonly string[];
  /** Root folder of the worktree. Undefined if the folder does not belong to a repository. */
  root?: string;
}

export interface Places {
  /** Home folder of the user. */
  home: string;
  /** Folder for temporary files. */
  temp: string;
}

/** A clone may be the clone of a clone on the same machine. Its project is the project of the first one. */
const CLONES_FOLLOWED = 3;
/** Maximum number of characters of an owner or a name. */
const PART_MAX_LENGTH = 100;

/**
 * Returns the project of a folder, which need not exist. The same project is found in every subfolder and worktree of a
 * repository, and in every clone of it. Settings of git that include other files are ignored.
 *
 * @param folder an absolute path. Of another path, such as a path of another machine, only the last part is used
 * @returns undefined for the home folder, the folders above it, and the folder for temporary files, which belong to no
 * project. Never rejects
 */
export async function projectOf(
  folder: string,
  places: Places = { home: homeFolder(), temp: tmpdir() },
): Promise<Project | undefined> {
  if (!isAbsolute(folder)) return projectNamed(plain(folder.split(/[\\/]/).findLast(part => part !== '') ?? ''));
  const shared = await sharedFolders(places);
  const start = await realPathOf(folder);
  if (isShared(start, shared)) return undefined;
  const repository = await repositoryAround(start, shared);
  if (!repository) return projectNamed(plain(basename(start)));
  return projectOfRepository(repository, shared);
}

async function projectOfRepository(repository: Repository, shared: Places): Promise<Project | undefined> {
  const remote = await nameOfRemote(repository, shared, CLONES_FOLLOWED);
  const rootName = plain(repository.name);
  const name = remote ?? rootName;
  const former = [plain(basename(repository.root)), rootName, ...(remote === undefined ? [] : [lastPart(remote)])];
  const project = projectNamed(name, former);
  return project && { ...project, root: repository.root };
}

function projectNamed(name: string, former: readonly string[] = []): Project | undefined {
  if (name === '') return undefined;
  return { name, formerNames: [...new Set(former)].filter(each => each !== name && each !== '') };
}

/** Returns `owner/name` of the remote repository. The remote of a local clone is followed to the first repository. */
async function nameOfRemote(repository: Repository, shared: Places, clonesLeft: number): Promise<string | undefined> {
  const address = firstRemote((await textOf(repository.config)) ?? '');
  if (address === undefined) return undefined;
  const remote = remoteAddress(address, repository.root);
  if (!('folder' in remote)) return nameInAddress(remote.path).map(plain).join('/') || undefined;
  const canFollow = clonesLeft > 0 && isAbsolute(remote.folder);
  const origin = canFollow ? await repositoryAround(await realPathOf(remote.folder), shared) : undefined;
  const followed = origin && ((await nameOfRemote(origin, shared, clonesLeft - 1)) ?? origin.name);
  return followed?.split('/').map(plain).join('/') ?? (nameInAddress(remote.folder).map(plain).at(-1) || undefined);
}

async function repositoryAround(folder: string, shared: Places): Promise<Repository | undefined> {
  for (let root = folder; !isShared(root, shared); root = dirname(root)) {
    const repository = await repositoryIn(root);
    if (repository) return repository;
  }
  return undefined;
}

/** Whether a folder contains things that do not belong together. Every root of a file system is such a folder. */
function isShared(folder: string, { home, temp }: Places): boolean {
  return dirname(folder) === folder || folder === temp || home === folder || home.startsWith(`${folder}${sep}`);
}

async function sharedFolders({ home, temp }: Places): Promise<Places> {
  return { home: await realPathOf(home), temp: await realPathOf(temp) };
}

/** Returns the path without symbolic links, as far as its folders exist. */
async function realPathOf(path: string): Promise<string> {
  const known = await realpath(path).catch(() => undefined);
  if (known !== undefined || dirname(path) === path) return known ?? path;
  const above = await realPathOf(dirname(path));
  return above.endsWith(sep) ? `${above}${basename(path)}` : `${above}${sep}${basename(path)}`;
}

/** A user without an entry in the list of users has no home folder, for example in a container. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return tmpdir();
  }
}

/** A name that is one level of a tag. */
function plain(name: string): string {
  const allowed = name
    .trim()
    .toLowerCase()
    .replace(/[:/\\,\s\p{C}]+/gu, '-');
  return [...allowed].slice(0, PART_MAX_LENGTH).join('');
}

function lastPart(name: string): string {
  return name.split('/').at(-1) as string;
}
