/**
 * Finds the project to which a folder belongs. The files of git are read without git, because the command that hosts run
 * with each prompt calls this function too.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

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

export interface ProjectPlaces {
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
  places: ProjectPlaces = { home: homeFolder(), temp: tmpdir() },
): Promise<Project | undefined> {
  if (!isAbsolute(folder)) return projectNamed(plain(folder.split(/[\\/]/).findLast(part => part !== '') ?? ''));
  const shared = await sharedFolders(places);
  const start = await realPathOf(folder);
  if (isShared(start, shared)) return undefined;
  const repository = await repositoryAround(start, shared);
  if (!repository) return projectNamed(plain(basename(start)));
  return projectOfRepository(repository, shared);
}

async function projectOfRepository(repository: Repository, shared: ProjectPlaces): Promise<Project | undefined> {
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
async function nameOfRemote(
  repository: Repository,
  shared: ProjectPlaces,
  clonesLeft: number,
): Promise<string | undefined> {
  const address = firstRemote((await textOf(repository.config)) ?? '');
  if (address === undefined) return undefined;
  const remote = remoteAddress(address, repository.root);
  if (!('folder' in remote)) return nameInAddress(remote.path).map(plain).join('/') || undefined;
  const canFollow = clonesLeft > 0 && isAbsolute(remote.folder);
  const origin = canFollow ? await repositoryAround(await realPathOf(remote.folder), shared) : undefined;
  const followed = origin && ((await nameOfRemote(origin, shared, clonesLeft - 1)) ?? origin.name);
  return followed?.split('/').map(plain).join('/') ?? (nameInAddress(remote.folder).map(plain).at(-1) || undefined);
}

async function repositoryAround(folder: string, shared: ProjectPlaces): Promise<Repository | undefined> {
  for (let root = folder; !isShared(root, shared); root = dirname(root)) {
    const repository = await repositoryIn(root);
    if (repository) return repository;
  }
  return undefined;
}

/** Whether a folder contains things that do not belong together. Every root of a file system is such a folder. */
function isShared(folder: string, { home, temp }: ProjectPlaces): boolean {
  return dirname(folder) === folder || folder === temp || home === folder || home.startsWith(`${folder}${sep}`);
}

async function sharedFolders({ home, temp }: ProjectPlaces): Promise<ProjectPlaces> {
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

interface Repository {
  /** Root folder of the worktree, or the folder of a repository without a worktree. */
  root: string;
  /** Name of the root folder of the main worktree, or of the repository itself if it has no worktree. */
  name: string;
  /** Path of the configuration that all worktrees share. */
  config: string;
}

const FILE_MAX_BYTES = 1_048_576;
const LINK = 'gitdir:';

/** Returns the repository whose worktree has this root folder, or that is in this folder itself. */
async function repositoryIn(folder: string): Promise<Repository | undefined> {
  const git = join(folder, '.git');
  const found = await kindOf(git);
  if (found === 'folder') return repository(folder, git, folder);
  if (found === 'file') return linked(folder, (await textOf(git)) ?? '');
  const isBare =
    (await kindOf(join(folder, 'HEAD'))) === 'file' && (await kindOf(join(folder, 'objects'))) === 'folder';
  return isBare ? repository(folder, folder) : undefined;
}

/** The file `.git` of a submodule or of a linked worktree contains the path of the repository. */
async function linked(root: string, text: string): Promise<Repository | undefined> {
  if (!text.startsWith(LINK)) return undefined;
  const own = resolve(root, text.slice(LINK.length).trim());
  const common = await commonFolder(own);
  return common === undefined ? repository(root, own, root) : repository(root, common);
}

/** Returns the folder that a linked worktree shares with the main one, and undefined for a main worktree. */
async function commonFolder(own: string): Promise<string | undefined> {
  const text = await textOf(join(own, 'commondir'));
  if (text !== undefined) return resolve(own, text.trim());
  // The main worktree was moved or is not visible, for example in a container. Its path still contains its name.
  return basename(dirname(own)) === 'worktrees' ? dirname(dirname(own)) : undefined;
}

/** @param main root folder of the main worktree, if it is known */
function repository(root: string, common: string, main?: string): Repository {
  return { root, name: basename(main ?? '') || nameOf(common), config: join(common, 'config') };
}

/** `shop/.git` and `shop/.bare` belong to the folder around them. `shop.git` is a repository without a worktree. */
function nameOf(common: string): string {
  const name = basename(common);
  return name.startsWith('.') ? basename(dirname(common)) : name.replace(/\.git$/, '');
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return 'folder';
  return found?.isFile() ? 'file' : undefined;
}

/** Returns undefined for a file that cannot be read or is too large. Pipes and devices are not opened. */
async function textOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > FILE_MAX_BYTES) return undefined;
  return readFile(path, 'utf8').catch(() => undefined);
}

