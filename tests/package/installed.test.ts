/** The package as users get it: packed, fetched by npx into a clean folder, and started. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/**
 * Upper bound for the installation, without the model of 23 MB that the first start downloads. README.md states that
 * the installation takes 83 MB on Linux.
 */
const MAX_INSTALLED_BYTES = 100_000_000;
/** The limit is long, because npm downloads everything again. */
const INSTALL_TIMEOUT_MS = 120_000;

/** Each module is in the package once. Its compiled files beside the bundles would be more than a thousand. */
const MAX_FILES = 300;
const { exports: EXPORTS } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, { types: string; default: string }>;
};

const run = promisify(execFile);
const folder = temporaryFolder();
/**
 * The environment of this process without the variables of Engraph and of the running npm command. The npm
 * configuration stays, because it names the sources of packages.
 */
const environment: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && !/^(?:npm_(?!config_)|INIT_CWD|NODE_PATH|ENGRAPH)/i.test(name) ? [[name, value]] : [],
    ),
  ),
  npm_config_cache: join(folder.path, 'cache'),
  npm_config_ignore_scripts: 'true',
  EMBEDDING_PROVIDER: 'hash',
};
let tarball = '';
let files: string[] = [];
/** Output of the first npx call, which also fetched the package. */
let printed = '';

function npx(...args: string[]) {
  return ['--yes', `--package=${tarball}`, 'engraph', ...args];
}

/** Size of all files in a folder. Links are not followed. */
function bytesIn(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .reduce((total, { parentPath, name }) => total + statSync(join(parentPath, name)).size, 0);
}

beforeAll(async () => {
  // Packs without scripts, because scripts would rebuild files that other tests use.
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.path];
  const { stdout } = await run('npm', args, { cwd: ROOT, maxBuffer: 10_000_000 });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  tarball = join(folder.path, packed?.filename ?? '');
  files = packed?.files.map(({ path }) => path) ?? [];
  printed = (await run('npx', npx('version'), { cwd: folder.path, env: environment })).stdout;
}, INSTALL_TIMEOUT_MS);

afterAll(folder.remove);

describe('the packed package', { timeout: INSTALL_TIMEOUT_MS }, () => {
  it('contains the files that users need, and no tests', () => {
    const needed = ['bin/engraph.js', 'dist/cli/main.js', 'dist/index.js', 'dist/LICENSES.txt', 'LICENSE'];
    const documents = ['README.md', 'CHANGELOG.md', 'docs/README.md', 'docs/configuration.md', 'mcp.json.example'];
    expect(files).toEqual(expect.arrayContaining([...needed, ...documents]));
    for (const { types, default: code } of Object.values(EXPORTS))
      expect(files).toEqual(expect.arrayContaining([types, code].map(path => path.slice(2))));
    expect(files.length).toBeLessThan(MAX_FILES);
    expect(files.filter(path => /^(?:tests|src|build)\/|\.test\.|\.tgz$/.test(path))).toEqual([]);
  });

  it('has the code of a module only once', () => {
    const texts = files
      .filter(path => /^dist\/(?!web\/).*\.js$/.test(path))
      .map(path => readFileSync(join(ROOT, path), 'utf8'));
    for (const name of ['createEngine', 'shareMemory', 'readNewMemory', 'runOperation']) {
      expect(texts.filter(text => new RegExp(`function ${name}\\(`).test(text))).toHaveLength(1);
    }
  });

  it('is fetched and started by npx in a clean folder, without running scripts of packages', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(printed).toBe(`${version}\n`);
  });

  it('is not needed in a checkout, where npx starts engraph without contacting a registry', async () => {
    const { stdout } = await run('npx', ['--yes', '--offline', 'engraph', 'version'], { cwd: ROOT, env: environment });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('takes less than 100 MB when it is installed', () => {
    const installed = join(environment.npm_config_cache ?? '', '_npx');
    expect(bytesIn(installed)).toBeLessThan(MAX_INSTALLED_BYTES);
    expect(bytesIn(installed)).toBeGreaterThan(10_000_000);
  });

  it('answers an MCP client that starts it by npx', async () => {
    const client = new Client({ name: 'test', version: '0' });
    const args = npx('--port', '0', '--data-dir', join(folder.path, 'data'));
    await client.connect(
      new StdioClientTransport({ command: 'npx', args, env: environment, cwd: folder.path, stderr: 'ignore' }),
    );
    const stored = await client.callTool({
      name: 'store_memory',
      arguments: { content: 'The heron nests in the willow.' },
    });
    expect(stored.isError).toBeFalsy();
    const recalled = await client.callTool({
      name: 'recall_memory',
      arguments: { query: 'Where does the heron nest?' },
    });
    expect(JSON.stringify(recalled.content)).toContain('The heron nests in the willow.');
    await client.close();
  });
});
