/** Reads the version of this package. */
import { readFileSync } from 'node:fs';

/** The manifest is two folders above this file, both in the sources and in the compiled code. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
