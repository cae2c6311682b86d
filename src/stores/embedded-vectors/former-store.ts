/**
 * The folder in which earlier versions kept vectors. Engraph no longer contains the library that could read this
 * folder.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'vectors';
/** The prefix that earlier versions gave to the names of folders that they could not read. */
const SET_ASIDE = 'unreadable-';

/**
 * Removes the folders of earlier versions. No data is lost: supplied vectors are stored with their memories, and all
 * other vectors are computed again.
 *
 * @returns whether an earlier version had kept vectors in the folder
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
