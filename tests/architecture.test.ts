/** Checks the source against the rules of ARCHITECTURE.md, and against the documented settings and decisions. */
import { describe, expect, test } from 'vitest';
import {
  importersOfConcreteStores,
  importViolations,
  LIMITS,
  LONG_FUNCTIONS,
  largeFunctions,
  longFiles,
  percentile,
  runtimeCycles,
  unneededExceptions,
  WORD_RULES,
  wordViolations,
} from './support/architecture-rules.js';
import {
  brokenPointers,
  DECISION_GROUPS,
  DECISION_LINKS,
  DECISIONS,
  listedOtherwise,
  namesByNumber,
} from './support/documented-decisions.js';
import { DOCUMENTED_VARIABLES, SETTINGS_READ } from './support/documented-settings.js';
import { installedPackages, isBundled, manifest, packagesOf, undeclaredPackages } from './support/package-rules.js';
import { parseSource, readSources, readText, type SourceFile } from './support/source-code.js';

const sources = readSources('src');
const everyFile = [...sources, ...readSources('tests')];

describe('imports', () => {
  test('follow the table of allowed imports', () => expect(importViolations(sources)).toEqual([]));
  test('load the date library only when needed', () => {
    const statically = sources.filter(({ path }) =>
      /^import (?!type )[^;]*\/packages\/chrono\.js'/m.test(readText(path)),
    );
    expect(statically.map(({ path }) => path)).toEqual([]);
  });
  test('have no cycle at run time', () => expect(runtimeCycles(sources)).toEqual([]));
  test('name concrete stores in the composition root only', () => {
    expect(importersOfConcreteStores(sources)).toEqual([
      'src/engine/open-stores.ts',
      // Reads a graph of another program through the connection of the store.
      'src/transfer/sources/automem-graph.ts',
    ]);
  });
  test('use only packages that the manifest declares', () =>
    expect(undeclaredPackages(sources, manifest())).toEqual([]));
  test('use every package that users install', () => {
    const used = new Set(packagesOf(sources).map(({ name }) => name));
    expect(Object.keys(installedPackages(manifest())).filter(name => !used.has(name))).toEqual([]);
  });
  test('do not require users to install a compiler or a package that is bundled', () => {
    const bundled = packagesOf(sources.filter(({ path }) => isBundled(path))).map(({ name }) => name);
    const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, { dev?: boolean }> };
    const installed = Object.entries(packages).flatMap(([path, { dev = false }]) =>
      dev ? [] : [path.replace('node_modules/', '')],
    );
    expect(installed).toContain('libsql');
    expect(installed.filter(name => ['typescript', ...bundled].includes(name))).toEqual([]);
  });
  test('in bin/engraph.js load only the command line', () => {
    expect(parseSource('bin/engraph.js', readText('bin/engraph.js')).imports).toEqual([
      { specifier: '../dist/cli/hook/main.js', isType: false },
      { specifier: '../dist/cli/main.js', isType: false },
    ]);
  });
});

describe('sizes', () => {
  test('of files are within the limit', () => expect(longFiles(everyFile)).toEqual([]));
  test('of files have a median and a 90th percentile within the limits', () => {
    expect(percentile(sources, 0.5)).toBeLessThanOrEqual(LIMITS.medianFile);
    expect(percentile(sources, 0.9)).toBeLessThanOrEqual(LIMITS.p90File);
  });
  test('of functions are within the limit', () => expect(largeFunctions(sources, LONG_FUNCTIONS)).toEqual([]));
  test('of functions have only exceptions that are needed', () => {
    const large = largeFunctions(sources).join('\n');
    expect(Object.keys(LONG_FUNCTIONS).filter(path => !large.includes(path))).toEqual([]);
  });
});

describe('forbidden words', () => {
  test.each(Object.keys(WORD_RULES))('%s', name => expect(wordViolations(sources, name)).toEqual([]));
  test.each(Object.keys(WORD_RULES))('the rule "%s" has only exceptions that are needed', name => {
    expect(unneededExceptions(sources, name)).toEqual([]);
  });
});

