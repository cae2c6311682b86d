/** Runs `engraph connect` as a real process in its own home folder, and reads the written file as a client would. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { greet } from '../../src/cli/client-checks.js';
import { CLIENTS, launchIn } from '../../src/connect/clients.js';
import { userSystem } from '../../src/connect/config-file.js';
import { valueAt } from '../../src/connect/format.js';
import { formatOf } from '../../src/connect/formats.js';
import { serverPath, userFileOf } from '../../src/connect/targets.js';
import { folderContents } from '../support/folder-contents.js';
import { runInProcess } from './in-process.js';
import { BINARY, ENVIRONMENT, temporaryFolder } from './spawned-engraph.js';

type Variables = Record<string, string>;

const run = (home: string, args: readonly string[], environment: Variables = {}) =>
  runInProcess(args, { HOME: home, ...environment });

/** The command in the file of a client, as that client would read it. */
async function launchWritten(home: string, name: string) {
  const client = CLIENTS.find(each => each.name === name);
  if (client === undefined) throw new Error(`There is no client ${name}`);
  const file = userFileOf(client, userSystem({ environment: {}, platform: 'linux', home }));
  const root = formatOf(client.format).parse(await readFile(file, 'utf8'));
  const launch = launchIn(valueAt(root, serverPath(client, root)));
  if (launch === undefined) throw new Error(`${file} starts nothing`);
  return launch;
}

async function connectedClient(home: string, name: string, environment: Variables = {}) {
  const { command, args, env } = await launchWritten(home, name);
  const client = new Client({ name: 'test', version: '0' });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args],
      env: { ...ENVIRONMENT, HOME: home, PORT: '0', ...environment, ...env },
      stderr: 'ignore',
    }),
  );
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  return JSON.stringify((await client.callTool({ name, arguments: args })).content);
}

