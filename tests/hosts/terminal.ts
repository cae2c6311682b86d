/** A conversation with a host at a terminal, which `script` of util-linux provides. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { HostProgram } from './host-programs.js';
import type { Ended, Lab } from './lab.js';
import { ANSWER } from './stand-ins/model.js';

const SCRIPT = '/usr/bin/script';
/** Only Linux, because `script` has other flags on other systems. */
export const HAS_TERMINAL = process.platform === 'linux' && existsSync(SCRIPT);
/** Questions of programs to a terminal, and the answers of one. */
const QUERIES: readonly [string, string][] = [
  ['\u001b[6n', '\u001b[1;1R'],
  ['\u001b[c', '\u001b[?62;22c'],
  ['\u001b]11;?', '\u001b]11;rgb:0000/0000/0000\u001b\\'],
  ['\u001b]10;?', '\u001b]10;rgb:ffff/ffff/ffff\u001b\\'],
  ['\u001b[?u', '\u001b[?0u'],
];
/** What a person may read about hooks and about engraph. The names of hooks that are just running are ordinary. */
const REMARKABLE =
  /Engraph gives no memories.*?'engraph doctor'|[^;·●•]{0,80}(?:hook (?:error|problem|failed)|failed for event|\berror\b)[^;·●•]{0,80}/gi;
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: what programs write to a terminal
const TITLE = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
const MOVE = /\u001b\[[0-9;]*[CGHf]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: what programs write to a terminal
const WAIT_MS = 60_000;
/** A host redraws its screen after a key, and takes keys that come too fast as a pasted text. */
const KEY_MS = 700;

/** Types the prompts, each after the answer to the one before, and leaves the host. */
export async function converse(host: HostProgram, lab: Lab, prompts: readonly string[]): Promise<Ended> {
  const { command, environment, folder } = lab.hostRun;
  const line = `stty rows 40 columns 150; exec ${command.join(' ')}`;
  const child = spawn(SCRIPT, ['-qfec', line, '/dev/null'], {
    cwd: folder,
    env: { ...environment, SHELL: '/bin/sh' },
  });
  let shown = '';
  let screen = '';
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    screen += text;
    for (const [query, answer] of QUERIES) if (text.includes(query)) child.stdin.write(answer);
  });
  const ended = new Promise<number | null>(resolve => child.once('close', resolve));
  const until = async (what: string, isSo: () => boolean) => {
    for (const deadline = Date.now() + WAIT_MS; !isSo(); await pause(50))
      if (Date.now() > deadline) throw new Error(`no ${what} on the screen:\n${readable(screen)}`);
  };
  try {
    await until('prompt', () => host.ready.test(readable(screen)));
    for (const prompt of prompts) {
      const { length } = lab.model.turns;
      await pause(KEY_MS);
      child.stdin.write(prompt);
      await pause(KEY_MS);
      screen = '';
      child.stdin.write('\r');
      await until('request', () => lab.model.turns.length > length);
      await until('answer', () => readable(screen).includes(ANSWER.slice(-12)));
    }
    await pause(KEY_MS);
    const seen = readable(shown).replaceAll(/\s+/g, ' ').match(REMARKABLE) ?? [];
    for (const key of host.leave) {
      child.stdin.write(key);
      await pause(KEY_MS);
    }
    return { code: await Promise.race([ended, pause(WAIT_MS, null)]), seen };
  } finally {
    child.kill('SIGKILL');
  }
}

/** The texts on the screen. Moves of the cursor become spaces, or the words would stick together. */
function readable(screen: string): string {
  return stripVTControlCharacters(screen.replace(TITLE, '').replace(MOVE, ' ').replaceAll('\r', '\n')).replace(
    / +/g,
    ' ',
  );
}
