/** The build bundles every file that runs as a process or a thread. `npm test` has run the build before. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { readSources, readText } from '../support/source-code.js';

/** A path that code gives to a new thread or process. */
const STARTED = /new URL\('(\.\/[\w-]+\.js)', import\.meta\.url\)/g;
/** An import, static or dynamic. Imports in comments of packages are not matched, because they load nothing. */
const IMPORTED = /(?:^(?:import|export)\b.*|(?:await|=>) import\()["'](\.[^"']+\.js|[\w@][^"']*)["']/gm;
/** Packages that `build-packages.js` does not bundle, and an optional package that the client of FalkorDB looks for. */
const NOT_BUNDLED = [
  ...['libsql', 'jsonc-parser', 'tar', '@secretlint/secretlint-rule-preset-recommend'],
  '@node-rs/xxhash',
];

function matchesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, found]) => found ?? []);
}

function startedFiles(): string[] {
  return readSources('src').flatMap(({ path }) =>
    matchesIn(readText(path), STARTED).map(file => posix.join(posix.dirname(path), file).replace(/^src/, 'dist')),
  );
}

interface Loaded {
  files: Set<string>;
  packages: Set<string>;
}

/** Adds what a compiled file may load, directly and indirectly. */
function addLoaded(path: string, loaded: Loaded): Loaded {
  if (loaded.files.has(path)) return loaded;
  loaded.files.add(path);
  for (const found of matchesIn(readText(path), IMPORTED)) {
    if (found.startsWith('.')) addLoaded(posix.join(posix.dirname(path), found), loaded);
    else if (!isBuiltin(found)) loaded.packages.add(found);
  }
  return loaded;
}

const programs = ['dist/cli/main.js', ...startedFiles()];

const libraries = ['dist/index.js', 'dist/client/client.js'];

test('threads and processes are found in the source', () => expect(programs).toHaveLength(6));

test.each([...programs, ...libraries])('%s loads only bundled files and few packages', program => {
  const { files, packages } = addLoaded(program, { files: new Set(), packages: new Set() });
  files.delete(program);
  expect(files.size).toBeGreaterThan(0);
  expect([...files].filter(path => !/^dist\/(?:shared|packages)\//.test(path))).toEqual([]);
  expect([...packages].filter(name => !NOT_BUNDLED.includes(name))).toEqual([]);
  // The build replaces such addresses of modules by relative paths.
  expect([...files].filter(path => readText(path).includes('module-url:'))).toEqual([]);
});