describe('engraph connect', () => {
  it.each(['claude-code', 'codex', 'opencode'])(
    'writes a command for %s that stores and recalls memories',
    async name => {
      const home = await temporaryFolder();
      const before = await folderContents(home);
      const first = await run(home, ['connect', name]);
      expect(first).toMatchObject({ code: 0, stderr: '' });
      expect(first.stdout).toMatch(/^ {2}connected +\S+ +server +\//);
      const connected = await folderContents(home);
      expect((await run(home, ['connect', name])).stdout).toMatch(/^ {2}unchanged/);
      expect(await folderContents(home)).toEqual(connected);
      expect(await launchWritten(home, name)).toEqual({ command: process.execPath, args: [BINARY], env: {} });
      const client = await connectedClient(home, name, { ENGRAPH_DATA_DIR: join(home, 'memories') });
      await call(client, 'store_memory', { content: 'The harbour opens at seven' });
      expect(await call(client, 'recall_memory', { query: 'harbour' })).toContain('The harbour opens at seven');
      await client.close();
      expect((await run(home, ['connect', '--remove'])).stdout).toMatch(/^ {2}removed/);
      const after = Object.entries(await folderContents(home)).filter(([path]) => !path.startsWith('memories'));
      expect(Object.fromEntries(after)).toEqual(before);
    },
  );

  it('with --yes connects every found client; with neither --yes nor a terminal only prints their names', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, '.cursor'));
    await mkdir(join(home, '.codex'));
    const before = await folderContents(home);
    expect(await run(home, ['connect'])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('repeat the command with --yes, or with the names of some of them: cursor codex'),
    });
    expect(await folderContents(home)).toEqual(before);
    const shown = await run(home, ['connect', '--print']);
    expect(shown.stdout).toContain('Cursor: ');
    expect(shown.stdout).toContain('[mcp_servers.engraph]');
    expect(await folderContents(home)).toEqual(before);
    expect((await run(home, ['connect', '--yes'])).stdout.match(/connected/g)).toHaveLength(2);
    expect((await run(home, ['connect', 'cursor', '--remove'])).stdout).toContain('removed');
    expect((await run(home, ['connect', '--remove'])).stdout).toMatch(/removed +codex/);
    expect(await folderContents(home)).toEqual(before);
  });

  it.runIf(existsSync('/usr/bin/script'))('asks once on a terminal, and writes nothing after a no', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, '.cursor'));
    const before = await folderContents(home);
    const command = `'${process.execPath}' '${BINARY}' connect`;
    const answering = async (answer: string) => {
      // `script` gives the command a terminal.
      const child = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { env: { ...ENVIRONMENT, HOME: home } });
      onTestFinished(() => void child.kill('SIGKILL'));
      let said = '';
      child.stdout.setEncoding('utf8').on('data', text => {
        said += text;
        if (text.includes('[Y/n]')) child.stdin.write(`${answer}\n`);
      });
      await once(child, 'close');
      return said;
    };
    expect(await answering('n')).toMatch(/Found: Cursor \(cursor\)[\s\S]*Nothing was written\. .* names: cursor/);
    expect(await folderContents(home)).toEqual(before);
    const said = await answering('');
    expect(said.match(/\[Y\/n\]/g)).toHaveLength(1);
    expect(said).toMatch(/connected +cursor/);
  });

  it('lists the supported clients if no client is installed', async () => {
    const home = await temporaryFolder();
    expect(await run(home, ['connect'])).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/opencode +OpenCode/),
    });
    expect(await run(home, ['connect', '--remove'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('already removed'),
    });
  });

  it('with --remove --print shows the entries that --remove would remove, and writes nothing', async () => {
    const home = await temporaryFolder();
    await run(home, ['connect', 'claude-code', '--hooks']);
    const before = await folderContents(home);
    const { code, stdout } = await run(home, ['connect', '--remove', '--print']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\.claude\.json would lose this:[\s\S]*"mcpServers"[\s\S]*settings\.json would lose this:/);
    expect(await folderContents(home)).toEqual(before);
  });

  it('refuses a broken file with the line of the error, and still connects the other clients', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, '.cursor'));
    await writeFile(join(home, '.cursor/mcp.json'), '{\n  "a": 1\n  "b": 2\n}\n');
    const { code, stdout } = await run(home, ['connect', 'cursor', 'codex']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/REFUSED +cursor +server +\S+mcp\.json stays as it is\. .* line 3, column 3/);
    expect(stdout).toMatch(/connected +codex/);
    expect(await readFile(join(home, '.cursor/mcp.json'), 'utf8')).toBe('{\n  "a": 1\n  "b": 2\n}\n');
  });

  it('writes --data-dir, ENGRAPH_URL, ENGRAPH_TOKEN and the variables of --env into the entry', async () => {
    const home = await temporaryFolder();
    const variables = { ENGRAPH_URL: 'http://memory:8001', ENGRAPH_TOKEN: 'secret', LOG_LEVEL: 'debug' };
    const args = ['connect', 'codex', '--data-dir', 'here', '--env', 'LOG_LEVEL', '--env', 'RECALL_MIN_SCORE=0.1'];
    const { stdout } = await run(home, args, variables);
    expect(stdout).toContain('ENGRAPH_TOKEN was written to these files');
    expect(await launchWritten(home, 'codex')).toMatchObject({
      args: [BINARY, '--data-dir', join(tmpdir(), 'here')],
      env: { ...variables, RECALL_MIN_SCORE: '0.1' },
    });
  });

  it.each([
    [['--data-dir=~/mem'], {}],
    [[], { ENGRAPH_DATA_DIR: '~/mem' }],
    [['--env', 'ENGRAPH_DATA_DIR=~/mem'], {}],
  ])(
    'writes a path below the home folder if %j %j begins with ~, which no shell has replaced',
    async (options, variables) => {
      const home = await temporaryFolder();
      expect((await run(home, ['connect', 'codex', ...options], variables)).code).toBe(0);
      const { args, env } = await launchWritten(home, 'codex');
      expect(args[2] ?? env.ENGRAPH_DATA_DIR).toBe(join(home, 'mem'));
    },
  );

  it.runIf(process.platform === 'linux')('gives server and hooks the memory to which XDG_DATA_HOME leads', async () => {
    const home = await temporaryFolder();
    const variables = { XDG_DATA_HOME: join(home, 'data') };
    expect((await run(home, ['connect', 'codex', '--hooks'], variables)).code).toBe(0);
    const folder = join(home, 'data', 'engraph');
    expect((await launchWritten(home, 'codex')).args).toEqual([BINARY, '--data-dir', folder]);
    expect(await readFile(join(home, '.codex/hooks.json'), 'utf8')).toContain(`--data-dir ${folder}`);
    for (const [options, more] of [
      [[], { XDG_DATA_HOME: join(home, '.local/share') }],
      [['--env', 'ENGRAPH_DATA_DIR=here'], variables],
      [[], { ...variables, ENGRAPH_URL: 'http://memory:8001' }],
    ] as const) {
      expect((await run(home, ['connect', 'codex', ...options], more)).code).toBe(0);
      expect((await launchWritten(home, 'codex')).args).toEqual([BINARY]);
    }
  });

  it('says that texts go to a provider whose key the assistants may pass on', async () => {
    const key = { ANTHROPIC_API_KEY: 'sk-ant-0123456789' };
    const { stdout } = await run(await temporaryFolder(), ['connect', 'codex'], key);
    expect(stdout).toContain('ANTHROPIC_API_KEY is set here.');
    const prevented = ['connect', 'codex', '--env', 'LLM_PROVIDER=none', '--env', 'EMBEDDING_PROVIDER=local'];
    expect((await run(await temporaryFolder(), prevented, key)).stdout).not.toContain('is set here');
  });

  it.each([
    [['connect', 'emacs'], "The client 'emacs' is unknown. Clients are claude-desktop, claude-code"],
    [['connect', 'windsurf', '--project'], 'Windsurf does not read servers from projects'],
    [['connect', 'cursor', '--env', '1x'], "--env needs NAME or NAME=VALUE, but got '1x'"],
    [['connect', 'cursor', '--env', 'NOT_SET'], 'NOT_SET is not set here'],
    [['doctor', '--remove'], "--remove can be used only with 'engraph connect'"],
  ])('%j is a usage error', async (args, complaint) => {
    const { code, stderr } = await run(await temporaryFolder(), args);
    expect(code).toBe(2);
    expect(stderr).toContain(complaint);
  });
});

