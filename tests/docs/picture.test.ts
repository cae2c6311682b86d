/** The picture of the README shows what the binary answers today. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readText } from '../support/source-code.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SCRIPT = fileURLToPath(new URL('draw-session.mjs', import.meta.url));

/** Without ids and times, which are those of the day on which it was drawn. */
function lasting(picture: string): string {
  return picture
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
}

/** Three starts of the binary on a busy machine. */
const TIMEOUT_MS = 60_000;

test('drawn anew, it is the same but for ids and times: else run npm run build:picture', {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const out = join(folder.path, 'session.svg');
  await promisify(execFile)(process.execPath, [SCRIPT, '--out', out]);
  expect(lasting(readFileSync(out, 'utf8'))).toBe(lasting(readText('docs/session.svg')));
});
