/**
 * Finds the folders in which Claude Code stores its memories, `~/.claude/projects/<encoded path>/memory`, and the project
 * to which they belong.
 */
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { projectOf } from '../../project/project.js';
import { headOf } from '../files.js';

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

const WORKING_FOLDER = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/g;
/** The beginning of an encoded path that is above all projects: a home folder, and usual folders for code. */
const ABOVE_PROJECTS =
  /^(?:[A-Za-z]-)?-(?:(?:home|Users)-[^-]+|root)(?:-(?:code|dev|src|projects?|repos?|workspaces?|work|git|github|Documents|Desktop|Developer))*(?:-|$)/i;

/**
 * Returns the name of the project of a folder in `~/.claude/projects`, and undefined for the home folder. The name of
 * that folder is the path of the project with hyphens in place of all other characters. The path itself is in the
 * session files.
 */
async function projectOfClaudeFolder(folder: string): Promise<string | undefined> {
  const encoded = basename(folder);
  const worked = (await workedInFolder(folder)) ?? (await existingFolder(encoded));
  if (worked !== undefined) return (await projectOf(worked))?.name;
  return encoded.replace(ABOVE_PROJECTS, '').replace(/^-+/, '').toLowerCase() || undefined;
}

function encode(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-');
}

async function workedInFolder(folder: string): Promise<string | undefined> {
  let first: string | undefined;
  for (const name of (await readdir(folder)).filter(each => each.endsWith('.jsonl'))) {
    const head = await headOf(join(folder, name), 'utf8').catch(() => '');
    const paths = Array.from(head.matchAll(WORKING_FOLDER), ([, text = '']) => JSON.parse(text) as string);
    const own = paths.find(path => encode(path) === basename(folder));
    if (own !== undefined) return own;
    first ??= paths[0];
  }
  return first;
}

/** Finds a folder on this machine whose encoded path is `encoded`. */
async function existingFolder(encoded: string, from = '/'): Promise<string | undefined> {
  if (encoded === '') return from;
  const names = encoded.startsWith('-') ? await readdir(from).catch(() => []) : [];
  for (const name of names) {
    const part = `-${encode(name)}`;
    if (encoded !== part && !encoded.startsWith(`${part}-`)) continue;
    const folder = join(from, name);
    if (!(await leadsToFolder(folder))) continue;
    const found = await existingFolder(encoded.slice(part.length), folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function leadsToFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
}