describe('settings', () => {
  test('are documented if and only if config.ts reads them', () => {
    expect([...DOCUMENTED_VARIABLES.keys()].sort()).toEqual([...SETTINGS_READ.keys()].sort());
  });
  test('have the defaults that the documents state', () => {
    for (const [name, fallback] of SETTINGS_READ) {
      if (fallback !== undefined) expect([name, DOCUMENTED_VARIABLES.get(name)]).toEqual([name, fallback]);
    }
  });
  test('in compose.yaml and the Dockerfile are settings that Engraph reads', () => {
    const [, service = ''] = /^ {2}engraph:\n((?: {4}.*\n)+)/m.exec(readText('compose.yaml')) ?? [];
    const [, image = ''] = /^ENV ([\s\S]*?)\nUSER/m.exec(readText('Dockerfile')) ?? [];
    const given = [...service.matchAll(/^ {6}([A-Z_]+):/gm), ...image.matchAll(/\b([A-Z_]+)=/g)].map(
      ([, name]) => name,
    );
    expect(given).toContain('FALKORDB_HOST');
    expect(given).toContain('ENGRAPH_DATA_DIR');
    expect(given.filter(name => name !== 'NODE_ENV' && !SETTINGS_READ.has(name ?? ''))).toEqual([]);
  });
});

describe('decisions', () => {
  const texts = everyFile.map(({ path }) => ({ path, text: readText(path) }));

  test('exist for every reference in the source and the tests', () => {
    expect(texts.flatMap(({ path, text }) => brokenPointers(path, text))).toEqual([]);
    expect(texts.filter(({ text }) => text.includes('docs/decisions.md, "Tags and commas"'))).not.toEqual([]);
  });
  test('are referenced by name, never by number', () => {
    expect(texts.filter(({ text }) => namesByNumber(text)).map(({ path }) => path)).toEqual([]);
  });
  test('are explained once, on the page that docs/decisions.md names', () => {
    expect(DECISION_LINKS.length).toBeGreaterThan(40);
    expect(DECISION_LINKS.length + DECISION_GROUPS.length).toBe(DECISIONS.size);
    expect(listedOtherwise()).toEqual([]);
  });
});

