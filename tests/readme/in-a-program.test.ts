/** The examples of the README for programs run as they stand, against the built package. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/http/listen.js';
import { openTestApp } from '../http/test-app.js';
import { readText } from '../support/source-code.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const [, section = ''] = readText('README.md').split('## In a program\n');
const [inProcess = '', overHttp = ''] = [...section.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);

/** Runs a program in a folder that has the package installed. */
async function run(code: string): Promise<string> {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  mkdirSync(join(folder.path, 'node_modules'));
  symlinkSync(new URL('../..', import.meta.url).pathname, join(folder.path, 'node_modules', 'engraph'));
  writeFileSync(join(folder.path, 'program.mjs'), code);
  const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: folder.path });
  return stdout.trim();
}

test('the engine in the same process', async () => {
  expect(await run(inProcess)).toBe("[ 'The shop runs on PostgreSQL. true' ]");
});

test('the client of a service', async () => {
  const { app, close } = await openTestApp({ apiToken: 's3cret' });
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const listener = await listen(app, { host: '127.0.0.1', port: 0, log });
  onTestFinished(async () => {
    await listener.close();
    await close();
  });
  expect(await run(overHttp.replace('http://127.0.0.1:8001', listener.url))).toBe('true');
});
