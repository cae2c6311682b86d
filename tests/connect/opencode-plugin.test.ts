/** The plugin for OpenCode, loaded as OpenCode loads it, with a program in the place of engraph. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openCodePlugin } from '../../src/connect/targets.js';
import { temporaryFolder } from '../cli/spawned-engraph.js';

interface Part {
  id: string;
  type: string;
  text: string;
  synthetic?: boolean;
}
interface Hooks {
  'chat.message': (input: object, output: { message: object; parts: Part[] }) => Promise<void>;
  'experimental.session.compacting': (input: object, output: { context: string[] }) => Promise<void>;
}

/** @param script of a program that gets the words of the hook's command line */
async function loadPlugin(script: string): Promise<Hooks> {
  const folder = await temporaryFolder();
  const program = join(folder, 'engraph.mjs');
  await writeFile(program, script);
  const file = join(folder, 'plugin.mjs');
  await writeFile(file, openCodePlugin({ command: process.execPath, args: [program], env: {} }));
  const { Engraph } = (await import(pathToFileURL(file).href)) as {
    Engraph: (host: { directory: string }) => Promise<Hooks>;
  };
  return Engraph({ directory: '/shop' });
}

const ECHO = `
let input = '';
process.stdin.on('data', part => { input += part; });
process.stdin.on('end', () => console.log(JSON.stringify([...process.argv.slice(2), JSON.parse(input)])));`;
const PROMPT: Part = { id: 'prt_01', type: 'text', text: '"Which database?"' };

async function partsAfter(hooks: Hooks, parts: Part[]): Promise<Part[]> {
  await hooks['chat.message']({ sessionID: 'ses_1' }, { message: { id: 'msg_1' }, parts });
  return parts;
}

describe('a prompt', () => {
  test('is given to engraph without the marks that opencode run adds, and gets the answer as a hidden part', async () => {
    const parts = await partsAfter(await loadPlugin(ECHO), [PROMPT]);
    const text = JSON.stringify([
      'hook',
      'prompt',
      '--host',
      'opencode',
      { session_id: 'ses_1', cwd: '/shop', prompt: 'Which database?' },
    ]);
    const added = { id: 'prt_01engraph', sessionID: 'ses_1', messageID: 'msg_1', type: 'text', synthetic: true, text };
    expect(parts).toEqual([PROMPT, added]);
  });

  test.each([
    ['has nothing to say', 'process.stdin.resume();'],
    ['fails', 'process.exit(1);'],
  ])('stays alone if engraph %s', async (_, script) => {
    expect(await partsAfter(await loadPlugin(script), [PROMPT])).toEqual([PROMPT]);
  });

  test('without a text of a person starts no program', async () => {
    const parts: Part[] = [{ ...PROMPT, synthetic: true }];
    expect(await partsAfter(await loadPlugin(ECHO), parts)).toHaveLength(1);
  });
});

test('a compaction gets the answer to pre-compact', async () => {
  const context: string[] = [];
  const hooks = await loadPlugin(ECHO);
  await hooks['experimental.session.compacting']({ sessionID: 'ses_1' }, { context });
  expect(context.map(text => (JSON.parse(text) as string[])[1])).toEqual(['pre-compact']);
});