/** Path on a server, or a folder of this machine. */
export type RemoteAddress = { path: string } | { folder: string };

const SECTION = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/;
const URL_LINE = /^\s*url\s*=\s*(.*)$/i;
/** A word that git passes to a helper, as in `ext::ssh host`. */
const HELPER = /^[a-z][\w+.-]*::/i;
const SCHEME = /^([a-z][\w+.-]*):\/\//i;
const DRIVE = /^[a-z]:[\\/]/i;
/** Address such as `git@host:owner/name.git`. */
const HOST_AND_PATH = /^((?:[^/\\:@]*@)?\[[^\]/\\]*\]|[^/\\:]*):(.*)$/;

/** Returns the address of the remote `origin`, or else of the first remote in the text of a configuration. */
function firstRemote(config: string): string | undefined {
  const addresses = new Map<string, string>();
  let remote: string | undefined;
  for (const whole of config.split(/\r?\n/)) {
    const section = SECTION.exec(whole);
    if (section) remote = section[1]?.toLowerCase() === 'remote' ? section[2] : undefined;
    const address = settingIn(URL_LINE.exec(section ? (section[3] ?? '') : whole)?.[1]);
    if (remote !== undefined && address !== '' && !addresses.has(remote)) addresses.set(remote, address);
  }
  return addresses.get('origin') ?? addresses.values().next().value;
}

/** A value may be quoted, and a comment may follow. */
function settingIn(text = ''): string {
  const [, quoted, plain = ''] = /^"((?:[^"\\]|\\.)*)"|^([^#;]*)/.exec(text.trim()) ?? [];
  return (quoted?.replace(/\\(.)/g, '$1') ?? plain).trim();
}

/** @param from folder to which a relative path belongs */
function remoteAddress(written: string, from: string): RemoteAddress {
  const address = written.replace(HELPER, '');
  const scheme = SCHEME.exec(address);
  if (scheme?.[1]?.toLowerCase() === 'file') return { folder: folderOf(address) };
  if (scheme) return { path: serverPath(address.slice(scheme[0].length)) };
  const [, host, path = ''] = DRIVE.test(address) ? [] : (HOST_AND_PATH.exec(address) ?? []);
  if (host === undefined) return { folder: DRIVE.test(address) ? address : resolve(from, address) };
  // `host` is only a user name if its password follows.
  const password = /^[^/]*@/.exec(path)?.[0];
  return { path: password === undefined ? path : path.slice(password.length).replace(/^[^/:]*:/, '') };
}

/** The path after host and port. What stands before a later `@` may be the rest of a password with a slash. */
function serverPath(afterScheme: string): string {
  const [, ...parts] = afterScheme.split(/[?#]/, 1)[0]?.split('/') ?? [];
  const users = parts.slice(0, -1).findLastIndex(part => part.includes('@'));
  return parts
    .slice(users + 1)
    .map(decoded)
    .join('/');
}

function folderOf(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    return serverPath(address.replace(SCHEME, ''));
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns the last two parts of a path, which are owner and name. Of nested groups only the last one counts, because the
 * addresses of one repository for SSH and for HTTP often begin differently.
 */
function nameInAddress(path: string): string[] {
  const parts = path.split(/[\\/]/).filter(part => !['', '.', '..', '_git'].includes(part));
  return parts.slice(-2).map((part, at, all) => (at === all.length - 1 ? part.replace(/\.git$/i, '') : part));
}
