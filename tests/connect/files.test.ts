/** The effect of a connection on files: backups, links, modes, and files that must not be changed. */
import { chmod, chown, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ConnectError } from '../../src/connect/format.js';
import { LAUNCH, makeHome } from './home.js';

const FILE = '.cursor/mcp.json';
const BACKUP = `${FILE}.engraph-backup`;
const MOVED = { launch: { ...LAUNCH, command: '/elsewhere/node' } };
const FOREIGN = '{\n  "mcpServers": {\n    "engraph": { "command": "mine" } // by hand\n  }\n}\n';
const OTHER = '{\n  "mcpServers": {\n    "other": {}\n  }\n}\n';

describe('an empty home folder', () => {
  test('after connect contains a file that only the owner can read, and after --remove is empty again', async () => {
    const home = await makeHome();
    await home.run('connect', 'cursor');
    expect((await stat(home.path(FILE))).mode & 0o777).toBe(0o600);
    await home.run('remove', 'cursor');
    expect(await home.snapshot()).toEqual({});
  });

  test('keeps the created folders when the connection is removed, if other files were added to them', async () => {
    const home = await makeHome();
    await home.run('connect', 'cursor');
    await home.write('.cursor/theirs', 'x');
    await home.run('remove', 'cursor');
    expect(Object.keys(await home.snapshot())).toEqual(['.cursor', '.cursor/theirs']);
  });

  test('has nothing to remove', async () => {
    const home = await makeHome();
    expect((await home.run('remove', 'cursor')).outcome).toBe('absent');
    expect(await home.snapshot()).toEqual({});
  });

  test('stays empty with --print', async () => {
    const home = await makeHome();
    expect((await home.run('connect', 'cursor', { isDry: true })).outcome).toBe('connected');
    expect(await home.snapshot()).toEqual({});
  });
});

describe('the backup', () => {
  test('has the former bytes and mode, and is deleted with the connection', async () => {
    const home = await makeHome();
    await home.write(FILE, OTHER);
    await chmod(home.path(FILE), 0o640);
    const before = await home.snapshot();
    expect((await home.run('connect', 'cursor')).backup).toBe(home.path(BACKUP));
    expect(await home.read(BACKUP)).toBe(OTHER);
    for (const name of [FILE, BACKUP]) expect((await stat(home.path(name))).mode & 0o777).toBe(0o640);
    await home.run('remove', 'cursor');
    expect(await home.snapshot()).toEqual(before);
  });

  test('is not overwritten by an update, and gets another name if a file with its name exists', async () => {
    const home = await makeHome();
    await home.write(FILE, OTHER);
    await home.run('connect', 'cursor');
    await home.run('connect', 'cursor', MOVED);
    expect(await home.read(BACKUP)).toBe(OTHER);
    await home.run('remove', 'cursor');
    await home.write(BACKUP, 'theirs');
    const { backup = '' } = await home.run('connect', 'cursor');
    expect(backup).not.toBe(home.path(BACKUP));
    expect(await readFile(backup, 'utf8')).toBe(OTHER);
    await home.run('remove', 'cursor');
    expect(await home.read(BACKUP)).toBe('theirs');
  });

  test('may be missing: the entry is removed anyway', async () => {
    const home = await makeHome();
    await home.write(FILE, OTHER);
    await home.run('connect', 'cursor');
    await rm(home.path(BACKUP));
    await home.run('remove', 'cursor');
    expect(await home.read(FILE)).toBe(OTHER);
  });

  test('is written again after a user has removed the entry by hand', async () => {
    const home = await makeHome();
    await home.write(FILE, OTHER);
    await home.run('connect', 'cursor');
    const later = OTHER.replace('other', 'later');
    await home.write(FILE, later);
    const { backup = '' } = await home.run('connect', 'cursor');
    expect(await readFile(backup, 'utf8')).toBe(later);
    await home.run('remove', 'cursor');
    expect(await home.read(FILE)).toBe(later);
    expect(Object.keys(await home.snapshot())).toEqual(['.cursor', FILE]);
  });
});

