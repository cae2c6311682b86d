/** Finds our entries in the files of clients, even entries that are not listed. */
import { readConfigFile } from './config-file.js';
import { ConnectError } from './connect-error.js';
import { valueAt } from './format.js';
import { formatOf } from './formats.js';
import { SERVER_NAME, type Target } from './targets.js';

/**
 * Returns the target if its file has an entry of the target. The path of the returned target is that of the file
 * itself, even if the given path is a symbolic link. If the file cannot be read or parsed but may have an entry,
 * returns the target as it is.
 *
 * @returns undefined for all other files
 */
export async function findStanding(target: Target): Promise<Target | undefined> {
  let text = '';
  try {
    const { path, content } = await readConfigFile(target.file);
    text = content?.text ?? '';
    const root = formatOf(target.format).parse(text);
    const isThere = target.pieces(root).some(piece => valueAt(root, piece.path) !== undefined);
    return isThere ? { ...target, file: path } : undefined;
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    return mayHoldEntry(text) ? target : undefined;
  }
}

/** Whether a file that cannot be parsed may have an entry of ours. The text is empty if it cannot even be read. */
export function mayHoldEntry(text: string): boolean {
  return text === '' || text.includes(SERVER_NAME);
}
