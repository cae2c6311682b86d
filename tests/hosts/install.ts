/** Installs the newest command line of a host from npm, in a folder outside of the repository that later runs use again. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Installed = { folder: string; version: string } | { reason: string };

const CACHE = process.env.ENGRAPH_TEST_HOSTS ?? join(tmpdir(), 'engraph-test-hosts');
const INSTALL_TIMEOUT_MS = 300_000;
/** A folder is used for this long before npm is asked for a newer version. */
const FRESH_MS = 7 * 24 * 3_600_000;
const run = promisify(execFile);

/**
 * No script of another package is run. Some packages fetch or link their binary in their own script, which is then
 * named.
 *
 * @param script of the package, relative to its folder
 */
export async function install(name: string, script?: string): Promise<Installed> {
  const folder = join(CACHE, name.replace(/[@/]+/g, '-').replace(/^-/, ''));
  const mark = join(folder, 'installed');
  const ofPackage = join(folder, 'node_modules', name);
  try {
    if (!(await isFresh(mark))) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'package.json'), '{ "private": true }');
      const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      // With the tag, npm takes the newest version even if it asks for a newer Node. The binaries bring their own.
      await run('npm', ['install', ...options, `${name}@latest`], { cwd: folder, timeout: INSTALL_TIMEOUT_MS });
      if (script !== undefined) await run(process.execPath, [script], { cwd: ofPackage, timeout: INSTALL_TIMEOUT_MS });
      await writeFile(mark, '');
    }
  } catch (error) {
    const reason = (error as Error).message.trim().split('\n').slice(0, 3).join(' ');
    // An older version is better than none, for example without a network.
    if (!existsSync(mark)) return { reason: `npm could not install ${name}: ${reason}` };
  }
  const { version } = JSON.parse(await readFile(join(ofPackage, 'package.json'), 'utf8')) as { version: string };
  return { folder, version };
}

async function isFresh(mark: string): Promise<boolean> {
  return existsSync(mark) && Date.now() - (await stat(mark)).mtimeMs < FRESH_MS;
}