describe('a file that was changed after connecting', () => {
  test('loses only our entry when the client is disconnected', async () => {
    const home = await makeHome();
    await home.write(FILE, OTHER);
    await home.run('connect', 'cursor');
    await home.write(FILE, `// new\n${await home.read(FILE)}`);
    await home.run('remove', 'cursor');
    expect(await home.read(FILE)).toBe(`// new\n${OTHER}`);
  });

  test('and reformatted by its client loses only our entry on removal', async () => {
    const home = await makeHome();
    await home.write('.claude.json', '{"numStartups":1,"projects":{"/p":{"mcpServers":{}}}}');
    await home.run('connect', 'claude-code');
    const settings = JSON.parse(await home.read('.claude.json')) as object;
    await home.write('.claude.json', JSON.stringify({ ...settings, numStartups: 2 }, null, 2));
    expect((await home.run('connect', 'claude-code')).outcome).toBe('unchanged');
    expect((await home.run('connect', 'claude-code', MOVED)).outcome).toBe('updated');
    await home.run('remove', 'claude-code');
    const expected = { numStartups: 2, projects: { '/p': { mcpServers: {} } } };
    expect(await home.read('.claude.json')).toBe(JSON.stringify(expected, null, 2));
  });

  test('is deleted together with our entry if we created the file and it has no other content', async () => {
    const home = await makeHome();
    await home.run('connect', 'cursor');
    await home.write(FILE, JSON.stringify(JSON.parse(await home.read(FILE))));
    await home.run('remove', 'cursor');
    expect(await home.snapshot()).toEqual({});
  });

  test('counts as absent on removal if its folder has been deleted', async () => {
    const home = await makeHome();
    await home.run('connect', 'cursor');
    await rm(home.path('.cursor'), { recursive: true });
    expect((await home.run('remove', 'cursor')).outcome).toBe('absent');
    expect(await home.snapshot()).toEqual({});
  });

  test('keeps properties that other programs added to our entry', async () => {
    const home = await makeHome();
    await home.run('connect', 'cursor');
    const file = JSON.parse(await home.read(FILE)) as { mcpServers: { engraph: object } };
    file.mcpServers.engraph = { ...file.mcpServers.engraph, autoApprove: ['recall'] };
    await home.write(FILE, JSON.stringify(file));
    expect((await home.run('connect', 'cursor')).outcome).toBe('unchanged');
    for (const outcome of ['updated', 'unchanged']) {
      expect((await home.run('connect', 'cursor', MOVED)).outcome).toBe(outcome);
    }
    await home.run('connect', 'cursor');
    await home.run('connect', 'cursor', MOVED);
    expect(JSON.parse(await home.read(FILE))).toMatchObject({
      mcpServers: { engraph: { command: '/elsewhere/node', autoApprove: ['recall'] } },
    });
  });
});

describe('an entry that somebody else wrote', () => {
  test('is left alone; --force replaces it, and --remove restores it', async () => {
    const home = await makeHome();
    await home.write(FILE, FOREIGN);
    const before = await home.snapshot();
    await expect(home.run('connect', 'cursor')).rejects.toThrow("It has a 'mcpServers.engraph' that");
    await expect(home.run('remove', 'cursor')).rejects.toThrow("It has a 'mcpServers.engraph' that");
    expect(await home.snapshot()).toEqual(before);
    await home.run('connect', 'cursor', { isForced: true });
    expect(await home.read(FILE)).toContain('engraph.js');
    await home.run('remove', 'cursor');
    expect(await home.snapshot()).toEqual(before);
  });

  test('is restored by --remove after --force replaced it, even if the file has changed since', async () => {
    const home = await makeHome();
    await home.write(FILE, FOREIGN);
    await home.run('connect', 'cursor', { isForced: true });
    await home.write(FILE, `${await home.read(FILE)}// new\n`);
    await home.run('remove', 'cursor');
    expect(await home.read(FILE)).toBe(`${FOREIGN}// new\n`);
  });

  test('is left alone if it replaced our entry', async () => {
    const home = await makeHome();
    await home.write(FILE, OTHER);
    await home.run('connect', 'cursor');
    await home.write(FILE, FOREIGN);
    await expect(home.run('connect', 'cursor')).rejects.toThrow(ConnectError);
    await expect(home.run('remove', 'cursor')).rejects.toThrow(ConnectError);
    expect(await home.read(FILE)).toBe(FOREIGN);
    expect(await home.read(BACKUP)).toBe(OTHER);
  });
});

describe('a symbolic link', () => {
  test.each(['dotfiles/mcp.json', '../dotfiles/mcp.json'])('to %s is followed, and stays a link', async to => {
    const home = await makeHome();
    const target = to.replace('../', '').replace(/^(?=dotfiles)/, to.startsWith('..') ? '' : '.cursor/');
    await home.write(target, OTHER);
    await mkdir(home.path('.cursor'), { recursive: true });
    await symlink(to, home.path(FILE));
    const before = await home.snapshot();
    expect((await home.run('connect', 'cursor')).file).toBe(home.path(target));
    expect(await home.read(target)).toContain('engraph.js');
    expect((await home.snapshot())[FILE]).toBe(`-> ${to}`);
    await home.run('remove', 'cursor');
    expect(await home.snapshot()).toEqual(before);
  });

  test('to a missing file leads to the new file', async () => {
    const home = await makeHome();
    await mkdir(home.path('.cursor'));
    await symlink('../dotfiles/mcp.json', home.path(FILE));
    const before = await home.snapshot();
    await home.run('connect', 'cursor');
    expect(await home.read('dotfiles/mcp.json')).toContain('engraph.js');
    await home.run('remove', 'cursor');
    expect(await home.snapshot()).toEqual(before);
  });

  test('that leads back to itself is refused', async () => {
    const home = await makeHome();
    await mkdir(home.path('.cursor'));
    await symlink('mcp.json', home.path(FILE));
    await expect(home.run('connect', 'cursor')).rejects.toThrow('leads back to itself');
  });
});

