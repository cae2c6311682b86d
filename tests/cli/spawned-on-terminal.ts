/** The real binary at a terminal, which `script` of util-linux provides. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { BINARY, ENVIRONMENT } from './spawned-engraph.js';

const SCRIPT = '/usr/bin/script';

/** Tests with a terminal run only on Linux, because `script` has other flags on other systems. */
export const HAS_TERMINAL = process.platform === 'linux' && existsSync(SCRIPT);

export interface SpawnedOnTerminal {
  child: ChildProcessWithoutNullStreams;
  /** The text on the terminal: stdout, stderr and the typed text. */
  output: { stdout: string };
  ended: Promise<unknown>;
}

/** Starts the binary at a terminal. The arguments must not contain spaces. */
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
