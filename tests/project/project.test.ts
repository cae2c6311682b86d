/** The project of a folder, in repositories that git made. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { projectOf } from '../../src/project/project.js';
import addresses from './addresses.json' with { type: 'json' };

let temp: string;
let home: string;

beforeEach(() => {
  temp = realpathSync(mkdtempSync(join(tmpdir(), 'engraph-project-')));
  home = join(temp, 'users', 'ann');
  mkdirSync(join(home, 'code'), { recursive: true });
});

const found = (folder: string) => projectOf(folder, { home, temp });
const nameOf = async (folder: string) => (await found(folder))?.name;

function git(folder: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...identity, '-C', folder, ...args], { stdio: 'pipe' });
}

/** Makes a repository with one commit, and returns its folder. */
function repository(name: string, remote?: string): string {
  const folder = join(home, 'code', name);
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'Begin');
  if (remote !== undefined) git(folder, 'remote', 'add', 'origin', remote);
  return folder;
}

function subfolder(folder: string, ...names: string[]): string {
  const path = join(folder, ...names);
  mkdirSync(path, { recursive: true });
  return path;
}

function withConfig(text: string): string {
  const folder = subfolder(home, 'code', 'local');
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git', 'config'), text);
  return folder;
}

describe('a repository with a remote', () => {
  test('has the same project in its folders, its worktrees and a clone of another name', async () => {
    const shop = repository('Shop-Local', 'git@github.com:Acme/Shop.git');
    git(shop, 'worktree', 'add', '-q', '../shop-feature');
    git(shop, 'clone', '-q', '.', '../copy');
    git(shop, 'clone', '-q', '../copy', '../copy-of-copy');
    symlinkSync(shop, join(home, 'link'));
    const folders = [
      shop,
      subfolder(shop, 'packages', 'api'),
      join(shop, '.git'),
      join(shop, 'not', 'there'),
      join(home, 'code', 'shop-feature'),
      subfolder(home, 'code', 'shop-feature', 'src'),
      join(home, 'code', 'copy'),
      join(home, 'code', 'copy-of-copy'),
      join(home, 'link'),
    ];
    expect(await Promise.all(folders.map(nameOf))).toEqual(folders.map(() => 'acme/shop'));
  });

  test('was formerly known by the names of its folders and by the last part of its remote', async () => {
    const shop = repository('shop-local', 'https://github.com/acme/shop');
    git(shop, 'worktree', 'add', '-q', '../shop-feature');
    expect(await found(subfolder(shop, 'src'))).toEqual({
      name: 'acme/shop',
      formerNames: ['shop-local', 'shop'],
      root: shop,
    });
    expect(await found(join(home, 'code', 'shop-feature'))).toEqual({
      name: 'acme/shop',
      formerNames: ['shop-feature', 'shop-local', 'shop'],
      root: join(home, 'code', 'shop-feature'),
    });
  });

  test('has a worktree beside a repository without one', async () => {
    const shop = repository('shop', 'git@github.com:acme/shop.git');
    const around = subfolder(home, 'code', 'store');
    git(shop, 'clone', '-q', '--bare', '.', '../store/.bare');
    git(join(around, '.bare'), 'remote', 'remove', 'origin');
    git(join(around, '.bare'), 'worktree', 'add', '-q', '../one');
    writeFileSync(join(around, '.git'), 'gitdir: ./.bare\n');
    expect(await nameOf(join(around, 'one'))).toBe('store');
    expect(await nameOf(around)).toBe('store');
    expect(await nameOf(join(around, '.bare', 'refs'))).toBe('store');
    git(join(around, '.bare'), 'remote', 'add', 'hub', 'ssh://git@git.acme.example:7999/acme/shop.git');
    expect(await nameOf(join(around, 'one'))).toBe('acme/shop');
  });

  test('is another project than its submodule', async () => {
    const lib = repository('lib', 'git@github.com:acme/lib.git');
    const shop = repository('shop', 'git@github.com:acme/shop.git');
    git(shop, 'submodule', 'add', '-q', lib, 'vendor/lib');
    expect(await nameOf(join(shop, 'vendor', 'lib'))).toBe('acme/lib');
    expect(await nameOf(join(shop, 'vendor'))).toBe('acme/shop');
    git(join(shop, 'vendor', 'lib'), 'remote', 'remove', 'origin');
    expect(await nameOf(join(shop, 'vendor', 'lib'))).toBe('lib');
  });
});

