/**
 * Makes one file of each package in `src/packages`, so that users install none of the many files that never run: source
 * maps, types, builds for browsers, and packages that a package asks for and does not need. Makes one script of the web page,
 * and one HTML file of the view that hosts of MCP Apps show.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const FOLDER = 'dist/packages';
const WEB_FOLDER = 'dist/web';
/** Parts of the page that need no bundling. */
const WEB_FILES = ['index.html', 'page.css'];
/** What the runtime of models loads beside itself. */
const BESIDE_RUNTIME = ['ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'];
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Of a package that names its licence without its text. Ours is the same. */
function usualText(name, license) {
  if (license !== 'MIT') throw new Error(`${name} has no file with the text of its licence ${license}`);
  return readFileSync('LICENSE', 'utf8')
    .replace(/^Copyright .*$/m, `Copyright (c) the authors of ${name}`)
    .trim();
}

/** The licences ask for it: their text goes with the code. */
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

/** One file without any other, because a host gives it no address to load from. Its policy runs this script and no other. */
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

// The command `rolldown` would print a line for each file, in the middle of an `npm install`.
await build([packages, page, view]);
