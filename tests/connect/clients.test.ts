/** The file from which each client reads its servers on each platform, and the entry that we write into this file. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CLIENTS, entryOf, launchIn } from '../../src/connect/clients.js';
import { userSystem } from '../../src/connect/config-file.js';
import { formatOf } from '../../src/connect/formats.js';
import { installedClients, projectFileOf, targetOf, userFileOf } from '../../src/connect/targets.js';
import { clientNamed, LAUNCH } from './home.js';
import { PUBLISHED_SCHEMAS } from './published-schemas.js';

const HOMES = { linux: '/home/ada', darwin: '/Users/ada', win32: 'C:\\Users\\ada' } as const;

interface There {
  environment?: Record<string, string>;
  paths?: readonly string[];
}

function placeOn(platform: keyof typeof HOMES, { environment = {}, paths = [] }: There = {}) {
  const exists = (path: string) => paths.includes(path);
  return userSystem({ platform, home: HOMES[platform], environment, cwd: '/project', exists });
}

describe('the file for the user', () => {
  test.each(['linux', 'darwin', 'win32'] as const)('is at the path that each client reads on %s', platform => {
    const here = placeOn(platform);
    expect(Object.fromEntries(CLIENTS.map(client => [client.name, userFileOf(client, here)]))).toMatchSnapshot();
  });

  test.each([
    ['claude-code', { CLAUDE_CONFIG_DIR: '/c' }, '/c/.claude.json'],
    ['claude-desktop', { XDG_CONFIG_HOME: '/x' }, '/x/Claude/claude_desktop_config.json'],
    ['vscode', { XDG_CONFIG_HOME: '/x' }, '/x/Code/User/mcp.json'],
    ['codex', { CODEX_HOME: '/c' }, '/c/config.toml'],
    ['gemini', { GEMINI_CLI_HOME: '/g' }, '/g/.gemini/settings.json'],
    ['opencode', { XDG_CONFIG_HOME: '/x' }, '/x/opencode/opencode.json'],
  ])('of %s is in the folder given by %j', (name, environment, file) => {
    expect(userFileOf(clientNamed(name), placeOn('linux', { environment }))).toBe(file);
  });

  test('of the packaged Claude Desktop on Windows is in the folder of the package', () => {
    const environment = { APPDATA: 'D:\\roaming', LOCALAPPDATA: 'D:\\local' };
    const folder = 'D:\\local\\Packages\\Claude_pzs8sxrjxfjjc';
    const desktop = clientNamed('claude-desktop');
    const name = 'Claude\\claude_desktop_config.json';
    expect(userFileOf(desktop, placeOn('win32', { environment }))).toBe(`D:\\roaming\\${name}`);
    expect(userFileOf(desktop, placeOn('win32', { environment, paths: [folder] }))).toBe(
      `${folder}\\LocalCache\\Roaming\\${name}`,
    );
  });

  test('of OpenCode is the existing one of its two possible files', () => {
    const file = '/home/ada/.config/opencode/opencode.jsonc';
    expect(userFileOf(clientNamed('opencode'), placeOn('linux', { paths: [file] }))).toBe(file);
  });
});

test('the file for a project is below the project folder, if the client reads one', () => {
  const here = placeOn('linux');
  const files = CLIENTS.map(client => [client.name, projectFileOf(client, here)] as const);
  expect(Object.fromEntries(files.filter(([, file]) => file !== undefined))).toEqual({
    'claude-code': '/project/.mcp.json',
    cursor: '/project/.cursor/mcp.json',
    vscode: '/project/.vscode/mcp.json',
    devin: '/project/.devin/config.json',
    codex: '/project/.codex/config.toml',
    gemini: '/project/.gemini/settings.json',
    qwen: '/project/.qwen/settings.json',
    opencode: '/project/opencode.json',
    kiro: '/project/.kiro/settings/mcp.json',
    junie: '/project/.junie/mcp/mcp.json',
    amp: '/project/.amp/settings.json',
  });
});

describe('a client is found', () => {
  const namesOn = (platform: keyof typeof HOMES, there: There) =>
    installedClients(placeOn(platform, there)).map(({ name }) => name);

  test('by its folder or its file', () => {
    expect(namesOn('linux', { paths: ['/home/ada/.cursor', '/home/ada/.claude.json'] })).toEqual([
      'claude-code',
      'cursor',
    ]);
  });
  test('by its program', () => {
    expect(namesOn('linux', { environment: { PATH: '/a:/b' }, paths: ['/b/codex'] })).toEqual(['codex']);
    expect(namesOn('win32', { environment: { Path: 'C:\\b' }, paths: ['C:\\b\\gemini.cmd'] })).toEqual(['gemini']);
  });
  test('only on a machine that has its files or its program', () => expect(namesOn('linux', {})).toEqual([]));
});

describe('the written entry', () => {
  const launches = { plain: LAUNCH, 'with variables': { ...LAUNCH, env: { ENGRAPH_URL: 'http://memory:8001' } } };

  test.each(Object.keys(PUBLISHED_SCHEMAS))('is valid under the published schema of %s', name => {
    const schema = z.fromJSONSchema(PUBLISHED_SCHEMAS[name] as Parameters<typeof z.fromJSONSchema>[0]);
    for (const launch of Object.values(launches)) {
      const file = writtenFor(name, launch);
      expect(schema.safeParse(file).error).toBeUndefined();
      expect(schema.safeParse(JSON.parse(JSON.stringify(file).replaceAll('"command"', '"comand"'))).success).toBe(
        false,
      );
    }
  });

  test.each(CLIENTS.map(({ name }) => name))('for %s can be parsed back into the same command', name => {
    const client = clientNamed(name);
    for (const launch of Object.values(launches)) expect(launchIn(entryOf(client, launch))).toEqual(launch);
  });

  test.each(CLIENTS.map(({ name }) => name))('has the format of %s', name => {
    const client = clientNamed(name);
    const { pieces = () => [] } =
      targetOf(client, placeOn('linux'), { launch: LAUNCH, isForProject: false, withHooks: false }) ?? {};
    expect(pieces({}).reduce(formatOf(client.format).set, '')).toMatchSnapshot();
  });

  test('is in mcp.servers for OpenCode 2 if the file has that key', () => {
    const { pieces = () => [] } =
      targetOf(clientNamed('opencode'), placeOn('linux'), { launch: LAUNCH, isForProject: false, withHooks: false }) ??
      {};
    expect(pieces({ mcp: { servers: {} } })[0]?.path).toEqual(['mcp', 'servers', 'engraph']);
    const called = { mcp: { servers: { type: 'local', command: ['x'] } } };
    expect(pieces(called)[0]?.path).toEqual(['mcp', 'engraph']);
  });
});

function writtenFor(name: string, launch: typeof LAUNCH): unknown {
  const client = clientNamed(name);
  const target = targetOf(client, placeOn('linux'), { launch, isForProject: false, withHooks: false });
  const format = formatOf(client.format);
  return format.parse((target?.pieces({}) ?? []).reduce(format.set, ''));
}
