/** The build bundles everything that starts a process or a thread. `npm test` has run the build before. */
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { readSources, readText } from '../support/source-code.js';

/** A path that code gives to a new thread or process. */
const STARTED = /new URL\('(\.\/[\w-]+\.js)', import\.meta\.url\)/g;
/** A relative import, static or dynamic. Comments of packages contain others, which load nothing. */
const IMPORTED = /(?:^(?:import|export)\b.*|(?:await|=>) import\()["'](\.[^"']+\.js)["']/gm;

function matchesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, found]) => found ?? []);
}

function startedFiles(): string[] {
  return readSources('src').flatMap(({ path }) =>
    matchesIn(readText(path), STARTED).map(file => posix.join(posix.dirname(path), file).replace(/^src/, 'dist')),
  );
}

/** The files that a compiled file may load, directly and indirectly. */
function loadedBy(path: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(path)) return loaded;
  loaded.add(path);
  for (const found of matchesIn(readText(path), IMPORTED)) loadedBy(posix.join(posix.dirname(path), found), loaded);
  return loaded;
}

const programs = ['dist/cli/main.js', ...startedFiles()];

test('threads and processes are found in the source', () => expect(programs).toHaveLength(6));

test.each(programs)('%s loads only bundled files', program => {
  const others = [...loadedBy(program)].filter(path => path !== program);
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter(path => !/^dist\/(?:shared|packages)\//.test(path))).toEqual([]);
});
