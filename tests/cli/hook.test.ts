/** `engraph hook` answers a host in time, with and without a running owner, and leaves no process behind. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readFailures } from '../../src/cli/hook/input.js';
import { spawnEngraph, spawnServe, spawnStdio, temporaryFolder, toolCall } from './spawned-engraph.js';

const DATABASE = 'We chose PostgreSQL as the database of all orders because Ann wanted row-level security.';
const DEPLOY = 'Deployments of the shop run on Tuesdays before noon, never on Fridays.';
const ATTEMPTS = 10;
const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;
/** Longer than a host may be quiet before what it has sent is read. */
const PAUSE_MS = 500;
const ABOUT_DATABASE = 'Which database did we choose for the orders?';
const ABOUT_DEPLOY = 'When do deployments of the shop run?';

/** Runs a hook as Claude Code does. */
async function fire(folder: string, event: string, facts: Record<string, unknown> = {}, environment = {}) {
  const args = ['hook', event, '--host', 'claude-code', '--data-dir', folder];
  const { child, ended, output } = spawnEngraph(args, { HOME: folder, ...environment });
  child.stdin.end(JSON.stringify({ session_id: 's1', cwd: '/home/ann/shop', ...facts }));
  const { code } = await ended;
  return { code, ...output };
}

/**
 * Runs a hook until it gives something, each time in a new session: a busy machine may need longer than a host waits.
 *
 * @returns the answer with the session that got it
 */
async function fireUntilGiven(folder: string, event: string, facts: Record<string, unknown>, environment = {}) {
  const fireIn = (session_id: string) => fire(folder, event, { ...facts, session_id }, environment);
  return untilGiven(fireIn, `${facts.session_id ?? 's1'}`);
}

async function untilGiven<Answer extends { stdout: string }>(
  fireIn: (session_id: string) => Promise<Answer>,
  session = 's1',
) {
  for (let attempt = 1; ; attempt++) {
    const session_id = `${session}-${attempt}`;
    const answer = await fireIn(session_id);
    if (answer.stdout !== '' || attempt === ATTEMPTS) return { ...answer, session_id };
  }
}

const context = ({ stdout }: { stdout: string }): string =>
  stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;

async function store(url: string, content: string) {
  const body = JSON.stringify({ content });
  const { status } = await fetch(`${url}/memory`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(status).toBe(201);
}

/** A data folder with two memories, which no process has open. */
async function storedFolder() {
  const folder = join(await temporaryFolder(), 'memory');
  const { child, ended, url } = await spawnServe(folder);
  await store(url, DATABASE);
  await store(url, DEPLOY);
  child.kill('SIGTERM');
  await ended;
  return folder;
}

describe('with a running owner', () => {
  test('gives each memory once in a session, and says in its log what it gave', async () => {
    const folder = join(await temporaryFolder(), 'memory');
    const { url } = await spawnServe(folder);
    await store(url, DATABASE);
    const first = await fire(folder, 'prompt', { prompt: ABOUT_DATABASE });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(first.stdout).hookSpecificOutput.hookEventName).toBe('UserPromptSubmit');
    expect(context(first)).toContain(DATABASE);
    expect(await fire(folder, 'prompt', { prompt: ABOUT_DATABASE })).toEqual({ code: 0, stdout: '', stderr: '' });
    const { sessions } = (await (await fetch(`${url}/hooks/log`)).json()) as { sessions: unknown };
    expect(sessions).toMatchObject([{ session_id: 's1', turns: 2, silences: { shown_already: 1 } }]);
  });

  test('reads the question before a pasted log of any length, and a reply of any length', async () => {
    const folder = join(await temporaryFolder(), 'memory');
    const { url } = await spawnServe(folder);
    await store(url, DATABASE);
    const log = '2026-03-01T10:00:00 INFO request served\n'.repeat(100_000);
    const prompt = `${ABOUT_DATABASE}\n${log}`;
    expect(context(await fire(folder, 'prompt', { prompt }))).toContain(DATABASE);
    expect(await fire(folder, 'stop', { last_assistant_message: log })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFailures(folder)).toEqual([]);
  });

  test.each(['SIGKILL', 'SIGTERM'] as const)('answers by itself after the owner has ended with %s', async signal => {
    const folder = join(await temporaryFolder(), 'memory');
    const { url, child, ended } = await spawnServe(folder);
    await store(url, DATABASE);
    await store(url, DEPLOY);
    const given = await fireUntilGiven(folder, 'prompt', { prompt: ABOUT_DATABASE });
    expect(context(given)).toContain(DATABASE);
    child.kill(signal);
    await ended;
    const { session_id } = given;
    expect((await fire(folder, 'prompt', { session_id, prompt: ABOUT_DATABASE })).stdout).toBe('');
    expect(context(await fireUntilGiven(folder, 'prompt', { prompt: ABOUT_DEPLOY }))).toContain(DEPLOY);
  });

  test('gives nothing in time if the owner hangs, and records that for the doctor', async () => {
    const folder = join(await temporaryFolder(), 'memory');
    const { url, child } = await spawnServe(folder);
    await store(url, DATABASE);
    child.kill('SIGSTOP');
    expect(await fire(folder, 'prompt', { prompt: ABOUT_DATABASE })).toEqual({ code: 0, stdout: '', stderr: '' });
    child.kill('SIGCONT');
    expect(readFailures(folder)).toMatchObject([{ event: 'prompt', host: 'claude-code', kind: 'late' }]);
  });
});