describe('engraph doctor with clients', () => {
  it('runs the command of each client, and fails if a command no longer exists', { timeout: 60_000 }, async () => {
    const home = await temporaryFolder();
    const environment = { PORT: '0' };
    expect((await run(home, ['doctor'], environment)).stdout).toContain(
      "no client starts engraph yet: run 'engraph connect'",
    );
    await run(home, ['connect', 'cursor', 'codex', '--env', 'EMBEDDING_PROVIDER', '--env', 'PORT=0']);
    const well = await run(home, ['doctor'], environment);
    expect(well.stdout).toMatch(/works {2}cursor +the command in \S+mcp\.json answers as engraph with \d+ tools/);
    expect(well.stdout).toMatch(/works {2}codex /);
    expect(well.code).toBe(0);
    const file = join(home, '.codex/config.toml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('bin/engraph.js', 'bin/gone.js'));
    const ill = await run(home, ['doctor'], environment);
    expect(ill.stdout).toMatch(/works {2}cursor /);
    expect(ill.stdout).toMatch(/FAILS {2}codex .*Cannot find module/);
    expect(ill.code).toBe(1);
  });

  it('fails if the file of a connected client cannot be parsed, and skips entries without a command', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, '.cursor'));
    await mkdir(join(home, '.gemini'));
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, '.cursor/mcp.json'), '{ "mcpServers": { "engraph": }');
    await writeFile(join(home, '.codex/config.toml'), 'a = \n');
    await writeFile(join(home, '.gemini/settings.json'), '{"mcpServers":{"engraph":{"httpUrl":"http://m/mcp"}}}');
    const { code, stdout } = await run(home, ['doctor'], { ENGRAPH_READ_ONLY: 'true' });
    expect(stdout).toMatch(/FAILS {2}cursor .*mcp\.json: It is not valid JSON at line 1/);
    expect(stdout).toMatch(/skipped gemini .*: the entry starts no command/);
    expect(stdout).not.toContain('codex');
    expect(code).toBe(1);
  });

  it('runs a project entry only if engraph connect wrote it', async () => {
    const home = await temporaryFolder();
    const project = join(home, 'project');
    await mkdir(project);
    const inProject = (...args: string[]) =>
      promisify(execFile)(process.execPath, [BINARY, ...args], {
        cwd: project,
        env: { ...ENVIRONMENT, HOME: home, PATH: project },
      });
    const script = `require('fs').writeFileSync(${JSON.stringify(join(home, 'started'))}, '')`;
    const trap = { command: process.execPath, args: ['-e', script] };
    await writeFile(join(project, '.mcp.json'), JSON.stringify({ mcpServers: { engraph: trap } }));
    expect((await inProject('doctor')).stdout).toMatch(/skipped claude-code .*: somebody else may have written/);
    expect(existsSync(join(home, 'started'))).toBe(false);
    await inProject('connect', 'claude-code', '--project', '--force');
    // The entry of a project starts `engraph` from the PATH, and the PATH of this test does not contain it.
    await expect(inProject('doctor')).rejects.toThrow(
      expect.objectContaining({ stdout: expect.stringMatching(/FAILS {2}claude-code .*engraph cannot be started/) }),
    );
    const written = await readFile(join(project, '.mcp.json'), 'utf8');
    await writeFile(join(project, '.mcp.json'), written.replace('"args"', '"env": { "NODE_OPTIONS": "x" }, "args"'));
    expect((await inProject('doctor')).stdout).toContain('skipped claude-code');
  });
});

describe('the handshake', () => {
  const node = (script: string) => ({ command: process.execPath, args: ['-e', script], env: {} });

  it('reports why a server gave no answer', async () => {
    await expect(greet({ command: '/gone/node', args: [], env: {} }, {}, 5000)).rejects.toThrow('ENOENT');
    const failing = node('console.error("a line"); console.error("Error: no luck"); process.exit(3)');
    await expect(greet(failing, {}, 5000)).rejects.toThrow('ended with 3 before it answered. Error: no luck');
    await expect(greet(node('setInterval(() => {}, 1000)'), {}, 300)).rejects.toThrow('no answer within 0.3 seconds');
  });

  it('ignores output that is not a JSON-RPC message', async () => {
    const answer = '{"jsonrpc":"2.0","id":0,"result":{}}';
    const chatty = node(`console.log("hello"); console.log(${JSON.stringify(answer)}); setInterval(() => {}, 1000)`);
    await expect(greet(chatty, {}, 300)).rejects.toThrow('no answer within');
  });
});
