/** Runs `engraph doctor` as a real process. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeFalkor } from '../support/falkordb-server.js';
import { startModelServer } from '../support/model-server.js';
import { runInProcess } from './in-process.js';
import { spawnEngraph, spawnServe, temporaryFolder } from './spawned-engraph.js';

const runDoctor = (folder: string, environment: Record<string, string> = {}) =>
  runInProcess(['doctor', '--data-dir', folder], { HOME: folder, ...environment });

describe('engraph doctor', () => {
  it('reports what works, and deletes its probe', { timeout: 20_000 }, async () => {
    const folder = await temporaryFolder();
    for (const _run of [1, 2]) {
      const { code, stdout } = await runDoctor(folder);
      expect(stdout).toContain('Everything works.');
      expect(stdout).not.toContain('FAILS');
      for (const check of ['open', 'stores', 'store', 'recall', 'vectors', 'delete']) {
        expect(stdout).toMatch(new RegExp(`works {2}${check} `));
      }
      expect(stdout).toContain('memories: 0');
      expect(code).toBe(0);
    }
  });

  it('reports a failing embedding provider, and that everything else works', async () => {
    const { url, stop } = await startModelServer();
    await stop();
    const { code, stdout } = await runDoctor(await temporaryFolder(), {
      EMBEDDING_PROVIDER: 'ollama',
      OLLAMA_BASE_URL: url,
      // One retry makes the doctor wait. The process must not end meanwhile, although nothing else keeps it alive.
      EMBEDDING_MAX_RETRIES: '1',
    });
    expect(stdout).toMatch(/FAILS {2}vectors +ollama \(nomic-embed-text\) cannot be reached .*OLLAMA_BASE_URL/);
    expect(stdout).toContain('because EMBEDDING_PROVIDER=ollama');
    for (const check of ['open', 'stores', 'store', 'recall', 'delete']) {
      expect(stdout).toMatch(new RegExp(`works {2}${check} `));
    }
    expect(code).toBe(1);
  });

  it('asks the language model, and reports why it fails without showing the key', async () => {
    const key = 'sk-secret-of-the-doctor';
    const server = await startModelServer();
    const environment = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url, LOG_LEVEL: 'debug' };
    server.on('/v1/messages', { status: 401, json: { error: { message: `invalid x-api-key ${key}` } } });
    const failing = await runDoctor(await temporaryFolder(), environment);
    expect(failing.stdout).toMatch(
      /FAILS {2}language model +.*anthropic .* refuses the key \(401\): check ANTHROPIC_API_KEY/,
    );
    expect(failing.stdout + failing.stderr).not.toContain(key);
    expect(failing.code).toBe(1);

    const content = [{ type: 'text', text: '{"summary":"A probe."}' }];
    const usage = { input_tokens: 9, output_tokens: 3 };
    server.on('/v1/messages', { json: { content, usage, stop_reason: 'end_turn' } });
    const working = await runDoctor(await temporaryFolder(), environment);
    expect(working.stdout).toMatch(/works {2}language model +anthropic .* answers/);
    expect(working.code).toBe(0);
  });

  it('names the missing setting if the embedding provider has no API key', async () => {
    const { code, stdout } = await runDoctor(await temporaryFolder(), { EMBEDDING_PROVIDER: 'openai' });
    expect(stdout).toMatch(/FAILS {2}open .*EMBEDDING_PROVIDER=openai needs OPENAI_API_KEY/);
    expect(code).toBe(1);
  });

  it('stores no probe in a read-only memory, and says so', async () => {
    const folder = await temporaryFolder();
    for (const isBesideOwner of [false, true]) {
      if (isBesideOwner) await spawnServe(folder);
      const { code, stdout } = await runDoctor(folder, { ENGRAPH_READ_ONLY: 'true' });
      expect(stdout).toMatch(/works {2}stores .*memories: 0/);
      expect(stdout).toMatch(/skipped store, recall, vectors and delete: .*ENGRAPH_READ_ONLY/);
      expect(stdout).not.toMatch(/FAILS|works {2}(?:store|delete) /);
      expect(stdout).toContain('Everything works.');
      expect(code).toBe(0);
    }
  });

  it('stops after the first check if the service does not answer', async () => {
    const { url, stop } = await startModelServer();
    await stop();
    const { code, stdout } = await runDoctor(await temporaryFolder(), { ENGRAPH_URL: url });
    expect(stdout.match(/FAILS {2}\w+/g)).toEqual(['FAILS  stores']);
    expect(stdout).toContain(`${url} gave no answer (ECONNREFUSED)`);
    expect(code).toBe(1);
  });

  it('says which hooks gave memories, and which came too late', async () => {
    const folder = await temporaryFolder();
    expect((await runDoctor(folder)).stdout).not.toMatch(/hooks/);
    const prompt = { session_id: 's1', cwd: '/home/ann/shop', prompt: 'Which database did we choose?' };
    const fire = async () => {
      const { child, ended } = spawnEngraph(['hook', 'prompt', '--host', 'codex', '--data-dir', folder]);
      child.stdin.end(JSON.stringify(prompt));
      await ended;
    };
    await fire();
    expect((await runDoctor(folder)).stdout).toMatch(
      /works {2}hooks .* 1 conversation of the last week, and never came too late/,
    );
    const { child } = await spawnServe(folder);
    child.kill('SIGSTOP');
    await fire();
    child.kill('SIGCONT');
    expect((await runDoctor(folder)).stdout).toMatch(
      /works {2}hooks .*; 1 hook came too late or failed, at last prompt of codex at 20\S+: the memory gave no answer/,
    );
  });

  it.each([
    ['a file', '.codex', undefined],
    ['a file that dotfiles link to', '.codex', 'dotfiles/codex-hooks.json'],
    ['a file in CODEX_HOME that dotfiles link to', 'own', 'dotfiles/codex-hooks.json'],
  ])(
    'says that Codex does not run its hooks in %s before the person trusts them',
    { timeout: 60_000 },
    async (_, name, target) => {
      const home = await temporaryFolder();
      const folder = join(home, name);
      const environment = { HOME: home, ...(name !== '.codex' && { CODEX_HOME: folder }) };
      const hooks = join(folder, 'hooks.json');
      const config = join(folder, 'config.toml');
      const paths = [hooks, ...(target === undefined ? [] : [join(home, target)])];
      await mkdir(folder);
      if (target !== undefined) {
        await mkdir(join(home, 'dotfiles'));
        await symlink(join(home, target), hooks);
      }
      expect(await runInProcess(['connect', 'codex', '--hooks'], environment)).toMatchObject({ code: 0 });
      const connected = await readFile(config, 'utf8');
      const untrusted = await runDoctor(home, environment);
      expect(untrusted.stdout).toMatch(/FAILS {2}codex hooks .*hooks\.json yet\. Start codex, type \/hooks/);
      expect(untrusted.code).toBe(1);
      for (const path of paths) {
        const keys = ['session_start', 'user_prompt_submit', 'stop', 'session_end'].map(
          event => `${path}:${event}:0:0`,
        );
        const trust = keys.map(key => `[hooks.state."${key}"]\ntrusted_hash = "sha256:0"\n`).join('');
        await writeFile(config, `${connected}\n${trust}`);
        expect((await runDoctor(home, environment)).stdout).not.toContain('codex hooks');
      }
    },
  );

  it('uses the process that has the memory open', async () => {
    const folder = await temporaryFolder();
    const { url, child } = await spawnServe(folder);
    const { code, stdout, stderr } = await runDoctor(folder);
    expect(stdout).toContain(`process ${child.pid} has the memory open`);
    expect(stdout).toContain('Everything works.');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect((await fetch(`${url}/health`)).ok).toBe(true);
  });
});

describeFalkor('engraph doctor on a graph', { isForgetful: true }, suite => {
  it('counts the memories of other programs, which engraph import can import', { timeout: 20_000 }, async () => {
    const { url, graph } = suite.settings();
    const settings = { FALKORDB_URL: url, FALKORDB_GRAPH: graph };
    const folder = await temporaryFolder();
    expect((await runDoctor(folder, settings)).stdout).toMatch(/works {2}graph +no other program has memories in it/);
    const id = '00000000-0000-4000-8000-000000000001';
    await suite.server.query(graph, `CREATE (:Memory {id: '${id}', content: 'The kettle is new'})`);
    const { code, stdout } = await runDoctor(folder, settings);
    expect(stdout).toMatch(/works {2}graph +1 memory of other programs, left alone; .*engraph import --from automem/);
    expect(code).toBe(0);
    const options = ['--from', 'automem', '--data-dir', folder];
    const { ended, output } = spawnEngraph(['import', url, ...options], { HOME: folder, ...settings });
    expect([(await ended).code, output.stdout]).toEqual([0, expect.stringContaining('memories: 1 new')]);
    const unnamed = spawnEngraph(['import', url, '--data-dir', folder], { HOME: folder, ...settings });
    expect((await unnamed.ended).code).toBe(2);
  });
});