describe('without an owner', () => {
  test('opens the memory for one answer, and leaves no process and no lock behind', async () => {
    const folder = await storedFolder();
    const given = await fireUntilGiven(folder, 'prompt', { prompt: ABOUT_DATABASE });
    expect(context(given)).toContain(DATABASE);
    expect((await fire(folder, 'prompt', { ...given, prompt: ABOUT_DATABASE })).stdout).toBe('');
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(folder);
    const { url } = await spawnServe(folder);
    const health = await (await fetch(`${url}/health`)).json();
    expect(health).toMatchObject({ status: 'healthy', memory_count: 2 });
  });

  test('two sessions at once both get their memories', async () => {
    const folder = await storedFolder();
    const both = await Promise.all([
      fire(folder, 'session-start', { session_id: 'one', source: 'startup' }).then(() =>
        fireUntilGiven(folder, 'prompt', { session_id: 'one', prompt: ABOUT_DATABASE }),
      ),
      fire(folder, 'session-start', { session_id: 'two', source: 'startup' }).then(() =>
        fireUntilGiven(folder, 'prompt', { session_id: 'two', prompt: ABOUT_DEPLOY }),
      ),
    ]);
    expect(both.map(context)).toEqual([expect.stringContaining(DATABASE), expect.stringContaining(DEPLOY)]);
  });

  test('a server that starts meanwhile gets the memory afterwards', async () => {
    const folder = await storedFolder();
    const hook = fire(folder, 'prompt', { prompt: ABOUT_DATABASE });
    const server = spawnStdio(folder);
    server.send({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
    });
    await server.receive();
    server.send({ method: 'notifications/initialized' });
    server.send(toolCall(1, 'recall_memory', { query: ABOUT_DEPLOY }));
    expect(JSON.stringify(await server.receive())).toContain('Tuesdays');
    const answer = await hook;
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    // Two processes open the memory at the same time, which may take longer than a host waits on a busy machine.
    if (readFailures(folder).length === 0) expect(context(answer)).toContain(DATABASE);
  });

  test('creates no data folder, and says nothing', async () => {
    const folder = join(await temporaryFolder(), 'memory');
    expect(await fire(folder, 'session-start', { source: 'startup' })).toEqual({ code: 0, stdout: '', stderr: '' });
    await expect(readFile(join(folder, 'owner.lock'))).rejects.toThrow('ENOENT');
  });

  test('tells the person once, at the start, that the memory cannot be opened', async () => {
    const folder = await storedFolder();
    await writeFile(join(folder, 'memories.db'), 'this is no database, and it is longer than a header of SQLite has');
    const start = await fire(folder, 'session-start', { source: 'startup' });
    expect(start.code).toBe(0);
    expect(JSON.parse(start.stdout).systemMessage).toMatch(/^Engraph gives no memories: .*engraph doctor/s);
    expect(await fire(folder, 'prompt', { prompt: ABOUT_DATABASE })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFailures(folder).map(({ kind }) => kind)).toEqual(['failed', 'failed']);
  });
});

describe('with a service at a URL', () => {
  test('asks it, with its token', async () => {
    const folder = join(await temporaryFolder(), 'memory');
    const { url } = await spawnServe(folder, { SERVICE_API_TOKEN: 's3cret' });
    const headers = { authorization: 'Bearer s3cret', 'content-type': 'application/json' };
    await fetch(`${url}/memory`, { method: 'POST', headers, body: JSON.stringify({ content: DATABASE }) });
    const elsewhere = await temporaryFolder();
    const environment = { ENGRAPH_URL: url, ENGRAPH_TOKEN: 's3cret' };
    expect(context(await fireUntilGiven(elsewhere, 'prompt', { prompt: ABOUT_DATABASE }, environment))).toContain(
      DATABASE,
    );
  });

  test('tells the person at the start that it gives no answer', async () => {
    const folder = await temporaryFolder();
    const start = await fire(folder, 'session-start', {}, { ENGRAPH_URL: 'http://127.0.0.1:9' });
    expect(start.code).toBe(0);
    expect(JSON.parse(start.stdout).systemMessage).toContain('http://127.0.0.1:9 gave no answer (ECONNREFUSED)');
  });
});

