/**
 * Bundles each package in `src/packages` into one file, so that users do not install the many files that never run:
 * source maps, types, builds for browsers, and unneeded dependencies. Bundles the web page into one script, and
 * the view that hosts of MCP Apps show into one HTML file.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

const packages = {
  input: readdirSync(FOLDER)
    .filter(file => file.endsWith('.js') && existsSync(join('src/packages', file.replace(/js$/, 'ts'))))
    .map(file => join(FOLDER, file)),
  platform: 'node',
  output: { dir: FOLDER, entryFileNames: '[name].js', chunkFileNames: 'shared/[name].js' },
  plugins: [
    {
      name: 'what-goes-with-the-packages',
      writeBundle(_options, output) {
        writeLicences(modulesOf(output), FOLDER);
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

// Use the API, because the command `rolldown` would print a line for each file during `npm install`.
await build([packages, page, view]);
