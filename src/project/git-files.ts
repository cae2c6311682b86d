/** Reads where the files of a git repository are. */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

export interface Repository {
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
export async function repositoryIn(folder: string): Promise<Repository | undefined> {
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
export async function textOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > FILE_MAX_BYTES) return undefined;
  return readFile(path, 'utf8').catch(() => undefined);
}
