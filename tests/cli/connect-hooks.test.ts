/** The hooks and plugins that `engraph connect` writes work in a host: they give memories to the model. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folderContents } from '../support/folder-contents.js';
import { ENVIRONMENT, spawnEngraph, temporaryFolder } from './spawned-engraph.js';

interface Hook {
  server: string;
  tool: string;
  input: Record<string, string>;
}
interface HooksFile {
  hooks: Record<string, { matcher?: string; hooks: Hook[] }[]>;
}
interface Server {
  command: string;
  args: string[];
  env: Record<string, string>;
}

async function run(home: string, ...args: string[]) {
  const { ended, output } = spawnEngraph(args, { HOME: home });
  return { code: (await ended).code, ...output };
}

async function readJson<Content>(...path: string[]): Promise<Content> {
  return JSON.parse(await readFile(join(...path), 'utf8')) as Content;
}

/** Starts the server. The returned `fire` runs the hook of an event as a host does. */
async function openHost(home: string, { command, args, env }: Server, { hooks }: HooksFile) {
  const client = new Client({ name: 'host', version: '0' });
  onTestFinished(() => client.close());
  const memories = { ENGRAPH_DATA_DIR: join(home, 'memories'), PORT: '0', HOME: home };
  const environment = { ...ENVIRONMENT, ...memories, ...env };
  await client.connect(new StdioClientTransport({ command, args, env: environment, stderr: 'ignore' }));
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: input });
    return (content as { text: string }[])[0]?.text ?? '';
  };
  const fire = async (event: string, facts: Record<string, string>) => {
    const [hook] = hooks[event]?.[0]?.hooks ?? [];
    if (!hook) throw new Error(`There is no hook for ${event}`);
    const filled = Object.entries(hook.input).map(([name, value]) => [
      name,
      value.replace(/^\$\{(\w+)\}$/, (whole, fact: string) => facts[fact] ?? whole),
    ]);
    return JSON.parse(await call(hook.tool, Object.fromEntries(filled))) as {
      hookSpecificOutput?: { hookEventName: string; additionalContext: string };
    };
  };
  return { call, fire };
}

const TALK = { session_id: 'talk', cwd: '/home/ann/harbour' };

async function expectToGiveMemories({ call, fire }: Awaited<ReturnType<typeof openHost>>) {
  await call('store_memory', { content: 'The ferry to the harbour island leaves at seven in the morning.' });
  const ask = (session_id: string) =>
    fire('UserPromptSubmit', {
      ...TALK,
      session_id,
      prompt: 'When does the ferry to the harbour island leave in the morning?',
    });
  // The first recall on a busy machine may take over 300 ms. The hook then gives no memories, so it is fired again.
  let tries = 0;
  await expect
    .poll(async () => (await ask(`talk-${tries++}`)).hookSpecificOutput, { timeout: 10_000 })
    .toMatchObject({
      hookEventName: 'UserPromptSubmit',
      additionalContext: expect.stringContaining('leaves at seven'),
    });
  expect(await fire('UserPromptSubmit', { ...TALK, prompt: '/compact the ferry' })).toEqual({});
  const end = { ...TALK, last_assistant_message: 'It leaves at seven.', stop_hook_active: 'false' };
  expect(await fire('Stop', end)).toEqual({});
  expect(await fire('SessionStart', TALK)).toEqual({});
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

  test('writes working hooks for Claude Code and Codex, and rules for Gemini; --remove restores every byte', async () => {
    const home = await temporaryFolder();
    const files = {
      '.claude/settings.json':
        '{\n  // mine\n  "theme": "dark",\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] }\n}\n',
      '.gemini/GEMINI.md': '# My rules\n\nBe short.',
      '.codex/config.toml': 'model = "x" # mine\n',
    };
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(home, file)), { recursive: true });
      await writeFile(join(home, file), text);
    }
    const before = await folderContents(home);
    const connected = await run(home, 'connect', 'claude-code', 'codex', 'gemini', 'cursor', '--hooks');
    expect(connected).toMatchObject({ code: 0, stderr: '' });
    expect(connected.stdout).toContain('Engraph writes neither hooks nor rules for Cursor');
    const after = await folderContents(home);
    expect((await run(home, 'connect', 'claude-code', 'codex', 'gemini')).stdout).not.toMatch(/^ {2}(?!unchanged)/m);
    expect(await folderContents(home)).toEqual(after);

    expect(await readFile(join(home, '.gemini/GEMINI.md'), 'utf8')).toMatch(
      /^# My rules\n\nBe short\.\n\n<!-- engraph/,
    );
    const settings = (await readFile(join(home, '.claude/settings.json'), 'utf8')).replace('// mine', '');
    const { mcpServers } = await readJson<{ mcpServers: { engraph: Server } }>(home, '.claude.json');
    const own = JSON.parse(settings) as HooksFile;
    expect(own.hooks.Stop).toHaveLength(2);
    own.hooks.Stop?.shift();
    await expectToGiveMemories(await openHost(home, mcpServers.engraph, own));
    const codex = await readJson<HooksFile>(home, '.codex/hooks.json');
    expect(codex.hooks).toEqual(own.hooks);

    expect((await run(home, 'connect', '--remove')).stdout.match(/^ {2}removed/gm)).toHaveLength(7);
    const left = Object.entries(await folderContents(home)).filter(([path]) => !path.startsWith('memories'));
    expect(Object.fromEntries(left)).toEqual(before);
  });

  test('refuses --project, because everybody who clones the project would get the hooks', async () => {
    const home = await temporaryFolder();
    const { code, stderr } = await run(home, 'connect', 'claude-code', '--hooks', '--project');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--hooks and --plugin cannot be used with --project')]);
    expect(await folderContents(home)).toEqual({});
  });
});

test('engraph connect --plugin writes working plugins for Claude Code and Codex', async () => {
  const home = await temporaryFolder();
  const folder = join(home, 'plugins');
  expect(await run(home, 'connect', '--plugin', folder)).toMatchObject({ code: 0, stderr: '' });
  const hosts = [
    ['claude-code', '.claude-plugin', '.claude-plugin', 'plugin:engraph:engraph'],
    ['codex', '.agents/plugins', '.codex-plugin', 'engraph'],
  ] as const;
  for (const [host, marketplace, manifest, server] of hosts) {
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
    const file = await readJson<HooksFile>(plugin, 'hooks', 'hooks.json');
    expect(
      Object.values(file.hooks).flatMap(groups => groups.flatMap(({ hooks }) => hooks.map(hook => hook.server))),
    ).toEqual([server, server, server]);
    await expectToGiveMemories(await openHost(join(home, host), mcpServers.engraph, file));
  }
});
