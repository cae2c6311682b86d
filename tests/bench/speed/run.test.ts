/** Runs the whole script of `npm run bench` on a tiny store, without the build. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { elementsOf } from './svg-elements.js';

test('a tiny run fills the document and the chart', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'engraph-speed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [doc, svg] = [join(folder, 'speed.md'), join(folder, 'speed.svg')];
  await writeFile(doc, '<!-- figures of npm run bench -->\n<!-- end of the figures -->\n');
  const script = fileURLToPath(new URL('../run.mjs', import.meta.url));
  const args = ['--sizes', '40', '--queries', '3', '--backlog', '20', '--data', join(folder, 'data')];
  const child = spawn(process.execPath, [script, ...args, '--doc', doc, '--svg', svg], {
    env: { PATH: process.env.PATH ?? '', VECTOR_SIZE: '32' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    told += text;
  });
  const [code] = await once(child, 'close');
  expect({ code, told }).toMatchObject({ code: 0, told: expect.stringContaining('40 of 40 stored') });
  const table = await readFile(doc, 'utf8');
  for (const operation of ['recall', 'recall over HTTP', 'get', 'store, one at a time', 'close', 'drift check']) {
    expect(table).toMatch(new RegExp(`^\\| ${operation}, ms \\| [\\d.,]+`, 'm'));
  }
  expect(table).toMatch(/^\| recall against the bare stores, × \| [\d.]+ \|$/m);
  expect(elementsOf(await readFile(svg, 'utf8')).length).toBeGreaterThan(50);
});
