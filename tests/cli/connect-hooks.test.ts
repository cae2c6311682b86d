/** The hooks and plugins that `engraph connect` writes start the same engraph with the same memory as the server. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { entryVariables } from '../../src/connect/hook-hosts.js';
import { folderContents } from '../support/folder-contents.js';
import { runInProcess } from './in-process.js';
import { BINARY, ENVIRONMENT, temporaryFolder } from './spawned-engraph.js';

interface HooksFile {
  hooks: Record<string, { hooks: { type: string; command: string; args?: string[] }[] }[]>;
}
interface Server {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

const LIST = '.local/share/engraph/connections.json';
const MEMORY = ['--env', 'ENGRAPH_URL=http://127.0.0.1:1', '--env', 'ENGRAPH_TOKEN=s3cret'];
const VARIABLES = { ENGRAPH_URL: 'http://127.0.0.1:1', ENGRAPH_TOKEN: 's3cret' };

const run = (home: string, ...args: string[]) => runInProcess(args, { HOME: home });

async function readJson<Content>(...path: string[]): Promise<Content> {
  return JSON.parse(await readFile(join(...path), 'utf8')) as Content;
}

/** The words of each hook's command line, by event. */
function wordsOf({ hooks }: HooksFile): Record<string, string[]> {
  const lines = Object.entries(hooks).map(([event, groups]) => {
    const { command = '', args } = groups.at(-1)?.hooks[0] ?? {};
    return [event, args ? [command, ...args] : command.split(' ')] as const;
  });
  return Object.fromEntries(lines);
}

describe('engraph connect --hooks', () => {
  test('leaves no folder behind after --remove, and tells a user of Codex to trust the hooks', async () => {
    const home = await temporaryFolder();
    const { stdout } = await run(home, 'connect', 'codex', 'windsurf', 'gemini', 'opencode', '--hooks');
    expect(stdout).toMatch(/hooks .*hooks\.json\. In Codex: .*\/hooks/);
    expect(await readdir(home)).not.toEqual([]);
    await run(home, 'connect', '--remove');
    expect(await readdir(home)).toEqual([]);
  });

  test('writes hooks with the command and the settings of the server; --remove restores every byte', async () => {
    const home = await temporaryFolder();
    const files = {
      '.claude/settings.json':
        '{\n  // mine\n  "theme": "dark",\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] }\n}\n',
      '.gemini/settings.json': '\uFEFF{\r\n\t"theme": "dark" // mine\r\n}',
      '.codex/config.toml': 'model = "x" # mine\n',
    };
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(home, file)), { recursive: true });
      await writeFile(join(home, file), text);
    }
    const before = await folderContents(home);
    const connected = await run(home, 'connect', 'claude-code', 'codex', 'gemini', 'cursor', '--hooks', ...MEMORY);
    expect(connected).toMatchObject({ code: 0, stderr: '' });
    const after = await folderContents(home);
    const again = await run(home, 'connect', 'claude-code', 'codex', 'gemini', ...MEMORY);
    expect(again.stdout).not.toMatch(/^ {2}(?!unchanged)/m);
    expect(await folderContents(home)).toEqual(after);

    const settings = (await readFile(join(home, '.claude/settings.json'), 'utf8')).replace('// mine', '');
    const claude = JSON.parse(settings) as HooksFile;
    expect(claude.hooks.Stop).toHaveLength(2);
    const codex = await readJson<HooksFile>(home, '.codex/hooks.json');
    const gemini = JSON.parse(
      (await readFile(join(home, '.gemini/settings.json'), 'utf8')).replace('\uFEFF', '').replace('// mine', ''),
    ) as HooksFile & { mcpServers: { engraph: Server } };
    expect(wordsOf(claude).UserPromptSubmit).toEqual([
      process.execPath,
      BINARY,
      'hook',
      'prompt',
      '--host',
      'claude-code',
    ]);
    expect(wordsOf(codex).Stop).toEqual([process.execPath, BINARY, 'hook', 'stop', '--host', 'codex']);
    expect(wordsOf(gemini).BeforeAgent).toEqual([process.execPath, BINARY, 'hook', 'prompt', '--host', 'gemini']);
    expect(gemini.mcpServers.engraph).toEqual({ command: process.execPath, args: [BINARY], env: VARIABLES });
    for (const host of ['claude-code', 'codex', 'gemini']) {
      expect(entryVariables(host, { list: join(home, LIST) })).toEqual(VARIABLES);
    }
    for (const file of [claude, codex, gemini.hooks]) expect(JSON.stringify(file)).not.toMatch(/s3cret|ENGRAPH/);

    expect((await run(home, 'connect', '--remove')).stdout.match(/^ {2}removed/gm)).toHaveLength(7);
    expect(await folderContents(home)).toEqual(before);
  });

  test('writes hooks that give memories from the memory of the server, not from the default one', async () => {
    const home = await temporaryFolder();
    const memories = join(home, 'memories');
    await run(home, 'connect', 'claude-code', '--hooks', '--env', `ENGRAPH_DATA_DIR=${memories}`);
    const { mcpServers } = await readJson<{ mcpServers: { engraph: Server } }>(home, '.claude.json');
    const { command, args, env } = mcpServers.engraph;
    const client = new Client({ name: 'host', version: '0' });
    onTestFinished(() => client.close());
    const environment = { ...ENVIRONMENT, HOME: home, PORT: '0' };
    await client.connect(
      new StdioClientTransport({ command, args, env: { ...environment, ...env }, stderr: 'ignore' }),
    );
    const content = 'The ferry to the harbour island leaves at seven in the morning.';
    await client.callTool({ name: 'store_memory', arguments: { content } });

    const { hooks } = await readJson<HooksFile>(home, '.claude', 'settings.json');
    const line = hooks.UserPromptSubmit?.[0]?.hooks[0]?.command ?? '';
    const prompt = 'When does the ferry to the harbour island leave in the morning?';
    const input = JSON.stringify({ session_id: 's', cwd: home, hook_event_name: 'UserPromptSubmit', prompt });
    const { stdout } = await promisify(execFile)('sh', ['-c', `printf %s "$INPUT" | ${line}`], {
      env: { ...environment, INPUT: input },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext: expect.stringContaining('leaves at seven'),
      },
    });
    expect(await readdir(join(home, '.local/share/engraph'))).toEqual(['connections.json']);
  });

  test('leaves settings that stand beside the hooks unchanged, with and without --hooks', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, '.gemini'));
    await writeFile(join(home, '.gemini/settings.json'), '{ "hooks": { "enabled": true } }\n');
    const before = await folderContents(home);
    for (const options of [[], [], ['--hooks'], []])
      expect(await run(home, 'connect', 'gemini', ...options)).toMatchObject({ code: 0, stderr: '' });
    const { hooks } = await readJson<HooksFile>(home, '.gemini/settings.json');
    expect(hooks).toMatchObject({ enabled: true, BeforeAgent: [{}] });
    expect(await run(home, 'connect', '--remove')).toMatchObject({ code: 0 });
    expect(await folderContents(home)).toEqual(before);
  });

  test('is not assumed because a file of rules or hooks cannot be read', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, '.gemini'));
    await writeFile(join(home, '.gemini/GEMINI.md'), Buffer.from('Gr\u00fc\u00dfe\n', 'latin1'));
    const { code, stdout } = await run(home, 'connect', 'antigravity');
    expect([code, stdout]).toEqual([0, expect.not.stringMatching(/rules|REFUSED/)]);
  });

  test('are listed where every shell and client finds the list, whatever XDG_DATA_HOME is', async () => {
    const home = await temporaryFolder();
    const shell = { HOME: home, XDG_DATA_HOME: join(home, 'data') };
    expect(await runInProcess(['connect', 'codex', '--hooks', ...MEMORY], shell)).toMatchObject({ code: 0 });
    const hook = promisify(execFile)(process.execPath, [BINARY, 'hook', 'session-start', '--host', 'codex'], {
      env: { ...ENVIRONMENT, HOME: home },
    });
    hook.child.stdin?.end(JSON.stringify({ session_id: 's' }));
    expect((await hook).stdout).toContain('http://127.0.0.1:1 gave no answer');
    expect((await run(home, 'connect', '--remove')).stdout.match(/^ {2}removed/gm)).toHaveLength(2);
  });

  test('refuses --project, because everybody who clones the project would get the hooks', async () => {
    const home = await temporaryFolder();
    const { code, stderr } = await run(home, 'connect', 'claude-code', '--hooks', '--project');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--hooks and --plugin cannot be used with --project')]);
    expect(await folderContents(home)).toEqual({});
  });
});

