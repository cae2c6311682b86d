/** Reads everything in a folder, so that a test can compare it with an earlier state. */
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Maps each path in the folder to the mode and content of a file, the target of a link, or the word `folder`. */
export async function folderContents(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true })).sort();
  const entries = await Promise.all(
    names.map(async name => {
      const path = join(folder, name);
      const state = await lstat(path);
      if (state.isSymbolicLink()) return [name, `-> ${await readlink(path)}`];
      if (!state.isFile()) return [name, 'folder'];
      return [name, `${(state.mode & 0o777).toString(8)} ${(await readFile(path)).toString('base64')}`];
    }),
  );
  return Object.fromEntries(entries);
}
