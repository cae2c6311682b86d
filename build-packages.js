/**
 * Makes `dist`, which has all files that users get. `npm install` runs this file in a checkout. With `--types` it also
 * copies the types of the library, which the compiler has written into `build`.
 *
 * Bundles the packages in `src/packages`, so that users do not install the many files that never run: source maps,
 * types, builds for browsers, and unneeded dependencies. Bundles the command line and its threads, because loading
 * their 700 files took half of the start, and the library with its client. Bundles the web page into one script, and the
 * view that hosts of MCP Apps show into one HTML file.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'rolldown';

const FOLDER = 'dist/packages';
const WEB_FOLDER = 'dist/web';
/** Files of the page that are copied unchanged. */
const WEB_FILES = ['index.html', 'page.css'];
/** Files that the model runtime loads from its own folder. */
const BESIDE_RUNTIME = ['ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'];
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** The licence text for a package that contains only the name of its licence. MIT is also the licence of Engraph. */
function usualText(name, license) {
  if (license !== 'MIT') throw new Error(`${name} has no file with the text of its licence ${license}`);
  return readFileSync('LICENSE', 'utf8')
    .replace(/^Copyright .*$/m, `Copyright (c) the authors of ${name}`)
    .trim();
}

/** Writes the licences of all bundled packages into one file. The licences require that their text is with the code. */
function writeLicences(moduleIds, target) {
  const folders = new Set(moduleIds.flatMap(id => PACKAGE_FOLDER.exec(id.replace(/^\0/, ''))?.[0] ?? []));
  const notices = [...folders].map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find(each => /^licen[cs]e/i.test(each));
    const text = file === undefined ? usualText(name, license) : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  writeFileSync(join(target, 'LICENSES.txt'), notices.sort().join(`\n${'-'.repeat(80)}\n\n`));
}

function modulesOf(output) {
  return Object.values(output).flatMap(({ moduleIds = [] }) => moduleIds);
}

/** Folders that other steps of the build fill. */
const FILLED_LATER = new Set(['web', 'types']);
/** Files that programs import: the exports of package.json. */
const LIBRARIES = ['index', 'client/client'];
/** Files that run as a process or a thread of their own. */
const PROGRAMS = [
  'cli/main',
  'cli/hook/main',
  'consolidation/groups/thread',
  'embedding/local/encoder-program',
  'stores/database/check-thread',
  'stores/embedded-vectors/thread',
];
const PACKAGES = readdirSync('src/packages')
  .filter(file => file.endsWith('.ts'))
  .map(file => `packages/${file.replace(/\.ts$/, '')}`);
const SOURCES = resolve('src');
/**
 * Packages that stay outside. `libsql` contains native code. `jsonc-parser` calls `require` through a parameter, which
 * the bundler does not follow. The others are bundles themselves, and the build would not find the licences of their
 * parts.
 */
const NOT_BUNDLED = ['libsql', 'jsonc-parser', 'tar', '@secretlint/secretlint-rule-preset-recommend'];
const MODULE_URL = /(["'`])module-url:(.*?)\1/g;

/** The path with `/`, also on Windows. */
const pathFrom = (folder, file) => relative(folder, file).replaceAll('\\', '/');

/** Each bundle has the name of its source. */
const code = {
  input: Object.fromEntries([...PROGRAMS, ...LIBRARIES, ...PACKAGES].map(name => [name, join(SOURCES, `${name}.ts`)])),
  platform: 'node',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  external: NOT_BUNDLED,
  output: {
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
    // A process that runs during an update may load new files. In these, a short name could mean another function.
    minifyInternalExports: false,
  },
  plugins: [
    {
      name: 'paths-relative-to-the-source',
      // Code finds other files relative to its own file. A bundle is in another folder, so these paths are rewritten.
      transform(text, id) {
        if (!id.startsWith(SOURCES)) return undefined;
        const place = `new URL("module-url:${pathFrom(SOURCES, id)}", import.meta.url).href`;
        return text.replaceAll('import.meta.url', place);
      },
      renderChunk: (text, { fileName }) =>
        text.replace(MODULE_URL, (_, _quote, file) => JSON.stringify(pathFrom(dirname(fileName), file))),
    },
    {
      name: 'what-goes-with-the-code',
      // Runs before the new files are written. The files of the last build may have other names.
      generateBundle: () => {
        const made = existsSync('dist') ? readdirSync('dist').filter(name => !FILLED_LATER.has(name)) : [];
        for (const name of made) rmSync(join('dist', name), { recursive: true });
      },
      writeBundle(_options, output) {
        writeLicences(modulesOf(output), 'dist');
        for (const file of BESIDE_RUNTIME)
          copyFileSync(`node_modules/onnxruntime-web/dist/${file}`, join(FOLDER, file));
      },
    },
  ],
};

const page = {
  input: { page: 'src/web/main.ts' },
  platform: 'browser',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  output: { dir: WEB_FOLDER, entryFileNames: '[name].js', minify: true },
  plugins: [
    {
      name: 'what-goes-with-the-page',
      writeBundle(_options, output) {
        writeLicences(modulesOf(output), WEB_FOLDER);
        for (const file of WEB_FILES) copyFileSync(join('src/web', file), join(WEB_FOLDER, file));
      },
    },
  ],
};

/** Makes the view one file, because hosts give it no address for other files. Its policy allows only this script. */
function writeView() {
  const script = readFileSync(join(WEB_FOLDER, 'view.js'), 'utf8')
    .trim()
    .replace(/<(?=\/script|!--)/gi, '\\x3c');
  const hash = createHash('sha256').update(script).digest('base64');
  const style = ['page.css', 'view/view.css'].map(file => readFileSync(join('src/web', file), 'utf8')).join('');
  const parts = [
    ["script-src 'self'", `script-src 'sha256-${hash}'`],
    ['<link rel="stylesheet" href="view.css">', `<style>${style}</style>`],
    ['<script type="module" src="view.js">', `<script type="module">${script}`],
  ];
  let html = readFileSync('src/web/view/view.html', 'utf8');
  for (const [place, part] of parts) {
    if (!html.includes(place)) throw new Error(`view.html has no ${place}`);
    html = html.replace(place, () => part);
  }
  writeFileSync(join(WEB_FOLDER, 'view.html'), html);
  rmSync(join(WEB_FOLDER, 'view.js'));
}

const view = {
  input: { view: 'src/web/view/main.ts' },
  platform: 'browser',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  transform: { define: { ENGRAPH_VERSION: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version) } },
  output: { dir: WEB_FOLDER, entryFileNames: '[name].js', minify: true },
  plugins: [{ name: 'view-as-one-file', writeBundle: writeView }],
};

/** Copies the types of the libraries, and the types that these import. */
function copyTypes() {
  const copied = new Set();
  const copy = name => {
    if (copied.has(name)) return;
    copied.add(name);
    const file = join('build', `${name}.d.ts`);
    cpSync(file, join('dist/types', `${name}.d.ts`));
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\()["'](\.[^"']+)\.js["']/g))
      copy(join(dirname(name), path));
  };
  rmSync('dist/types', { recursive: true, force: true });
  for (const name of LIBRARIES) copy(name);
}

const startedMs = performance.now();
process.stdout.write('Building the command line, the library and the web page of Engraph. This takes some seconds.\n');
// Use the API, because the command `rolldown` would print a line for each file during `npm install`.
await build([code, page, view]);
if (process.argv.includes('--types')) copyTypes();
process.stdout.write(`Built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.\n`);
