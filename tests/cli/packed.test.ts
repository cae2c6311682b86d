/** Packs the package, unpacks it elsewhere, connects a client in an empty home folder, and calls the server. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { greet } from '../../src/cli/client-checks.js';
import { launchIn } from '../../src/connect/clients.js';
import { folderContents } from '../support/folder-contents.js';
import { BINARY, ENVIRONMENT, temporaryFolder } from './spawned-engraph.js';

const run = promisify(execFile);

it('the packed package connects a client, and the written command starts a server', { timeout: 120_000 }, async () => {
  const root = dirname(dirname(BINARY));
  const folder = await temporaryFolder();
  const home = join(folder, 'home');
  const modules = join(folder, 'node_modules');
  await mkdir(home);
  await mkdir(join(modules, 'engraph'), { recursive: true });
  // The scripts of the package would rebuild files that other tests use.
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout: packed } = await run('npm', pack, { cwd: root });
  const [{ filename = '' } = {}] = JSON.parse(packed) as { filename?: string }[];
  await run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', join(modules, 'engraph')]);
  await symlink(join(root, 'node_modules'), join(modules, 'engraph', 'node_modules'));
  const script = join(modules, 'engraph', 'bin', 'engraph.js');
  const connectFrom = (path: string, ...args: string[]) =>
    run(process.execPath, [path, 'connect', ...args], { env: { ...ENVIRONMENT, HOME: home } });
  const connect = (...args: string[]) => connectFrom(script, ...args);

  const before = await folderContents(home);
  expect((await connect('claude-code')).stdout).toMatch(/^ {2}connected/);
  const { mcpServers } = JSON.parse(await readFile(join(home, '.claude.json'), 'utf8')) as {
    mcpServers: { engraph: object };
  };
  const launch = launchIn(mcpServers.engraph);
  expect(launch).toEqual({ command: process.execPath, args: [script], env: {} });
  const env = { ENGRAPH_DATA_DIR: join(folder, 'memories'), PORT: '0', EMBEDDING_PROVIDER: 'hash' };
  const { serverName, toolCount } = await greet({ command: '', args: [], ...launch, env }, { HOME: home }, 60_000);
  expect(serverName).toBe('engraph');
  expect(toolCount).toBeGreaterThan(3);
  expect((await connect('claude-code')).stdout).toMatch(/^ {2}unchanged/);
  expect((await connect('--remove')).stdout).toMatch(/^ {2}removed/);
  expect(await folderContents(home)).toEqual(before);

  await mkdir(join(folder, '_npx'));
  await rename(modules, join(folder, '_npx', 'node_modules'));
  const cached = join(folder, '_npx', 'node_modules', 'engraph', 'bin', 'engraph.js');
  const { stdout } = await connectFrom(cached, 'codex');
  expect(stdout).toContain('will start it with npx');
  expect(await readFile(join(home, '.codex/config.toml'), 'utf8')).toContain('args = [ "-y", "engraph" ]');
});