describe('connecting is refused with a reason and writes nothing for', () => {
  test.each<[string, string | Buffer, string]>([
    ['a broken file', '{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3'],
    ['a file in another encoding', Buffer.from('{"a":"é"}', 'latin1'), 'not written in UTF-8'],
    ['a file in UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'not written in UTF-8'],
  ])('%s', async (_, content, reason) => {
    const home = await makeHome();
    await home.write(FILE, content);
    const before = await home.snapshot();
    await expect(home.run('connect', 'cursor')).rejects.toThrow(reason);
    expect(await home.snapshot()).toEqual(before);
  });

  test('a read-only file', async () => {
    const home = await makeHome();
    await home.write(FILE, OTHER);
    await chmod(home.path(FILE), 0o444);
    const before = await home.snapshot();
    await expect(home.run('connect', 'cursor')).rejects.toThrow('It is read-only');
    expect(await home.snapshot()).toEqual(before);
  });

  test('a folder instead of the file', async () => {
    const home = await makeHome();
    await mkdir(home.path(FILE), { recursive: true });
    await expect(home.run('connect', 'cursor')).rejects.toThrow('It is not a file');
  });

  test('a list of connections that cannot be read', async () => {
    const home = await makeHome();
    await home.write('.local/share/engraph/connections.json', '{"version": 2}');
    await expect(home.run('connect', 'cursor')).rejects.toThrow('The list of connections in');
    expect(Object.keys(await home.snapshot())).not.toContain('.cursor');
  });
});

test('a second connection replaces the entry of the first, including its variables', async () => {
  const home = await makeHome();
  await home.write(FILE, OTHER);
  await home.run('connect', 'cursor', { launch: { ...LAUNCH, env: { LOG_LEVEL: 'debug' } } });
  expect((await home.run('connect', 'cursor')).outcome).toBe('updated');
  expect(await home.read(FILE)).not.toContain('LOG_LEVEL');
  await home.run('remove', 'cursor');
  expect(await home.read(FILE)).toBe(OTHER);
});

test('a byte order mark is kept when an entry is added and removed', async () => {
  const home = await makeHome();
  await home.write(FILE, `\uFEFF${OTHER}`);
  const before = await home.snapshot();
  await home.run('connect', 'cursor');
  expect(await home.read(FILE)).toMatch(/^\uFEFF\{/);
  await home.run('remove', 'cursor');
  expect(await home.snapshot()).toEqual(before);
});

test.runIf(process.getuid?.() === 0)('a file of another user keeps its owner', async () => {
  const home = await makeHome();
  await home.write(FILE, OTHER);
  await chown(home.path(FILE), 1234, 1234);
  await home.run('connect', 'cursor');
  for (const name of [FILE, BACKUP]) expect(await stat(home.path(name))).toMatchObject({ uid: 1234, gid: 1234 });
});

test('project files are written only with --project, and without paths of this machine', async () => {
  const home = await makeHome();
  await home.write('project/.mcp.json', OTHER);
  await home.run('connect', 'claude-code');
  expect(await home.read('project/.mcp.json')).toBe(OTHER);
  await home.run('connect', 'claude-code', { isForProject: true });
  expect(JSON.parse(await home.read('project/.mcp.json'))).toMatchObject({
    mcpServers: { other: {}, engraph: { type: 'stdio', command: 'engraph', args: [] } },
  });
  await home.run('remove', 'claude-code', { isForProject: true });
  expect(await home.read('project/.mcp.json')).toBe(OTHER);
  expect(await home.read('.claude.json')).toContain('engraph.js');
});

test('a concurrent write of another program is not overwritten', async () => {
  const home = await makeHome();
  await home.write(FILE, OTHER);
  const { replaceConfigFile, readConfigFile } = await import('../../src/connect/config-file.js');
  const file = await readConfigFile(home.path(FILE));
  await writeFile(home.path(FILE), '{"later":1}');
  await expect(replaceConfigFile(file, 'ours')).rejects.toThrow('Another program wrote it at the same moment');
  expect(await home.snapshot()).toMatchObject({
    [FILE]: expect.stringContaining(Buffer.from('{"later":1}').toString('base64')),
  });
});
