/** Finds the folders in which Claude Code stores its memories: `~/.claude/projects/<encoded path>/memory`. */
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { projectOf } from '../../project/project.js';
import { projectOfClaudeFolder } from './claude-folder-project.js';

export interface ClaudeMemoryFolder {
  folder: string;
  /** Encoded path of the project. Undefined for a folder that lies elsewhere. */
  encoded?: string;
  project?: string;
}

const MEMORY = 'memory';
const PROJECTS = 'projects';
/** An absolute path with hyphens in place of all characters other than letters and digits. */
const ENCODED_PATH = /^(?:-|[A-Za-z]--)/;

/**
 * Accepts `~/.claude`, the folder of all projects, the folder of one project, a folder of memories, or one of its files.
 * Projects without memories are left out.
 */
export async function claudeMemoryFolders(path: string): Promise<ClaudeMemoryFolder[]> {
  const whole = resolve(path);
  if (!(await stat(whole)).isDirectory()) return [{ folder: whole, ...(await projectAround(dirname(whole))) }];
  const names = await readdir(whole);
  if (await isFolder(join(whole, PROJECTS))) return claudeMemoryFolders(join(whole, PROJECTS));
  if (await isFolder(join(whole, MEMORY))) {
    const folder = join(whole, MEMORY);
    return [{ folder, ...(await projectAround(folder)) }];
  }
  const folders: ClaudeMemoryFolder[] = [];
  for (const name of names.sort()) {
    const folder = join(whole, name, MEMORY);
    if (await isFolder(folder)) folders.push({ folder, ...(await projectAround(folder)) });
  }
  return folders.length > 0 ? folders : [{ folder: whole, ...(await projectAround(whole)) }];
}

/** Whether a folder is one of those that contain folders of memories. */
export async function hasClaudeMemories(path: string): Promise<boolean> {
  const folders = await claudeMemoryFolders(path);
  return folders.some(({ folder }) => folder !== resolve(path));
}

async function projectAround(folder: string): Promise<Pick<ClaudeMemoryFolder, 'encoded' | 'project'>> {
  const around = dirname(folder);
  if (basename(folder) !== MEMORY) return {};
  const encoded = basename(around);
  const isEncoded = ENCODED_PATH.test(encoded);
  const project = isEncoded ? await projectOfClaudeFolder(around) : (await projectOf(around))?.name;
  return { ...(isEncoded && { encoded }), ...(project !== undefined && { project }) };
}

/** Whether a path is a folder, and not a symbolic link to one. */
async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    found => found.isDirectory(),
    () => false,
  );
}
