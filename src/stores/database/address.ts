/** A database is opened by its path, or by an address that allows only reading. */
import { fileURLToPath, pathToFileURL } from 'node:url';

const PREFIX = 'file:';

/** The address of a file and its log, for reading only. */
export function readOnlyAddress(path: string): string {
  return `${pathToFileURL(path).href}?mode=ro`;
}

/** The address of a file without its log. Nothing is created beside the file, and nobody may write to it. */
export function unchangingAddress(path: string): string {
  return `${pathToFileURL(path).href}?immutable=1`;
}

export function isReadOnlyAddress(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** @returns the path of the file of an address, or the path itself */
export function pathOf(path: string): string {
  return isReadOnlyAddress(path) ? fileURLToPath(path.split('?')[0] ?? path) : path;
}
