/** Refuses a path that cannot be imported, with a sentence that names the path. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { MemoryError } from '../domain/errors.js';
import { headOf } from './head.js';

const UTF16_MARKS = ['\u00ff\u00fe', '\u00fe\u00ff'];
const DENIED = ['EACCES', 'EPERM'];

/**
 * @returns whether the path is a file or a folder
 * @throws MemoryError `invalid` for a path that does not exist, may not be read, is empty, or is a device or a pipe
 */
export async function checkPath(path: string): Promise<'file' | 'folder'> {
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory()) {
      throw new MemoryError('invalid', `${path} is neither a file nor a folder`, {
        hint: 'An import reads its source several times: save the data in a file first.',
      });
    }
    await access(path, found.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
    if (found.isDirectory()) return 'folder';
    if ((await headOf(path)).replace(/^ï»¿/, '').trim() === '') throw new MemoryError('invalid', `${path} is empty`);
    return 'file';
  } catch (error) {
    throw asSentence(error, path);
  }
}

/** Turns an error of the file system about a path into a sentence. Passes all other errors on. */
export function asSentence(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof MemoryError || typeof code !== 'string') return error;
  if (code === 'ENOENT' || code === 'ENOTDIR') return new MemoryError('invalid', `There is no file or folder ${path}`);
  if (DENIED.includes(code)) return new MemoryError('invalid', `${path} cannot be read: permission denied`);
  return new MemoryError('invalid', `${path} cannot be read: ${message}`, { cause: error });
}

/** @throws MemoryError `invalid` for the beginning of a file that is not text in UTF-8 */
export function assertText(path: string, head: string): void {
  if (UTF16_MARKS.some(mark => head.startsWith(mark)) || isUtf16WithoutMark(head)) {
    throw new MemoryError('invalid', `${path} is text in UTF-16`, { hint: 'Save it in UTF-8.' });
  }
  if (head.includes('\0')) throw new MemoryError('invalid', `${path} is a binary file of an unknown format`);
}

function isUtf16WithoutMark(head: string): boolean {
  const start = head.slice(0, 64);
  const zeros = [...start].filter(character => character === '\0').length;
  return start.length >= 8 && Math.abs(zeros - start.length / 2) <= 1;
}

/** Whether a file is a table (CSV): the first lines have the same number of the same separator, outside of quotation marks. */
export function isTable(head: string): boolean {
  const [first = '', second = ''] = head.split(/\r?\n/, 2).map(line => line.replaceAll(/"[^"]*"/g, ''));
  return [',', ';', '\t'].some(separator => {
    const columns = first.split(separator).length;
    return columns > 1 && columns === second.split(separator).length;
  });
}
