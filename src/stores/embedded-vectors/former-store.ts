/** The folder in which earlier versions kept vectors. Engraph no longer brings the library that reads it. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'vectors';
/** Beginning of the names under which folders were set aside that could not be read. */
const SET_ASIDE = 'unreadable-';

/**
 * Removes them. Nothing is lost: vectors that a caller supplied stand with their memories, the others are made again.
 *
 * @returns whether there were any
 */
export function removeFormerStore(dataDir: string): boolean {
  const folder = join(dataDir, FOLDER);
  const isTheirs = existsSync(folder) && readdirSync(folder).some(name => name.startsWith('manifest'));
  const setAside = readdirSync(dataDir).filter(name => name.startsWith(SET_ASIDE));
  for (const name of [...(isTheirs ? [FOLDER] : []), ...setAside]) {
    rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  return isTheirs;
}