describe('the rules detect', () => {
  const inFile = (path: string, ...lines: string[]) => [parseSource(path, `${lines.join('\n')}\n`)];

  test.each([
    ['a part', "import { open } from '../engine/open.js';"],
    ['a value where only types are allowed', "import { LIST_ORDERS } from '../stores/graph-store.js';"],
    ['a type', "import type { Engine } from '../engine/engine.js';"],
    ['a re-export', "export * from '../insight/health.js';"],
    ['a side effect', "import '../log.js';"],
    ['names on several lines', "import {\n  a,\n  b,\n} from '../http/app.js';"],
    ['a dynamic import', "const load = () => import('../mcp/server.js');"],
    ['the type of a module', "type Database = typeof import('libsql');"],
    ['a computed import', 'const load = (name: string) => import(name);'],
    ['a package', "import Database from 'libsql';"],
    ['Node', "import { readFileSync } from 'node:fs';"],
  ])('a forbidden import: %s', (_, line) => expect(importViolations(inFile('src/recall/x.ts', line))).toHaveLength(1));

  test('a file that belongs to no part', () => {
    expect(importViolations(inFile('src/helpers/x.ts', 'export {};'))).toHaveLength(1);
  });

  test('a reference to a missing decision, and a reference by number', () => {
    const pointer = (heading: string) => `// (${'docs/decisions.md'}, "${heading}")`;
    expect(brokenPointers('x.ts', pointer('Tags and commas'))).toEqual([]);
    expect(brokenPointers('x.ts', pointer('Tags'))).toEqual(['x.ts: Tags']);
    expect([`(decisions ${'D6'})`, 'decisions made'].map(namesByNumber)).toEqual([true, false]);
  });

  test('a cycle of imports, unless one of the imports is of types only', () => {
    const a = (statement: string) => parseSource('src/recall/a.ts', `${statement} { b } from './b.js';\n`);
    const [b] = inFile('src/recall/b.ts', "export { a } from './a.js';") as [SourceFile];
    expect(runtimeCycles([a('import'), b])).toHaveLength(1);
    expect(runtimeCycles([a('import type'), b])).toEqual([]);
  });

  test('an import of a concrete store', () => {
    expect(
      importersOfConcreteStores(inFile('src/recall/x.ts', "import type { A } from '../stores/sqlite/a.js';")),
    ).toEqual(['src/recall/x.ts']);
  });

  test('a value import of a package that only developers install', () => {
    const file = inFile('src/log.ts', "import 'vitest/node';", "import type { A } from 'hono/b';");
    expect(undeclaredPackages(file, { devDependencies: { vitest: '1', hono: '1' } })).toHaveLength(1);
  });

  test.each([
    ['a long function', ['export function f(a: { b: string }): Map<string, { c: number }> {', ...filler(100), '}']],
    ['a long method', ['export class A {', '  async f(): Promise<void> {', ...filler(100), '  }', '}']],
    ['a long arrow', ['export const f = (a: string): (() => void) => {', ...filler(100), '};']],
    ['five parameters', ['export function f(a: X<B, C>, b = [1, 2], { c, d }: E, e: () => void, ...f: G[]): void {}']],
    ['five parameters of an arrow', ['export const f = (a, b, c, d, e) => a;']],
    ['five parameters of a method', ['export interface A {', '  f(a: B, b: B, c: B, d: B, e: B): Promise<void>;', '}']],
  ])('%s', (_, lines) => expect(largeFunctions(inFile('src/log.ts', ...lines))).toHaveLength(1));

  test.each([
    ['a long table', ['export const A = {', ...filler(100), '};']],
    ['a short function after a pattern', ["const A = /[{'`]/;", 'export function f(): void {}', ...filler(100)]],
    ['four parameters', ['export function f(a: X<B, C>, b: [1, 2], { c, d }: { c: E; d: F }, e: () => void): void {}']],
    ['five arguments', ['if (f(a, b, c, d, e)) {', '}']],
  ])('no violation in %s', (_, lines) => expect(largeFunctions(inFile('src/log.ts', ...lines))).toEqual([]));

  test('a long file', () => expect(longFiles(inFile('tests/x.test.ts', ...filler(401)))).toHaveLength(1));

  test.each([
    ['no any', 'src/log.ts', 'const a = b as any;'],
    ['no any', 'src/log.ts', 'const a: Record<string, any> = {};'],
    ['only config.ts reads the environment', 'src/log.ts', `const a = \`\${process.env.PORT}\`;`],
    ['only config.ts reads the environment', 'src/log.ts', 'const { env } = process;'],
    ['only the logger and the command line print', 'src/recall/x.ts', "console.log('x');"],
    ['only the logger and the command line print', 'src/http/x.ts', "process.stderr.write('x');"],
    ['only the composition root and the adapters know the time of day', 'src/recall/x.ts', 'const a = Date.now();'],
    ['only the composition root and the adapters know the time of day', 'src/domain/x.ts', 'const a = new Date();'],
    ['nothing outside the command line ends the process', 'src/http/x.ts', 'process.exit(1);'],
    ['no randomness but ids', 'src/recall/x.ts', 'const a = Math.random();'],
    ['the domain makes no ids', 'src/domain/x.ts', 'const a = randomUUID();'],
  ])('a breach of "%s" in %s', (rule, path, line) => expect(wordViolations(inFile(path, line), rule)).toHaveLength(1));

  test('forbidden words only outside comments and strings', () => {
    const lines = [
      '// any console.log',
      '/** process.env */',
      "const a = 'any';",
      `const b = \`any \${1} Date.now()\`;`,
    ];
    for (const name of Object.keys(WORD_RULES))
      expect(wordViolations(inFile('src/domain/x.ts', ...lines), name)).toEqual([]);
  });

  test('an exception that is not needed', () => {
    const path = 'src/mcp/stdio.ts';
    expect(unneededExceptions(inFile(path, 'export {};'), 'only the logger and the command line print')).toEqual([
      path,
    ]);
  });
});

function filler(count: number): string[] {
  return Array.from({ length: count }, () => '  a: 1,');
}