describe('a repository without a remote', () => {
  test('has the name of the root folder of its main worktree', async () => {
    const shop = repository('My Shop');
    git(shop, 'worktree', 'add', '-q', '../feature');
    git(shop, 'clone', '-q', '.', '../copy');
    for (const folder of [shop, subfolder(shop, 'src'), join(home, 'code', 'feature'), join(home, 'code', 'copy')]) {
      expect(await nameOf(folder)).toBe('my-shop');
    }
    git(shop, 'init', '-q', '--bare', '../plain.git');
    expect(await nameOf(join(home, 'code', 'plain.git'))).toBe('plain');
  });

  test('is still found in a worktree when the main worktree is away', async () => {
    const shop = repository('shop', 'git@github.com:acme/shop.git');
    git(shop, 'worktree', 'add', '-q', '../feature');
    renameSync(shop, join(home, 'moved'));
    expect(await nameOf(join(home, 'code', 'feature'))).toBe('shop');
  });
});

describe('the configuration', () => {
  test.each(addresses)('$address is the remote of $name', async ({ address, name }) => {
    const folder = repository('local');
    git(folder, 'config', 'remote.origin.url', address);
    expect(await nameOf(folder)).toBe(name);
    const { formerNames } = (await found(folder)) ?? {};
    expect(JSON.stringify([name, formerNames])).not.toMatch(/secret|user|token/);
  });

  test.each([
    ['the remote origin comes first', '[remote "hub"]\nurl = h:b/hub\n[remote "origin"]\n\turl = h:a/shop\n', 'a/shop'],
    ['else the first remote', '[remote "hub"]\r\n\turl = h:b/hub\r\n[remote "x"]\r\nurl = h:x/y\r\n', 'b/hub'],
    ['keys are case-insensitive', '[Remote "origin"]\n URL = "h:a/shop" ; main\n', 'a/shop'],
    ['a key beside its section', '[remote "origin"] url = h:a/shop # main\n', 'a/shop'],
    [
      'push addresses and other sections say nothing',
      '[branch "url"]\nurl = h:a/b\n[remote "o"]\npushurl = h:a/c',
      'local',
    ],
    ['other files are not read', '[include]\n\tpath = other\n', 'local'],
    ['an address without a path', '[remote "origin"]\nurl = https://example.com/\n', 'local'],
    ['not a configuration', '\u0000\u0001[[[remote', 'local'],
  ])('%s', async (_, text, name) => expect(await nameOf(withConfig(text))).toBe(name));

  test('that cannot be read or leads in a circle leaves the name of the folder', async () => {
    const folder = withConfig('x');
    renameSync(join(folder, '.git', 'config'), join(folder, '.git', 'old'));
    mkdirSync(join(folder, '.git', 'config'));
    expect(await nameOf(folder)).toBe('local');
    expect(await nameOf(circular())).toBe('circle');
  });
});

function circular(): string {
  const folder = repository('circle');
  git(folder, 'remote', 'add', 'origin', folder);
  return folder;
}

describe('no project', () => {
  test('is the home folder, a folder above it, the root, and the folder for temporary files', async () => {
    git(home, 'init', '-q');
    for (const folder of [home, dirname(home), temp, '/', '']) expect(await found(folder)).toBeUndefined();
    expect(await projectOf(homedir())).toBeUndefined();
    expect(await projectOf(tmpdir())).toBeUndefined();
  });

  test('but folders in them are projects by their own names, even if the home folder is a repository', async () => {
    git(home, 'init', '-q');
    expect(await found(subfolder(home, 'Notes'))).toEqual({ name: 'notes', formerNames: [] });
    expect(await found(join(temp, 'scratch'))).toEqual({ name: 'scratch', formerNames: [] });
    expect(await found('C:\\Users\\ann\\Shop')).toEqual({ name: 'shop', formerNames: [] });
  });
});
