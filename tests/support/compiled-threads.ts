/**
 * Threads need compiled files, but the tests run sources that are not compiled. Threads therefore run the files in
 * `dist`, which `npm test` built before.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
const BUILT = new URL('../../dist/', import.meta.url);
const THREAD_FILE = /new URL\('(\.\/[\w-]+\.js)', import\.meta\.url\)/g;

export function compiledThreads(): Plugin {
  return {
    name: 'compiled-threads',
    enforce: 'pre',
    transform: (code, id) => {
      if (!id.startsWith(SOURCES)) return undefined;
      const beside = new URL(relative(SOURCES, id), BUILT).href;
      return code.replace(THREAD_FILE, (_, file: string) => `new URL('${file}', '${beside}')`);
    },
  };
}
