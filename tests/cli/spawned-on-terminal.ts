/** The real binary at a terminal, which `script` of util-linux provides. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { BINARY, ENVIRONMENT } from './spawned-engraph.js';

const SCRIPT = '/usr/bin/script';

/** Other systems have a `script` with other flags. */
export const HAS_TERMINAL = process.platform === 'linux' && existsSync(SCRIPT);

export interface SpawnedOnTerminal {
  child: ChildProcessWithoutNullStreams;
  /** What the terminal shows, from stdout and stderr alike, and what was typed. */
  output: { stdout: string };
  ended: Promise<unknown>;
}

/** The arguments must hold no blanks. */
export function spawnOnTerminal(args: readonly string[]): SpawnedOnTerminal {
  const command = [process.execPath, BINARY, ...args].join(' ');
  const child = spawn(SCRIPT, ['-qfec', command, '/dev/null'], { env: { ...ENVIRONMENT, SHELL: '/bin/sh' } });
  const output = { stdout: '' };
  child.stdout.setEncoding('utf8').on('data', text => {
    output.stdout += text;
  });
  child.stdin.on('error', () => {});
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, output, ended };
}

export async function untilSaid(stream: Readable, isSaid: () => boolean): Promise<void> {
  while (!isSaid()) await once(stream, 'data');
}