test('gives and writes nothing if the memory is only read', async () => {
  const folder = await storedFolder();
  const answer = await fire(folder, 'prompt', { prompt: ABOUT_DATABASE }, { ENGRAPH_READ_ONLY: 'true' });
  expect(answer).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('gives nothing from a folder that cannot be written, and tells the person at the start', async () => {
  const folder = await storedFolder();
  const parent = dirname(folder);
  for (const path of [dirname(parent), parent]) if ((statSync(path).mode & 0o005) === 0) chmodSync(path, 0o755);
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
  chmodSync(folder, 0o555);
  onTestFinished(() => chmodSync(folder, 0o755));
  const fireAs = async (event: string, facts: object) => {
    const args = ['hook', event, '--data-dir', folder];
    const { child, ended, output } = spawnEngraph(args, { HOME: parent }, isRoot ? NOBODY : undefined);
    child.stdin.end(JSON.stringify({ session_id: 's1', ...facts }));
    return { code: (await ended).code, ...output };
  };
  const start = await fireAs('session-start', { source: 'startup' });
  expect(JSON.parse(start.stdout).systemMessage).toMatch(/^Engraph gives no memories: .* is only read.*may not write/);
  for (let time = 0; time < 3; time++)
    expect(await fireAs('prompt', { prompt: ABOUT_DATABASE })).toEqual({ code: 0, stdout: '', stderr: '' });
});

test.each([
  ['no JSON', 'not json', [{ kind: 'failed', reason: 'the host sent 8 characters that are no JSON' }]],
  ['no input', '', []],
  ['no session', '{"prompt": "Which database?"}', []],
  ['a session that is no text', '{"session_id": 7, "prompt": "Which database?"}', [{ kind: 'failed' }]],
])('says nothing and exits with 0 for %s, and records a failure for the doctor', async (_, input, failures) => {
  const folder = await storedFolder();
  const { child, ended, output } = spawnEngraph(['hook', 'prompt', '--data-dir', folder]);
  child.stdin.end(input);
  expect([(await ended).code, output.stdout, output.stderr]).toEqual([0, '', '']);
  expect(readFailures(folder)).toMatchObject(failures);
});

test.each([
  ['keeps stdin open', (input: string) => [input]],
  ['pauses longer than 200 ms', (input: string) => [input.slice(0, 30), input.slice(30)]],
  ['begins with a byte order mark', (input: string) => [`\uFEFF${input}`]],
])('reads a prompt from a host that %s', async (_, partsOf) => {
  const folder = await storedFolder();
  const answer = await untilGiven(async session_id => {
    const { child, ended, output } = spawnEngraph(['hook', 'prompt', '--host', 'gemini', '--data-dir', folder]);
    for (const part of partsOf(JSON.stringify({ session_id, prompt: ABOUT_DATABASE }))) {
      child.stdin.write(part);
      await pause(PAUSE_MS);
    }
    const { code } = await ended;
    return { code, ...output };
  });
  expect(answer.code).toBe(0);
  expect(context(answer)).toContain(DATABASE);
});

test.each([
  [['hook', 'nonsense'], /event 'nonsense' does not exist/],
  [['hook', 'prompt', '--host', 'emacs'], /host 'emacs' is unknown/],
])('%j names the mistake, and does not end with 2, which would block a prompt', async (args, problem) => {
  const { child, ended, output } = spawnEngraph(args);
  child.stdin.end('{}');
  expect((await ended).code).toBe(1);
  expect(output.stderr).toMatch(problem);
});

test('shows with --try what would be given and why, without recording it', async () => {
  const folder = await storedFolder();
  const { ended, output } = spawnEngraph(['hook', '--try', ABOUT_DATABASE, '--data-dir', folder]);
  expect((await ended).code).toBe(0);
  expect(output.stdout).toMatch(
    /would get this text of \d+ tokens:[\s\S]*<engraph-memories>[\s\S]*\d\.\d\d {2}given: We chose/,
  );
  expect(context(await fireUntilGiven(folder, 'prompt', { prompt: ABOUT_DATABASE }))).toContain(DATABASE);
});

test('asks the summary to keep decisions, and asks to store them after the compaction', async () => {
  const folder = join(await temporaryFolder(), 'memory');
  const { url } = await spawnServe(folder);
  await store(url, DATABASE);
  await fire(folder, 'prompt', { prompt: ABOUT_DATABASE });
  const summary = await fire(folder, 'pre-compact', { trigger: 'manual' });
  expect(summary).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Keep in the summary/) });
  const after = context(await fire(folder, 'session-start', { source: 'compact' }));
  expect(after).toMatch(/store it now with store_memory/);
  expect(context(await fire(folder, 'prompt', { prompt: ABOUT_DATABASE }))).toContain(DATABASE);
});
