/** Finds the project to which the memories in a folder of Claude Code belong. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { projectOf } from '../../project/project.js';
import { headOf } from '../head.js';

const SESSIONS_LOOKED_AT = 5;
const WORKING_FOLDER = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/g;
/** The beginning of an encoded path that is above all projects: a home folder, and usual folders for code. */
const ABOVE_PROJECTS =
  /^(?:[A-Za-z]-)?-(?:(?:home|Users)-[^-]+|root)(?:-(?:code|dev|src|projects?|repos?|workspaces?|work|git|github|Documents|Desktop|Developer))*(?:-|$)/i;

/**
 * Returns the name of the project of a folder in `~/.claude/projects`, and undefined for the home folder. The name of
 * that folder is the path of the project with hyphens in place of all other characters. The path itself is in the
 * session files.
 */
export async function projectOfClaudeFolder(folder: string): Promise<string | undefined> {
  const encoded = basename(folder);
  const worked = (await workedInFolder(folder)) ?? (await existingFolder(encoded));
  if (worked !== undefined) return (await projectOf(worked))?.name;
  return encoded.replace(ABOVE_PROJECTS, '').replace(/^-+/, '').toLowerCase() || undefined;
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
