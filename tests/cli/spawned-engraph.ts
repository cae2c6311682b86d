/** Starts the real binary as a child process, and waits for its output and its end. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const BINARY = fileURLToPath(new URL('../../bin/engraph.js', import.meta.url));

/** The environment of a started process, without tokens and settings of the developer's own shell. */
export const ENVIRONMENT = { PATH: process.env.PATH ?? '', EMBEDDING_PROVIDER: 'hash' };

export interface Spawned {
  child: ChildProcessWithoutNullStreams;
  /** Everything printed so far. */
  output: { stdout: string; stderr: string };
  /** Resolves with the first match on stderr. Rejects when the process ends without a match. */
  saysOnStderr(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when the process has ended and all its output has been read. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'engraph-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts the binary in a folder of no project. A process that still runs at the end of the test is killed.
 *
 * @param uid the user of the process, by default the user of the test
 */
export function spawnEngraph(
  args: readonly string[],
  environment: Record<string, string> = {},
  uid?: number,
  cwd = tmpdir(),
): Spawned {
  const env = { ...ENVIRONMENT, ...environment };
  const user = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, [BINARY, ...args], { env, cwd, ...user });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', text => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    output.stderr += text;
  });
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, output, ended, saysOnStderr: pattern => saysOnStderr(child, output, pattern) };
}

function saysOnStderr(child: Spawned['child'], output: Spawned['output'], pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const match = pattern.exec(output.stderr);
      if (match !== null) resolve(match);
    };
    child.stderr.on('data', look);
    child.once('close', () => reject(new Error(`It ended without saying ${pattern}: ${output.stderr}`)));
    look();
  });
}

/** Starts `engraph serve`, by default on a free port, and resolves when it listens. */
export async function spawnServe(folder: string, environment: Record<string, string> = {}, onPort = '0', uid?: number) {
  const spawned = spawnEngraph(['serve', '--port', onPort, '--data-dir', folder], environment, uid);
  const [, url = '', port = ''] = await spawned.saysOnStderr(/engraph is listening on (http:\/\/\S+:(\d+))\n/);
  return { ...spawned, url, port };
}

/** Starts `engraph` as an MCP server. Messages are sent and received line by line. */
export function spawnStdio(folder: string, args: readonly string[] = ['--port', '0']) {
  const spawned = spawnEngraph(['--data-dir', folder, ...args]);
  const lines = createInterface({ input: spawned.child.stdout })[Symbol.asyncIterator]();
  const send = (message: object) => spawned.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const receive = async (): Promise<unknown> => {
    const line = await lines.next();
    if (line.done) throw new Error(`It ended without an answer: ${spawned.output.stderr}`);
    return JSON.parse(line.value);
  };
  return { ...spawned, send, receive };
}

/** The first message of every session. */
export const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};

export function toolCall(id: number, name: string, args: object) {
  return { id, method: 'tools/call', params: { name, arguments: args } };
}
