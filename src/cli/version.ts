/** The version of this package. */
import { readFileSync } from 'node:fs';

/** Reads it from the manifest, which lies two folders up from source and compiled code alike. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
