/** `engraph connect` as a real process, after the list of the entries that it wrote was lost or damaged. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { folderContents } from '../support/folder-contents.js';
import { runInProcess } from './in-process.js';
import { BINARY, ENVIRONMENT, temporaryFolder } from './spawned-engraph.js';

const LIST = '.local/share/engraph/connections.json';
const FILES = {
  '.claude.json': '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n',
  '.claude/settings.json':
    '{\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] }\n}\n',
  '.codex/config.toml': 'model = "x" # mine\n',
  '.codex/hooks.json': '{\n  "description": "mine"\n}\n',
  '.gemini/settings.json': '{\n  "theme": "dark"\n}\n',
};
const CLIENTS = ['claude-code', 'codex', 'gemini'];

async function makeHome(files: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder();
  const path = (name: string) => join(folder, name);
  const write = async (name: string, text: string) => {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  return {
    folder,
    write,
    read: (name: string) => readFile(path(name), 'utf8'),
    snapshot: () => folderContents(folder),
    connect: (...args: string[]) => runInProcess(['connect', ...args], { HOME: folder }),
    /** Deletes the list, and the copies that were made while it existed. */
    loseList: async () => {
      await rm(path(LIST));
      for (const name of Object.keys(files)) await rm(path(`${name}.engraph-backup`), { force: true });
    },
  };
}

const linesWith = (outcome: string, text: string) => text.match(new RegExp(`^ {2}${outcome} .*`, 'gm')) ?? [];

describe('after the list was lost', () => {
  test('connect lists servers, hooks and rules again, and --remove leaves all other bytes of the files', async () => {
    const home = await makeHome(FILES);
    await home.connect(...CLIENTS, '--hooks');
    await home.loseList();
    const connected = await home.snapshot();
    const again = await home.connect(...CLIENTS);
    expect(linesWith('unchanged', again.stdout)).toHaveLength(5);
    expect(await home.snapshot()).toEqual({ ...connected, [LIST]: expect.anything() });
    const removed = await home.connect('--remove');
    expect(linesWith('removed', removed.stdout)).toHaveLength(5);
    for (const [name, text] of Object.entries(FILES)) expect(await home.read(name)).toBe(text);
  });

  test('--remove names every remaining entry, with a command that removes it', async () => {
    const home = await makeHome(FILES);
    await home.connect('claude-code', 'codex', '--hooks');
    await home.loseList();
    const connected = await home.snapshot();
    for (const args of [['--remove'], ['--remove', '--print']]) {
      const { code, stdout } = await home.connect(...args);
      expect(code).toBe(1);
      expect(stdout).not.toContain('already removed');
      for (const name of ['.claude.json', '.claude/settings.json', '.codex/config.toml', '.codex/hooks.json']) {
        expect(stdout).toMatch(new RegExp(`REFUSED .*/${name} stays as it is`));
      }
      expect(stdout).toContain("To remove it, run 'engraph connect codex --remove --force'");
    }
    expect(await home.snapshot()).toEqual(connected);
    expect((await home.connect('codex', '--remove', '--force')).code).toBe(0);
    expect((await home.connect('--remove')).stdout).not.toContain('codex');
    expect((await home.connect('claude-code', '--remove', '--force')).code).toBe(0);
    expect(await home.connect('--remove')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('already removed'),
    });
    for (const [name, text] of Object.entries(FILES)) expect(await home.read(name)).toBe(text);
  });

  test('--remove --force removes the entries of all clients, and passes over files without an entry', async () => {
    const broken = '{ "mcpServers": ';
    const unlisted = '{\n  "mcpServers": {\n    "engraph": { "url": "http://m/mcp" },\n    "other": {}\n  }\n}\n';
    const home = await makeHome({
      ...FILES,
      '.codeium/windsurf/mcp_config.json': broken,
      '.cursor/mcp.json': unlisted,
    });
    await home.connect(...CLIENTS, '--hooks');
    await home.loseList();
    const { code, stdout } = await home.connect('--remove', '--force');
    expect(code).toBe(0);
    expect(linesWith('removed', stdout)).toHaveLength(6);
    expect(stdout).not.toContain('windsurf');
    for (const [name, text] of Object.entries(FILES)) expect(await home.read(name)).toBe(text);
    expect(await home.read('.cursor/mcp.json')).toBe('{\n  "mcpServers": {\n    "other": {}\n  }\n}\n');
  });

  test('--remove reports a file that mentions engraph and cannot be parsed', async () => {
    const home = await makeHome({ '.cursor/mcp.json': '{ "mcpServers": { "engraph": }' });
    const { code, stdout } = await home.connect('--remove');
    expect(code).toBe(1);
    expect(stdout).toMatch(/REFUSED +cursor .*not valid JSON at line 1/);
  });

  test('connect lists an entry beside those of other clients', async () => {
    const home = await makeHome(FILES);
    await home.connect('claude-code');
    await home.loseList();
    await home.connect('codex');
    expect((await home.connect('claude-code')).stdout).toMatch(/^ {2}unchanged +claude-code/);
    expect((await home.connect('claude-code', '--remove')).stdout).toMatch(/^ {2}removed +claude-code/);
    expect((await home.connect('--remove')).stdout).toMatch(/^ {2}removed +codex/);
    for (const [name, text] of Object.entries(FILES)) expect(await home.read(name)).toBe(text);
  });

  test('if the user has changed one of the hooks, they are neither listed nor removed', async () => {
    const home = await makeHome(FILES);
    await home.connect('claude-code', '--hooks');
    await home.loseList();
    const edited = (await home.read('.claude/settings.json')).replace(/"timeout": ?5/, '"timeout":50');
    await home.write('.claude/settings.json', edited);
    expect((await home.connect('claude-code', '--hooks')).stdout).toMatch(/REFUSED +claude-code +hooks .*--force/);
    const { code, stdout } = await home.connect('--remove');
    expect(code).toBe(1);
    expect(linesWith('removed', stdout)).toEqual([expect.stringContaining('.claude.json')]);
    expect(linesWith('REFUSED', stdout)).toEqual([expect.stringContaining('settings.json stays as it is')]);
    expect(await home.read('.claude/settings.json')).toBe(edited);
  });

  test('the entries in another home folder are neither listed nor removed', async () => {
    const [first, second] = [await makeHome(FILES), await makeHome(FILES)];
    for (const home of [first, second]) {
      await home.connect('claude-code');
      await home.loseList();
    }
    const connected = await second.snapshot();
    await first.connect('claude-code');
    expect(linesWith('removed', (await first.connect('--remove')).stdout)).toHaveLength(1);
    expect(await first.read('.claude.json')).toBe(FILES['.claude.json']);
    expect(await second.snapshot()).toEqual(connected);
  });
});