test('engraph connect --plugin writes plugins whose hooks have the command and the settings of their server', async () => {
  const home = await temporaryFolder();
  const folder = join(home, 'plugins');
  expect(await run(home, 'connect', '--plugin', folder, ...MEMORY)).toMatchObject({ code: 0, stderr: '' });
  const hosts = [
    ['claude-code', '.claude-plugin', '.claude-plugin'],
    ['codex', '.agents/plugins', '.codex-plugin'],
  ] as const;
  for (const [host, marketplace, manifest] of hosts) {
    const root = join(folder, host);
    const { plugins } = await readJson<{ plugins: { name: string; source: string | { path: string } }[] }>(
      root,
      marketplace,
      'marketplace.json',
    );
    const source = plugins[0]?.source ?? '';
    const plugin = join(root, typeof source === 'string' ? source : source.path);
    expect(await readJson(plugin, manifest, 'plugin.json')).toMatchObject({ name: 'engraph', version: '0.1.0' });
    const { mcpServers } = await readJson<{ mcpServers: { engraph: Server } }>(plugin, '.mcp.json');
    expect(mcpServers.engraph).toEqual({ command: process.execPath, args: [BINARY], env: VARIABLES });
    const hooks = await readJson<HooksFile>(plugin, 'hooks', 'hooks.json');
    const words = [process.execPath, BINARY, 'hook', 'prompt', '--host', host, '--plugin'];
    expect(wordsOf(hooks).UserPromptSubmit).toEqual(words);
    expect(entryVariables(host, { list: join(home, LIST), pluginFolder: plugin })).toEqual(VARIABLES);
  }
});
