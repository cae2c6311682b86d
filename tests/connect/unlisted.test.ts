/** Entries that are exactly as `connect` writes them, but that are missing in the list of connections. */
import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { findEntries } from '../../src/connect/entries.js';
import { LAUNCH, makeHome } from './home.js';

const LIST = '.local/share/engraph/connections.json';
const FILE = '.cursor/mcp.json';
const MOVED = { launch: { ...LAUNCH, command: '/elsewhere/node' } };
const WITH_VARIABLES = { launch: { ...LAUNCH, env: { ENGRAPH_URL: 'http://memory:8001', LOG_LEVEL: 'debug' } } };
const JSON_FILE =
  '// mine\n{\n\t"theme": "dark", // keep\n\t"mcpServers": {\n\t\t"other": { "command": "x" } // theirs\n\t}\n}';
const TOML_FILE = '# mine\nmodel = "x"\n\n[mcp_servers.other] # theirs\ncommand = "y"\n';

/** A home in which a client was connected before the list of connections was lost. */
async function homeWithoutList(client: string, file: string, content?: string) {
  const home = await makeHome();
  if (content !== undefined) await home.write(file, content);
  await home.run('connect', client, WITH_VARIABLES);
  await rm(home.path(LIST));
  await rm(home.path(`${file}.engraph-backup`), { force: true });
  return home;
}

describe('an entry exactly as connect writes it', () => {
  test.each([
    ['claude-code', '.claude.json', JSON_FILE],
    ['cursor', FILE, JSON_FILE],
    ['vscode', '.config/Code/User/mcp.json', JSON_FILE.replace('mcpServers', 'servers')],
    ['opencode', '.config/opencode/opencode.json', JSON_FILE.replace('mcpServers', 'mcp')],
    ['codex', '.codex/config.toml', TOML_FILE],
  ])('of %s is listed by connect; removal then leaves all other bytes of the file', async (client, file, content) => {
    const home = await homeWithoutList(client, file, content);
    const connected = await home.snapshot();
    expect((await home.run('connect', client, WITH_VARIABLES)).outcome).toBe('unchanged');
    expect(await home.snapshot()).toEqual({ ...connected, [LIST]: expect.anything() });
    expect((await home.run('remove', client)).outcome).toBe('removed');
    expect(await home.read(file)).toBe(content);
    expect(await home.snapshot()).not.toHaveProperty([LIST]);
  });

  test('is listed once, beside the entries that are listed already', async () => {
    const home = await homeWithoutList('cursor', FILE);
    await home.run('connect', 'codex');
    await home.run('connect', 'cursor', WITH_VARIABLES);
    const list = await home.read(LIST);
    await home.run('connect', 'cursor', WITH_VARIABLES);
    await home.run('connect', 'codex');
    expect(await home.read(LIST)).toBe(list);
    expect((await home.connections.all()).map(each => each.client)).toEqual(['codex', 'cursor']);
  });

  test('is not listed by --print, nor by --remove, which refuses to remove it', async () => {
    const home = await homeWithoutList('cursor', FILE);
    const before = await home.snapshot();
    expect((await home.run('connect', 'cursor', { ...WITH_VARIABLES, isDry: true })).outcome).toBe('unchanged');
    await expect(home.run('remove', 'cursor', WITH_VARIABLES)).rejects.toThrow('is not in the list of what');
    expect(await home.snapshot()).toEqual(before);
  });

  test('in a file without other content is removed, and the file stays', async () => {
    const home = await homeWithoutList('cursor', FILE);
    await home.run('connect', 'cursor', WITH_VARIABLES);
    await home.run('remove', 'cursor');
    expect(await home.read(FILE)).toBe('{}\n');
  });

  test('is updated and removed like other listed entries', async () => {
    const home = await homeWithoutList('cursor', FILE, JSON_FILE);
    await home.run('connect', 'cursor', WITH_VARIABLES);
    expect((await home.run('connect', 'cursor', MOVED)).outcome).toBe('updated');
    expect(await home.read(FILE)).toContain('/elsewhere/node');
    await home.run('remove', 'cursor');
    expect(await home.read(FILE)).toBe(JSON_FILE);
  });

  test('replaces its older value in the list; removal then restores the copy of the file', async () => {
    const home = await makeHome();
    await home.write(FILE, JSON_FILE);
    const before = await home.snapshot();
    await home.run('connect', 'cursor');
    const older = await home.read(LIST);
    await home.run('connect', 'cursor', MOVED);
    await home.write(LIST, older);
    expect((await home.run('connect', 'cursor', MOVED)).outcome).toBe('unchanged');
    await home.run('remove', 'cursor');
    expect(await home.snapshot()).toEqual(before);
  });

  test('of a project counts as written by connect after connect has found it', async () => {
    const home = await makeHome();
    await home.run('connect', 'claude-code', { isForProject: true });
    await rm(home.path(LIST));
    const areForeign = async () =>
      (await findEntries(home.here, await home.connections.all())).map(({ isForeign }) => isForeign);
    expect(await areForeign()).toEqual([true]);
    await home.run('connect', 'claude-code', { isForProject: true });
    expect(await areForeign()).toEqual([false]);
  });
});

test.each([
  [
    'with a further property',
    'unchanged',
    (text: string) => text.replace('"engraph": {', '"engraph": { "autoApprove": ["x"],'),
  ],
  ['with a further variable', 'refused', (text: string) => text.replace('"env": {', '"env": { "MINE": "1",')],
])('an entry %s is not listed by connect, and stays', async (_, expected, change) => {
  const home = await homeWithoutList('cursor', FILE, JSON_FILE);
  await home.write(FILE, change(await home.read(FILE)));
  const before = await home.snapshot();
  const connecting = home.run('connect', 'cursor', WITH_VARIABLES);
  expect(await connecting.then(({ outcome }) => outcome).catch(() => 'refused')).toBe(expected);
  await expect(home.run('remove', 'cursor')).rejects.toThrow('is not in the list of what');
  expect(await home.snapshot()).toEqual(before);
});

test('--remove --print shows the entry that would be removed', async () => {
  const home = await makeHome();
  const value = { url: 'http://memory/mcp' };
  await home.write(FILE, JSON.stringify({ mcpServers: { engraph: value } }));
  const { pieces } = await home.run('remove', 'cursor', { isForced: true, isDry: true });
  expect(pieces).toEqual([{ path: ['mcpServers', 'engraph'], value }]);
});