test('with a damaged list every change is refused, until the list is deleted', async () => {
  const home = await makeHome(FILES);
  await home.connect('claude-code');
  await home.write(LIST, '{"version": 1, "conn');
  const damaged = await home.snapshot();
  for (const args of [['claude-code'], ['claude-code', '--hooks'], ['--remove'], ['--remove', '--force']]) {
    const { code, stdout, stderr } = await home.connect(...args);
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/The list of connections in \S+connections\.json cannot be read/);
  }
  expect(await home.snapshot()).toEqual(damaged);
  await home.loseList();
  await home.connect('claude-code');
  await home.connect('--remove');
  expect(await home.read('.claude.json')).toBe(FILES['.claude.json']);
});

test('--remove names the entries in projects, with a command that removes them', async () => {
  const home = await makeHome();
  const project = join(home.folder, 'project');
  await mkdir(project);
  const inProject = (...args: string[]) =>
    promisify(execFile)(process.execPath, [BINARY, 'connect', ...args], {
      cwd: project,
      env: { ...ENVIRONMENT, HOME: home.folder },
    });
  await inProject('claude-code', '--project');
  const left = await home.connect('--remove');
  expect(left.stdout).toMatch(
    /^ {2}left +claude-code .*project\/\.mcp\.json .* 'engraph connect claude-code --project --remove' in its project\n$/,
  );
  expect(left.code).toBe(0);
  await inProject('claude-code', '--project', '--remove');
  expect((await home.connect('--remove')).stdout).toContain('already removed');
  expect((await inProject('--project', '--remove')).stdout).toContain('contain no entry of Engraph');
});
